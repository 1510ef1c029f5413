import { setTimeout as sleep } from 'node:timers/promises';
import { type Exchange, is2xx } from '../model/exchange.ts';
import { contentOf, isBeyondLimits } from '../model/media.ts';
import { asksToWait, retryAfter } from '../net/retry-after.ts';
import type { Limits } from '../net/settings.ts';

export function isUnread({ failure }: Exchange): boolean {
  return failure !== null && ['refused', 'dns', 'proxy', 'tls', 'connect-timeout'].includes(failure.kind);
}

/** True where the trouble may pass: no answer, 408, 429, 5xx, or a 2xx that cannot be read. */
export function isTransient(exchange: Exchange): boolean {
  const { response, failure } = exchange;
  if (response === null) return failure?.kind !== 'aborted' && failure?.kind !== 'too-large';
  if ([408, 429].includes(response.status) || response.status >= 500) return true;
  return is2xx(response.status) && isUnreadable(exchange);
}

/** True for the page of a gateway, and for a body that was cut off or cannot be read. */
export function isUnreadable(exchange: Exchange): boolean {
  const content = contentOf(exchange);
  // What is beyond our limits will be so again.
  return content.kind === 'html' || (content.kind === 'broken' && !isBeyondLimits(content));
}

export function isAbsence({ response }: Exchange): boolean {
  return [404, 405, 410].includes(response?.status ?? 0);
}

function isUndone(exchange: Exchange): boolean {
  return exchange.response?.status === 429 || isUnread(exchange);
}

/** Waits, or returns at once why not, if that would exceed what is left. */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<string | null>;

/** Keeps the sum of all `Retry-After` waits of a run within a budget, in milliseconds. Waits at the same time count once. */
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
  /** Tries beyond the first, where they are others than those of the limits. */
  readonly tries?: number;
  /** Longest pause between two tries, in milliseconds; as long as doubling makes it by default. */
  readonly longestPause?: number;
  /** Ask once more where the answer says that there is nothing. */
  readonly doubtsAbsence?: boolean;
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Waits as long as the target asks to, or returns why not. */
  readonly wait: (milliseconds: number) => Promise<string | null>;
  /** Whether another try is worth its time, after a pause of so many milliseconds. */
  readonly isWorthIt: (exchange: Exchange, retry: number, pause: number) => boolean;
}

/** Tries beyond the retries, for a target that says when to come back. */
const MORE_BY_REQUEST = 3;

/**
 * Sends until the answer is no transient trouble, or until another try makes no sense. What changes something is never sent twice
 * unless it surely was not carried out. Returns the last exchange, and why it gave up
 * where that exchange does not say it. Pauses double each time, with jitter between half and all of it.
 */
export async function sendWithRetries(
  send: () => Promise<Exchange>,
  { isRepeatable, limits, random, signal, wait, isWorthIt, ...options }: RetryOptions,
): Promise<{ readonly exchange: Exchange; readonly gaveUp?: string }> {
  const { tries = limits.retries, longestPause = Number.POSITIVE_INFINITY, doubtsAbsence = false } = options;
  let doubted = !doubtsAbsence;
  for (let retry = 1; ; retry += 1) {
    const exchange = await send();
    const isDoubtful = isAbsence(exchange) && !doubted;
    if (isDoubtful) doubted = true;
    else if (!isTransient(exchange)) return { exchange };
    if (!isRepeatable && !isUndone(exchange)) {
      return { exchange, gaveUp: 'the call is not repeated, because it may have been carried out' };
    }
    const asked = asksToWait(exchange) ? retryAfter(exchange) : null;
    if (asked !== null && retry <= limits.retries + MORE_BY_REQUEST) {
      const gaveUp = await wait(asked);
      if (gaveUp !== null) return { exchange, gaveUp };
    } else {
      // One that asks on and on for no time at all is asked in our own pace.
      const own = Math.min(longestPause, limits.backoff * 2 ** (retry - 1)) * (0.5 + random() / 2);
      const pause = Math.max(own, asked ?? 0);
      if (retry > tries || !isWorthIt(exchange, retry, pause)) return { exchange };
      await sleep(pause, undefined, { signal }).catch(() => {});
    }
    if (signal.aborted) return { exchange };
  }
}
