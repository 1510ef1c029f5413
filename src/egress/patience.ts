import { setTimeout as sleep } from 'node:timers/promises';

/** Keeps the sum of all `Retry-After` waits of a run within bounds; waits of several calls at once count once. */
export interface Patience {
  /** Waits, or says false at once where the wait would exceed what is left. */
  wait(milliseconds: number, signal: AbortSignal): Promise<boolean>;
}

export function createPatience(budget: number, clock: () => number): Patience {
  let spent = 0;
  let until = 0;
  return {
    async wait(milliseconds, signal) {
      const now = clock();
      const end = now + milliseconds;
      const extra = Math.max(0, end - Math.max(now, until));
      if (spent + extra > budget) return false;
      spent += extra;
      until = Math.max(until, end);
      await sleep(milliseconds, undefined, { signal }).catch(() => {});
      return !signal.aborted;
    },
  };
}
