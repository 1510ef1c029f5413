import { tool } from '../../files/tool.ts';
import { isLoopback } from '../../net/host.ts';
import type { MockStatus } from '../mock.ts';
import type { Controls } from './controls.ts';

/** What the page must know before it can show anything. */
export interface About {
  /** Milliseconds since the epoch; another start has another. */
  readonly startedAt: number;
  readonly name: string;
  readonly version: string;
  /** Name of the path parameter that says whose records an operation works on; null where there is none. */
  readonly tenant: string | null;
  /** The token that changes need; null where the mock is bound beyond loopback, so that it must be given. */
  readonly controlToken: string | null;
  readonly username: string;
  /** operationId of the operation that issues tokens; null where there is none. */
  readonly tokenOperation: string | null;
  readonly clientAuthentication: 'basic' | 'form' | null;
}

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

/** What the loader of the contract noticed: served as it is, and worth a look. */
export interface ToldNotice {
  readonly code: string;
  readonly message: string;
  /** One sentence that says what to do; null where nothing is to be done. */
  readonly hint: string | null;
  readonly file: string;
  /** From 1. */
  readonly line: number | null;
  /** From 1. */
  readonly column: number | null;
}

export interface Health extends MockStatus {
  readonly status: 'ok' | 'stale' | 'store-unavailable';
  readonly url: string;
  /** Seconds. */
  readonly uptime: number;
  /** Why the store cannot be read or written; null where it can. */
  readonly store: string | null;
  readonly notices: readonly ToldNotice[];
  readonly clock: { readonly now: string; readonly moved: boolean };
  readonly scenarios: readonly string[];
  readonly exchanges: number;
  readonly callers?: Controls['callers'];
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

export function timeOf({ clock }: Pick<Controls, 'clock'>): Health['clock'] {
  return { now: new Date(clock.now()).toISOString(), moved: clock.moved };
}

/** The package's own contract alone gives no cause, and is not loaded for it. */
async function noticesOf({ hasOverlays, contract }: Controls): Promise<readonly ToldNotice[]> {
  if (!hasOverlays) return [];
  const { notices } = await contract();
  return notices.map(({ code, message, hint = null, place: { file, line = null, column = null } }) => ({
    ...{ code, message, hint, file, line, column },
  }));
}
