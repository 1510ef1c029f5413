import type { Store } from './store.ts';

/** The same store; tells when it begins to fail, once until it works again. */
export function telling(store: Store, tell: ((problem: string) => void) | undefined): Store {
  if (tell === undefined) return store;
  let told: string | null = null;
  const look = (): void => {
    if (store.problem !== null && told === null) tell(store.problem);
    told = store.problem;
  };
  return {
    transact(tenant, work) {
      let result: ReturnType<typeof work> | Promise<ReturnType<typeof work>>;
      try {
        result = store.transact(tenant, work) as typeof result;
      } finally {
        look();
      }
      if (result instanceof Promise) result.then(look, look);
      return result as never;
    },
    get problem() {
      return store.problem;
    },
    reset: () => store.reset(),
    close: () => store.close(),
  };
}
