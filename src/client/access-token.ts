import type { Clock } from './clock.ts';
import type { TokenAnswer } from './token-request.ts';

/** JSON and inspection leave the value out; `value` itself is not enumerable. */
export interface AccessToken {
  /** The bearer token. Opaque: the client never parses it. */
  readonly value: string;
  /** When its answer arrived: milliseconds since the epoch. */
  readonly issuedAt: number;
  /** Lifetime in seconds from `issuedAt`. Null if the response did not state it: the token serves until a 401. */
  readonly expiresIn: number | null;
  readonly jti: string | null;
  readonly scope: string | null;
}

export function accessToken(answer: TokenAnswer): AccessToken {
  const shown = { issuedAt: answer.receivedAt, expiresIn: answer.expiresIn, jti: answer.jti, scope: answer.scope };
  const token = { ...shown, value: answer.accessToken };
  Object.defineProperties(token, {
    value: { enumerable: false },
    toJSON: { value: () => shown },
    [Symbol.for('nodejs.util.inspect.custom')]: { value: () => shown },
  });
  return Object.freeze(token);
}

/** Largest part of a lifetime that the margin may cover, so that a short-lived token is still useful. */
const LARGEST_MARGIN = 0.2;
/** A token is no longer sent in its last seconds, because a request may take that long to arrive. */
const TRANSIT = 5;

/**
 * A token is `due` within the margin before its expiry: it still serves while a new one is fetched.
 * The age is the greater of both clocks. The wall clock counts sleep; the monotonic clock is never set back.
 *
 * @param margin seconds
 */
export function freshness(answer: TokenAnswer, margin: number, clock: Clock): 'fresh' | 'due' | 'expired' {
  if (answer.expiresIn === null) return 'fresh';
  const elapsed = Math.max(clock.now() - answer.receivedAt, clock.monotonic() - answer.receivedMonotonic) / 1000;
  const left = answer.expiresIn - elapsed;
  const early = Math.min(margin, answer.expiresIn * LARGEST_MARGIN);
  if (left <= Math.min(early / 5, TRANSIT)) return 'expired';
  return left <= early ? 'due' : 'fresh';
}
