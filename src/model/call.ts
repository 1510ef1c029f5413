import type { Effect } from '../contract/contract.ts';
import { type Exchange, type HeaderFields, is2xx } from './exchange.ts';

/**
 * The purpose of a call. It decides which answer is correct.
 *
 * - `succeed`: a valid request; the judge decides what its answer means.
 * - `refuse-…`: a request that the target must reject; the rule of that name judges its answer. No rule judges
 *   `refuse-asserted`: the contract file itself asserts the status.
 *
 * Answers to other calls are not judged, but a success shows the payload of the operation:
 *
 * - `provoke-client`: provokes our own token client (mock only); the check itself judges the client.
 * - `liveness`: repeats a call that succeeded before, to check whether the target is still up.
 * - `clean-up`: removes a record that the run created; it may already have gone with its parent.
 * - `caller`: a request of a caller through the proxy; its faults may be the caller's.
 */
export type Purpose =
  | 'succeed'
  | `refuse-${'token' | 'credentials' | 'grant' | 'method' | 'limit' | 'precondition' | 'asserted'}`
  | 'provoke-client'
  | 'liveness'
  | 'clean-up'
  | 'caller';

/** The values are injected when the call leaves the process. */
export type Auth = 'token' | 'none' | 'garbage' | Forgery | 'client' | 'wrong-client';

export const FORGERIES = ['changed-signature', 'empty-signature', 'unsigned', 'other-subject'] as const;
export type Forgery = (typeof FORGERIES)[number];

export function isForgery(auth: Auth): auth is Forgery {
  return (FORGERIES as readonly Auth[]).includes(auth);
}

export interface CallRequest {
  readonly checkId: string | null;
  readonly operationId: string;
  readonly effect: Effect;
  readonly purpose: Purpose;
  readonly auth: Auth;
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly target: string;
  readonly headers: HeaderFields;
  readonly body: Uint8Array | null;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface Call {
  /** Null for calls that no check makes (the token, a control call). */
  readonly checkId: string | null;
  readonly operationId: string;
  readonly purpose: Purpose;
  readonly auth: Auth;
  /** Values of the path parameters, by name. Unredacted: they must not leave the process. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly attempts: readonly Exchange[];
  /** Why nothing (more) was sent: open circuit, interrupted run, no token; else null. */
  readonly notSent: string | null;
  /** Why there was no further retry although one might succeed; undefined if all retries were used. */
  readonly gaveUp?: string;
}

export function finalAttempt(call: Call): Exchange | undefined {
  return call.attempts.at(-1);
}

export function isGood(call: Call): boolean {
  const response = finalAttempt(call)?.response;
  return call.notSent === null && response != null && is2xx(response.status) && response.body.state === 'complete';
}

export function mustBeRefused({ purpose }: Pick<Call, 'purpose'>): boolean {
  return purpose.startsWith('refuse-');
}
