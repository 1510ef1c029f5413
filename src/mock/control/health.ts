import type { About, Clock, Health, ServedNotice } from '../../../generated/mock/control.ts';
import { tool } from '../../files/tool.ts';
import { isLoopback } from '../../net/host.ts';
import { LOOPBACK } from '../pipeline/host.ts';
import type { Controls } from './controls.ts';

/** Only the mock's own pages may read it. The token is included only on loopback. */
export function aboutOf({ startedAt, served, token, options, credentials }: Controls): About {
  const { tenant, token: facts, operations } = served().plan;
  return {
    startedAt,
    name: tool.name,
    version: tool.version,
    tenant: tenant?.name ?? null,
    controlToken: isLoopback(options.host ?? LOOPBACK) ? token : null,
    username: credentials.username,
    tokenOperation: operations.find(({ auth }) => auth === 'issues')?.operationId ?? null,
    clientAuthentication: facts?.clientAuthentication ?? null,
  };
}

export async function healthOf(controls: Controls): Promise<Health> {
  const { contract, reloads, problem } = controls.status();
  const { callers } = controls.options;
  const store = controls.memory.storeProblem;
  return {
    status: store ? 'store-unavailable' : problem ? 'stale' : 'ok',
    url: controls.url(),
    uptime: Math.round((Date.now() - controls.startedAt) / 1000),
    ...{ contract, reloads, problem, store },
    notices: await noticesOf(controls),
    clock: clockState(controls),
    scenarios: controls.scenarios.active().map(({ name }) => name),
    exchanges: controls.journal.size,
    ...(controls.journal.forgotten > 0 && { forgotten: controls.journal.forgotten }),
    ...(callers && { callers }),
  };
}

export function clockState({ clock }: Pick<Controls, 'clock'>): Clock {
  return { now: new Date(clock.now()).toISOString(), moved: clock.moved };
}

async function noticesOf({ served }: Controls): Promise<readonly ServedNotice[]> {
  const { notices = [] } = (await served().whole?.()) ?? {};
  return notices.map(({ code, message, hint = null, place: { file, line = null, column = null } }) => ({
    ...{ code, message, hint, file, line, column },
  }));
}
