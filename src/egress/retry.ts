import { setTimeout as sleep } from 'node:timers/promises';
import type { Effect } from '../contract/contract.ts';
import { type Exchange, is2xx } from '../model/exchange.ts';
import { contentOf, isBeyondLimits } from '../model/media.ts';
import { asksToWait, retryAfter } from '../net/retry-after.ts';
import type { Limits } from '../net/settings.ts';

const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/** True where the target cannot have read the request. */
export function isUnread({ failure }: Exchange): boolean {
  return failure !== null && ['refused', 'dns', 'tls', 'connect-timeout'].includes(failure.kind);
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

/** True where sending it again cannot do twice what should be done once (RFC 9110, 9.2.2). */
function isRepeatable(exchange: Exchange, effect: Effect): boolean {
  return (
    effect === 'read' ||
    IDEMPOTENT.has(exchange.request.method) ||
    exchange.response?.status === 429 ||
    isUnread(exchange)
  );
}

/** Waits, or returns false at once where that would exceed what is left. */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<boolean>;

/** Keeps the sum of all `Retry-After` waits of a run within bounds. Waits at the same time count once. */
export function createWaitBudget(budget: number, clock: () => number): Wait {
  let spent = 0;
  let until = 0;
  return async (milliseconds, signal) => {
    const now = clock();
    const end = now + milliseconds;
    const extra = Math.max(0, end - Math.max(now, until));
    if (spent + extra > budget) return false;
    spent += extra;
    until = Math.max(until, end);
    await sleep(milliseconds, undefined, { signal }).catch(() => {});
    return !signal.aborted;
  };
}

export interface RetryOptions {
  readonly effect: Effect;
  readonly limits: Pick<Limits, 'retries' | 'backoff'>;
  readonly random: () => number;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
  /** Waits as long as the target asks to; false where that is longer than a run waits. */
  readonly wait: (milliseconds: number) => Promise<boolean>;
  /** Whether another try is worth its time, after a pause of so many milliseconds. */
  readonly isWorthIt: (exchange: Exchange, retry: number, pause: number) => boolean;
}

export const TOO_LONG = 'that is longer than a run waits';
/** Tries beyond the retries, for a target that says when to come back. */
const MORE_BY_REQUEST = 3;

/**
 * Sends until the answer is no transient trouble, or until another try makes no sense. Returns the last exchange, and why it gave up
 * where that exchange does not say it. Pauses double each time, with jitter between half and all of it.
 */
export async function sendWithRetries(
  send: () => Promise<Exchange>,
  { effect, limits, random, signal, wait, isWorthIt }: RetryOptions,
): Promise<{ readonly exchange: Exchange; readonly gaveUp?: string }> {
  for (let retry = 1; ; retry += 1) {
    const exchange = await send();
    if (!isTransient(exchange)) return { exchange };
    if (!isRepeatable(exchange, effect)) {
      return { exchange, gaveUp: 'the call is not repeated, because it may have been carried out' };
    }
    const asked = asksToWait(exchange) ? retryAfter(exchange) : null;
    if (asked !== null) {
      if (retry > limits.retries + MORE_BY_REQUEST) return { exchange };
      if (!(await wait(asked))) return { exchange, gaveUp: TOO_LONG };
    } else {
      const pause = limits.backoff * 2 ** (retry - 1) * (0.5 + random() / 2);
      if (retry > limits.retries || !isWorthIt(exchange, retry, pause)) return { exchange };
      await sleep(pause, undefined, { signal }).catch(() => {});
    }
    if (signal.aborted) return { exchange };
  }
}
