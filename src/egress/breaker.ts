import type { CallRequest } from '../model/call.ts';

/** Result of a call: good answer, other answer, request to wait, rejected token, or nothing usable. */
export type CallHealth = 'good' | 'alive' | 'busy' | 'unauthorised' | 'bad';

export interface BreakerOptions {
  /** Milliseconds after the first request in which anything but the token endpoint must have answered. */
  readonly dead: number;
  /** The service behind an operation; a single service by default. */
  readonly serviceOf?: (operationId: string) => string;
  /** Good calls of reads that this run can make, even if it has not made them yet. */
  readonly reads: readonly CallRequest[];
}

const STREAK_OF_A_DEAD_SERVICE = 3;
const STREAK_OF_A_DYING_SERVICE = 5;

interface Service {
  readonly name: string;
  good: boolean;
  streak: { readonly operationId: string; readonly health: CallHealth }[];
  out: string | null;
}

export type Breaker = ReturnType<typeof createBreaker>;

/** Stops calls to a service that is down, and ends the run within seconds if the whole target is down. */
export function createBreaker({ dead, serviceOf = () => '', reads }: BreakerOptions) {
  const controller = new AbortController();
  const known = new Map<string, Service>();
  let timer: NodeJS.Timeout | undefined;
  let answered = false;

  const whyOpen = (): string | null => controller.signal.reason ?? null;

  function trip(why: string): void {
    clearTimeout(timer);
    controller.abort(why);
  }

  function serviceFor(operationId: string): Service {
    const name = serviceOf(operationId);
    const service = known.get(name) ?? { name, good: false, streak: [], out: null };
    known.set(name, service);
    return service;
  }

  /** True if every service that can be called fails in two operations, or in its only one. */
  function isAllFailing(): boolean {
    const callable = Map.groupBy(reads, ({ operationId }) => serviceOf(operationId));
    return [...callable.keys(), ...known.keys()].every((name) => {
      const { out = null, streak = [] } = known.get(name) ?? {};
      const failing = new Set(streak.map(({ operationId }) => operationId)).size;
      return out !== null || failing >= Math.min(2, callable.get(name)?.length ?? 1);
    });
  }

  function give(service: Service, why: string): void {
    service.out ??= `${service.name === '' ? 'the target' : `the service ${service.name}`} ${why}`;
    if (isAllFailing()) trip(`the target ${why}`);
  }

  return {
    serviceOf,
    reads,
    /** Why no more calls are sent; null while calls are sent. */
    get open() {
      return whyOpen();
    },
    /** Aborted when the breaker opens. */
    signal: controller.signal as AbortSignal,
    /** Why no more calls of an operation are sent: its service or the whole target is down. */
    openFor: (operationId: string): string | null => whyOpen() ?? known.get(serviceOf(operationId))?.out ?? null,
    /** Starts the time limit for a dead target. Not for token requests. */
    asked(): void {
      if (answered || controller.signal.aborted) return;
      timer ??= setTimeout(() => trip('the target does not answer'), dead).unref();
    },
    heard(): void {
      answered = true;
      clearTimeout(timer);
    },
    /**
     * Counts a call. Not for token requests, which say nothing about the rest of the target.
     *
     * @param why behaviour of the target: `answers 503 to everything`
     */
    note(operationId: string, health: CallHealth, why: string): void {
      const service = serviceFor(operationId);
      if (health === 'good' || health === 'alive') {
        service.good ||= health === 'good';
        service.streak = [];
        return;
      }
      service.streak.push({ operationId, health });
      if (isOut(service, health)) give(service, why);
      // if all other services are down, two bad operations of the last one are enough
      else if ([...known.values()].some(({ out }) => out !== null) && isAllFailing()) trip(`the target ${why}`);
    },
    shut: (operationId: string, why: string): void => give(serviceFor(operationId), why),
    trip,
  };
}

/** Whether a service has failed often enough. If there are several services, one failing operation is not enough. */
function isOut({ name, good, streak }: Service, health: CallHealth): boolean {
  const same = streak.filter((entry) => entry.health === health);
  const operations = new Set(same.map((entry) => entry.operationId)).size;
  if (good) return same.length >= STREAK_OF_A_DYING_SERVICE && operations > 1;
  return same.length >= STREAK_OF_A_DEAD_SERVICE && (operations > 1 || name === '');
}
