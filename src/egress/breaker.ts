/** What a call says of the target: a good answer, another one, one that asks for patience, a refused token, or none that can be used. */
export type CallHealth = 'good' | 'alive' | 'busy' | 'unauthorised' | 'bad';

export interface BreakerOptions {
  /** Milliseconds that calls may be under way before anything but the token endpoint has answered. */
  readonly dead: number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Stops a run early when the target as a whole is out, so that it ends within seconds. */
export interface Breaker {
  /** Why no more calls are sent; null as long as they are. */
  readonly open: string | null;
  /** Aborted when the breaker opens. */
  readonly signal: AbortSignal;
  /** Does something in which the target owes an answer. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Waits within {@link during} because the target asked for it: it owes no answer in that time. */
  idle<T>(wait: () => Promise<T>): Promise<T>;
  /** Counts a call; those of the token endpoint say nothing of the rest. */
  note(operationId: string, health: CallHealth, why: string): void;
  trip(why: string): void;
  close(): void;
}

const STREAK_OF_A_DEAD_TARGET = 3;
const STREAK_OF_A_DYING_TARGET = 5;

export function createBreaker(options: BreakerOptions): Breaker {
  const controller = new AbortController();
  let open: string | null = null;
  let left = options.dead;
  let underWay = 0;
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  let answered = false;
  let good = false;
  let streak: { operationId: string; health: CallHealth }[] = [];

  function trip(why: string): void {
    if (open !== null) return;
    open = why;
    clearTimeout(timer);
    controller.abort();
  }

  function start(): void {
    underWay += 1;
    if (answered || open !== null || underWay > 1) return;
    since = options.clock();
    timer = setTimeout(() => trip('the target does not answer'), Math.max(0, left));
    timer.unref();
  }

  function stop(): void {
    underWay -= 1;
    if (answered || underWay > 0) return;
    clearTimeout(timer);
    left -= options.clock() - since;
  }

  return {
    get open() {
      return open;
    },
    signal: controller.signal,
    async during(work) {
      start();
      return work().finally(stop);
    },
    async idle(wait) {
      stop();
      return wait().finally(start);
    },
    note(operationId, health, why) {
      if (health !== 'bad') {
        answered = true;
        clearTimeout(timer);
      }
      if (health === 'good' || health === 'alive') {
        good ||= health === 'good';
        streak = [];
        return;
      }
      streak.push({ operationId, health });
      const same = streak.filter((entry) => entry.health === health);
      const operations = new Set(same.map((entry) => entry.operationId)).size;
      const enough = good
        ? same.length >= STREAK_OF_A_DYING_TARGET && operations > 1
        : same.length >= STREAK_OF_A_DEAD_TARGET;
      if (!enough) return;
      if (health === 'unauthorised') trip('credentials or token are not accepted');
      else trip(`the target as a whole ${health === 'busy' ? 'asks for patience' : 'fails'}: ${why}`);
    },
    trip,
    close() {
      clearTimeout(timer);
    },
  };
}
