import type { Clock } from '../../src/client/client.ts';

interface Timer {
  readonly at: number;
  readonly fire: () => void;
}

/** A clock that moves only when told to. Both its clocks start at odd values, so that nobody mistakes one for the other. */
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

  /** Only the wall clock goes on, as while a laptop sleeps. */
  suspend(ms: number): void {
    this.#offset += ms;
  }

  /** Number of timers that wait. */
  get pending(): number {
    return this.#timers.length;
  }

  /** Moves on, firing what is due in its order, with all that follows from it. */
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

/** Lets everything run that waits for nothing but its turn. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}
