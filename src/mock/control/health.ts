import type { About, Clock, Health, Notice } from '../../../generated/mock/control.ts';
import { tool } from '../../files/tool.ts';
import { isLoopback } from '../../net/host.ts';
import type { Controls } from './controls.ts';

/** Only pages of the mock itself may read it, and the token is told on loopback only. */
export function aboutOf({ startedAt, plan, token, host, credentials }: Controls): About {
  const { tenant, token: facts, operations } = plan();
  return {
    startedAt,
    name: tool.name,
    version: tool.version,
    tenant: tenant?.name ?? null,
    controlToken: isLoopback(host) ? token : null,
    username: credentials.username,
    tokenOperation: operations.find(({ auth }) => auth === 'issues')?.operationId ?? null,
    clientAuthentication: facts?.clientAuthentication ?? null,
  };
}

export async function healthOf(controls: Controls): Promise<Health> {
  const { contract, reloads, problem } = controls.status();
  const store = controls.storeProblem();
  return {
    status: store ? 'store-unavailable' : problem ? 'stale' : 'ok',
    url: controls.url(),
    uptime: Math.round((Date.now() - controls.startedAt) / 1000),
    ...{ contract, reloads, problem, store },
    notices: await noticesOf(controls),
    clock: timeOf(controls),
    scenarios: controls.scenarios.active().map(({ name }) => name),
    exchanges: controls.journal.size,
    ...(controls.callers && { callers: controls.callers }),
  };
}

export function timeOf({ clock }: Pick<Controls, 'clock'>): Clock {
  return { now: new Date(clock.now()).toISOString(), moved: clock.moved };
}

/** The package's own contract alone gives no cause, and is not loaded for it. */
async function noticesOf({ hasOverlays, contract }: Controls): Promise<readonly Notice[]> {
  if (!hasOverlays) return [];
  const { notices } = await contract();
  return notices.map(({ code, message, hint = null, place: { file, line = null, column = null } }) => ({
    ...{ code, message, hint, file, line, column },
  }));
}
