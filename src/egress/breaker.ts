/** How a call ended, as the breaker sees it: a good answer, another answer of a living target, one that asks for patience, or none. */
export type Health = 'good' | 'alive' | 'busy' | 'unauthorised' | 'bad';

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
  begin(): void;
  /** @param counts false for the token endpoint, which says nothing of the rest. */
  end(operationId: string, health: Health, why: string, counts: boolean): void;
  trip(why: string): void;
  /** Runs a wait that the target asked for: it is no time in which the target owes an answer. Between `begin` and `end` of a call. */
  idle<T>(wait: () => Promise<T>): Promise<T>;
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
  let streak: { operationId: string; health: Health }[] = [];

  function trip(why: string): void {
    if (open !== null) return;
    open = why;
    clearTimeout(timer);
    controller.abort();
  }

  function pause(): void {
    clearTimeout(timer);
    left -= options.clock() - since;
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
    if (!answered && underWay === 0) pause();
  }

  return {
    get open() {
      return open;
    },
    signal: controller.signal,
    begin: start,
    end(operationId, health, why, counts) {
      stop();
      if (!counts) return;
      if (health !== 'bad' && !answered) {
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
      if (enough)
        trip(
          health === 'unauthorised'
            ? 'credentials or token are not accepted'
            : `the target as a whole ${health === 'busy' ? 'asks for patience' : 'fails'}: ${why}`,
        );
    },
    trip,
    async idle(wait) {
      stop();
      try {
        return await wait();
      } finally {
        start();
      }
    },
    close() {
      clearTimeout(timer);
    },
  };
}
