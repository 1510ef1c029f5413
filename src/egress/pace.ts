interface PaceOptions {
  readonly perSecond: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

const SECOND = 1000;
/** A single 429 may have another cause. */
const ENOUGH_REFUSALS = 2;
/** Share of the rate that the target accepted, so that the next second is safe. */
const SHARE = 0.8;
/** Requests per second. With fewer, a run would take minutes. */
const SLOWEST = 0.5;
/** The same, as long as no later answer shows that the rate is the cause. */
const SLOWEST_GUESS = 2;

/** Spaces the requests of a run, and slows down if the target limits their rate with 429. */
export function createPace({ perSecond, now, sleep }: PaceOptions) {
  let rate = perSecond;
  /** No request begins before. */
  let next = 0;
  let slowedAt = Number.NEGATIVE_INFINITY;
  let refusals = 0;
  /** Operations whose last answer was 429. */
  const refused = new Set<string>();
  /** When the target gave its other answers in the last second. */
  let accepted: number[] = [];
  /** Whether a later answer to a refused operation shows that only the rate was wrong, since the last slow-down. */
  let isProved = false;
  let isLimited = false;

  /** Slows down to what the target accepted, then by halves. The pause lets the target start a new second. */
  function slowDown(at: number): void {
    const isFirst = refusals === ENOUGH_REFUSALS;
    const slower = isFirst ? Math.max(SLOWEST_GUESS, accepted.length * SHARE) : Math.max(SLOWEST, rate / 2);
    rate = Math.min(rate, Math.floor(slower * 10) / 10);
    slowedAt = at;
    next = Math.max(next, at + SECOND);
    isProved = false;
  }

  return {
    /** Requests per second that the target accepts. Null if it never answered 429 because of the rate. */
    get found(): number | null {
      return isLimited ? rate : null;
    },
    /** Waits until the next request may begin. Resolves to the time when it begins. */
    async turn(): Promise<number> {
      const from = now();
      const at = Math.max(from, next);
      next = at + SECOND / rate;
      if (at > from) await sleep(at - from);
      return at;
    },
    /** @param begun when the request began */
    note(operationId: string, status: number, begun: number): void {
      const at = now();
      accepted = accepted.filter((time) => time > at - SECOND);
      if (status !== 429) {
        accepted.push(at);
        if (refused.delete(operationId)) isProved = true;
        isLimited ||= isProved && refusals >= ENOUGH_REFUSALS;
        return;
      }
      refused.add(operationId);
      refusals += 1;
      // A request that began at the old rate says nothing about the new one.
      if (refusals === ENOUGH_REFUSALS || (refusals > ENOUGH_REFUSALS && isProved && begun > slowedAt)) slowDown(at);
    },
  };
}
