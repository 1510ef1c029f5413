/** The only source of time in the token client. Pass your own to test with virtual time. */
export interface Clock {
  /** Wall clock: milliseconds since the epoch. May jump. */
  now(): number;
  /** Milliseconds that never go back. May stop while the machine sleeps. */
  monotonic(): number;
  /**
   * Resolves after `ms` milliseconds, or at once when the signal aborts; never rejects.
   * A `background` sleep does not keep the process alive.
   */
  sleep(ms: number, signal?: AbortSignal, options?: { readonly background?: boolean }): Promise<void>;
}

/** Milliseconds beyond which timers fire at once in Node and browsers. */
const LONGEST_TIMER = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep(ms, signal, options) {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, Math.min(Math.max(ms, 0), LONGEST_TIMER));
      signal?.addEventListener('abort', done);
      // In browsers and workers a timer is a number, and there is no process to keep alive.
      if (options?.background) (timer as { unref?(): void }).unref?.();
    });
  },
};
