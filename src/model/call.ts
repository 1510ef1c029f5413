import type { Exchange } from './exchange.ts';

/** What a call is for, and with it which answer is the right one. */
export const PURPOSES = [
  'succeed',
  'refuse-token',
  'refuse-credentials',
  'refuse-grant',
  'refuse-method',
  'refuse-limit',
  'refuse-precondition',
  'client',
] as const;
/**
 * - `succeed`: a good request; the table "What an answer means" judges its answer.
 * - `refuse-…`: a request that must not be served; the rule of that name judges its answer.
 * - `client`: provokes our own token client (mock only); the check itself judges it.
 */
export type Purpose = (typeof PURPOSES)[number];

export const AUTHS = ['token', 'none', 'garbage', 'client', 'wrong-client'] as const;
/**
 * What a call authenticates with: the bearer token, nothing, what is no token, or (at the token endpoint) the client's credentials,
 * or wrong ones. The values are injected where the call leaves the process.
 */
export type Auth = (typeof AUTHS)[number];

/** One call of the suite with all its attempts: retries and token refreshes are attempts of one call. */
export interface Call {
  /** From 1, in the order in which calls began. */
  readonly number: number;
  /** Null for calls that the run makes on its own account (the token, a control call). */
  readonly checkId: string | null;
  readonly operationId: string;
  readonly purpose: Purpose;
  readonly auth: Auth;
  /** Values of the path parameters, by name. Never leaves the process as they are. */
  readonly parameters: Readonly<Record<string, string>>;
  /** In the order in which they were sent; empty where nothing was sent. */
  readonly attempts: readonly Exchange[];
  /** Why nothing (more) was sent: the circuit is open, the run was interrupted, no token; else null. */
  readonly notSent: string | null;
  /** Why it was not tried again although the last answer may pass; absent where it was tried as often as calls are. */
  readonly gaveUp?: string;
}

/** The attempt whose answer counts. */
export function finalAttempt(call: Call): Exchange | undefined {
  return call.attempts.at(-1);
}

/** True where the last attempt was answered with 2xx and the body is all there. */
export function isGood(call: Call): boolean {
  const response = finalAttempt(call)?.response;
  return (
    call.notSent === null &&
    response != null &&
    response.status >= 200 &&
    response.status < 300 &&
    response.body.state === 'complete'
  );
}
