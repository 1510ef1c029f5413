import type { Clock } from '../../src/client/client.ts';

interface Timer {
  readonly at: number;
  readonly fire: () => void;
}

/** A clock that moves only on request. Wall and monotonic time start at odd values, so that a mix-up shows. */
export class VirtualClock implements Clock {
  #monotonic = 5_000;
  #offset = 1_700_000_000_000;
  #timers: Timer[] = [];

  now(): number {
    return this.#monotonic + this.#offset;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer: Timer = {
        at: this.#monotonic + Math.max(ms, 0),
        fire: () => {
          signal?.removeEventListener('abort', timer.fire);
          this.#timers = this.#timers.filter((other) => other !== timer);
          resolve();
        },
      };
      signal?.addEventListener('abort', timer.fire);
      this.#timers.push(timer);
    });
  }

  /** Sets the wall clock, as NTP or a user does. */
  jump(ms: number): void {
    this.#offset += ms;
  }

  /** Advances only the wall clock, as while a laptop sleeps. */
  suspend(ms: number): void {
    this.#offset += ms;
  }

  /** Number of pending timers. */
  get pending(): number {
    return this.#timers.length;
  }

  /** Advances the clock and fires the due timers in order, with their consequences. */
  async advance(ms: number): Promise<void> {
    const end = this.#monotonic + ms;
    await settle();
    for (;;) {
      const due = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#monotonic = Math.max(this.#monotonic, due.at);
      due.fire();
      await settle();
    }
    this.#monotonic = end;
    await settle();
  }
}

/** Runs everything that waits only for its turn. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}
