/** What a call says of the target: a good answer, another one, one that asks for patience, a refused token, or none that can be used. */
export type CallHealth = 'good' | 'alive' | 'busy' | 'unauthorised' | 'bad';

export interface BreakerOptions {
  /** Milliseconds after the first request in which anything but the token endpoint must have answered. */
  readonly dead: number;
  /** The service behind an operation; one for all by default. */
  readonly serviceOf?: (operationId: string) => string;
  /** Services that this run can ask; those that were asked by default. */
  readonly services?: () => ReadonlySet<string>;
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

/** Stops asking a service that is out, and ends a run early when the target as a whole is, so that it ends within seconds. */
export function createBreaker(options: BreakerOptions) {
  const { serviceOf = () => '' } = options;
  const controller = new AbortController();
  const known = new Map<string, Service>();
  let open: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  let answered = false;

  function trip(why: string): void {
    if (open !== null) return;
    open = why;
    clearTimeout(timer);
    controller.abort();
  }

  function serviceFor(operationId: string): Service {
    const name = serviceOf(operationId);
    const service = known.get(name) ?? { name, good: false, streak: [], out: null };
    known.set(name, service);
    return service;
  }

  /** True where nothing that can be asked has answered since it began to fail. */
  function isAllFailing(): boolean {
    const names = new Set(options.services?.() ?? []).union(new Set(known.keys()));
    return [...names].every((name) => {
      const service = known.get(name);
      return service !== undefined && (service.out !== null || service.streak.length > 0);
    });
  }

  function give(service: Service, why: string): void {
    service.out ??= `${service.name === '' ? 'the target' : `the service ${service.name}`} ${why}`;
    if (isAllFailing()) trip(`the target ${why}`);
  }

  return {
    /** Why no more calls are sent; null as long as they are. */
    get open() {
      return open;
    },
    /** Aborted when the breaker opens. */
    signal: controller.signal as AbortSignal,
    /** Why no more calls of an operation are sent: its service is out, or the target as a whole. */
    openFor: (operationId: string): string | null => open ?? known.get(serviceOf(operationId))?.out ?? null,
    /** The target was asked for something beside a token. */
    asked(): void {
      if (answered || open !== null) return;
      timer ??= setTimeout(() => trip('the target does not answer'), options.dead).unref();
    },
    heard(): void {
      answered = true;
      clearTimeout(timer);
    },
    /**
     * Counts a call; those of the token endpoint say nothing of the rest.
     *
     * @param why what the target does: `answers 503 to everything`
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
      // One bad call of the last service is enough where the others are out already.
      else if ([...known.values()].some(({ out }) => out !== null) && isAllFailing()) trip(`the target ${why}`);
    },
    shut: (operationId: string, why: string): void => give(serviceFor(operationId), why),
    trip,
    close(): void {
      clearTimeout(timer);
    },
  };
}

/** Whether a service has failed often enough; one operation alone is no service where there are several. */
function isOut({ name, good, streak }: Service, health: CallHealth): boolean {
  const same = streak.filter((entry) => entry.health === health);
  const operations = new Set(same.map((entry) => entry.operationId)).size;
  if (good) return same.length >= STREAK_OF_A_DYING_SERVICE && operations > 1;
  return same.length >= STREAK_OF_A_DEAD_SERVICE && (operations > 1 || name === '');
}
