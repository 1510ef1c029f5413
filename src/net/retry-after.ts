import { retryAfterSeconds } from '../client/token-response.ts';
import type { Call } from '../model/call.ts';
import { type Exchange, header } from '../model/exchange.ts';

/** True if the target itself requests a pause: 429, or 503 with `Retry-After`. */
export function asksToWait(exchange: Exchange): boolean {
  const status = exchange.response?.status;
  return status === 429 || (status === 503 && header(exchange.response?.headers ?? [], 'retry-after') !== undefined);
}

/**
 * `Retry-After` (RFC 9110, 10.2.3) of an answer in milliseconds, or null if missing or unreadable. A date is relative
 * to the answer's own `Date`, or to our clock if that is missing.
 */
export function retryAfter(exchange: Exchange): number | null {
  const fields = exchange.response?.headers ?? [];
  const sentAt = Date.parse(header(fields, 'date') ?? '');
  const now = Number.isNaN(sentAt) ? exchange.endedAt : sentAt;
  const seconds = retryAfterSeconds(header(fields, 'retry-after') ?? null, now);
  return seconds === undefined ? null : Math.ceil(seconds * 1000);
}

/** @param to what gets the answer: ` to everything` */
export function answersToWait({ attempts, gaveUp }: Pick<Call, 'attempts' | 'gaveUp'>, to: string): string {
  const tries = attempts.length > 1 ? `, also when asked again (${attempts.length} times in all)` : '';
  return `answers ${attempts.at(-1)?.response?.status ?? '?'}${to}${gaveUp === undefined ? tries : `; ${gaveUp}`}`;
}
