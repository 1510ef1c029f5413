import type { Effect } from '../contract/contract.ts';
import { type Exchange, type HeaderFields, is2xx } from './exchange.ts';

/**
 * What a call is for, and with it which answer is the right one.
 *
 * - `succeed`: a good request; the table "What an answer means" judges its answer.
 * - `refuse-…`: a request that must not be served; the rule of that name judges its answer. Of `refuse-asserted`, the contract file
 *   itself asserts the status, and no rule judges it.
 *
 * Of the others a good answer shows what the operation sends, and no answer is held against it:
 *
 * - `provoke-client`: provokes our own token client (mock only); the check itself judges what that does.
 * - `liveness`: asks again what answered before, to see whether the target still lives.
 * - `clean-up`: takes back what the run created; that may have gone with what it was part of.
 * - `caller`: a request of a caller that a proxy passed on; what is wrong with it may be the caller's doing.
 */
export type Purpose =
  | 'succeed'
  | `refuse-${'token' | 'credentials' | 'grant' | 'method' | 'limit' | 'precondition' | 'asserted'}`
  | 'provoke-client'
  | 'liveness'
  | 'clean-up'
  | 'caller';

/** The values are injected where the call leaves the process. */
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
  /** Null for calls that the run makes on its own account (the token, a control call). */
  readonly checkId: string | null;
  readonly operationId: string;
  readonly purpose: Purpose;
  readonly auth: Auth;
  /** Values of the path parameters, by name. Never leaves the process as they are. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly attempts: readonly Exchange[];
  /** Why nothing (more) was sent: the circuit is open, the run was interrupted, no token; else null. */
  readonly notSent: string | null;
  /** Why it was not tried again although the last answer may pass; absent where it was tried as often as calls are. */
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
