import { setTimeout as sleep } from 'node:timers/promises';
import { type Exchange, is2xx } from '../model/exchange.ts';
import { contentOf, isBeyondLimits } from '../model/media.ts';
import { asksToWait, retryAfter } from '../net/retry-after.ts';
import type { Limits } from '../net/settings.ts';

export function isUnread({ failure }: Exchange): boolean {
  return failure !== null && ['refused', 'dns', 'proxy', 'tls', 'connect-timeout'].includes(failure.kind);
}

/** True if the failure may be transient: no answer, 408, 429, 5xx, or an unreadable 2xx. */
export function isTransient(exchange: Exchange): boolean {
  const { response, failure } = exchange;
  if (response === null) return failure?.kind !== 'aborted' && failure?.kind !== 'too-large';
  if ([408, 429].includes(response.status) || response.status >= 500) return true;
  return is2xx(response.status) && isUnreadable(exchange);
}

/** True for a gateway's HTML page, and for a body that is truncated or unreadable. */
export function isUnreadable(exchange: Exchange): boolean {
  const content = contentOf(exchange);
  // An answer beyond our limits would exceed them again.
  return content.kind === 'html' || (content.kind === 'broken' && !isBeyondLimits(content));
}

export function isAbsence({ response }: Exchange): boolean {
  return [404, 405, 410].includes(response?.status ?? 0);
}

/** Waits. If that would exceed the remaining budget, returns the reason at once. */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<string | null>;

/** Limits the total of all `Retry-After` waits of a run, in milliseconds. Parallel waits count once. */
export function createWaitBudget(budget: number, clock: () => number): Wait {
  let spent = 0;
  let until = 0;
  return async (milliseconds, signal) => {
    const now = clock();
    const end = now + milliseconds;
    const extra = Math.max(0, end - Math.max(now, until));
    if (spent + extra > budget) return `a run waits at most ${budget / 1000} s in total (timeouts.retryAfter)`;
    spent += extra;
    until = Math.max(until, end);
    await sleep(milliseconds, undefined, { signal }).catch(() => {});
    return null;
  };
}

export interface RetryOptions {
  readonly isRepeatable: boolean;
  readonly limits: Pick<Limits, 'retries' | 'backoff'>;
  /** Longest pause between two tries, in milliseconds. By default, pauses keep doubling. */
  readonly longestPause?: number;
  /** Retry once if the answer is "not found". */
  readonly doubtsAbsence?: boolean;
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Waits as long as the target asks, or returns why not. */
  readonly wait: (milliseconds: number) => Promise<string | null>;
  /** Whether another try is worth its time, after a pause of this many milliseconds. */
  readonly isWorthIt: (exchange: Exchange, retry: number, pause: number) => boolean;
}

export interface Sent {
  readonly exchange: Exchange;
  /** Why there was no further retry, if the exchange does not show it. */
  readonly gaveUp?: string;
}

/** Extra retries for a target that asks to wait. */
export const MORE_BY_REQUEST = 3;

/**
 * Sends until the answer is not a transient failure, or another try is pointless. A write is repeated only if it was
 * certainly not carried out. Pauses double each time, with jitter between half and full length.
 */
export async function sendWithRetries(
  send: () => Promise<Exchange>,
  { isRepeatable, limits, random, signal, wait, isWorthIt, ...options }: RetryOptions,
): Promise<Sent> {
  const { longestPause = Number.POSITIVE_INFINITY, doubtsAbsence = false } = options;
  let doubted = !doubtsAbsence;
  for (let retry = 1; ; retry += 1) {
    const exchange = await send();
    const isDoubtful = isAbsence(exchange) && !doubted;
    if (isDoubtful) doubted = true;
    else if (!isTransient(exchange)) return { exchange };
    const isUndone = exchange.response?.status === 429 || isUnread(exchange);
    if (!isRepeatable && !isUndone) {
      return { exchange, gaveUp: 'the call is not repeated, because it may have been carried out' };
    }
    const asked = asksToWait(exchange) ? retryAfter(exchange) : null;
    if (asked !== null && retry <= limits.retries + MORE_BY_REQUEST) {
      const gaveUp = await wait(asked);
      if (gaveUp !== null) return { exchange, gaveUp };
    } else {
      // A target may ask for no wait at all again and again. Then our own pause applies.
      const own = Math.min(longestPause, limits.backoff * 2 ** (retry - 1)) * (0.5 + random() / 2);
      const pause = Math.max(own, asked ?? 0);
      if (!isWorthIt(exchange, retry, pause)) return { exchange };
      await sleep(pause, undefined, { signal }).catch(() => {});
    }
    if (signal.aborted) return { exchange };
  }
}
