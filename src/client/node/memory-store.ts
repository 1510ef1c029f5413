import type { TokenStore } from '../token-store.ts';

/** A store in memory, for providers of one process. */
export function memoryStore(now: () => number = () => Date.now()): TokenStore {
  const entries = new Map<string, { readonly entry: string; readonly until: number }>();
  const locks = new Map<string, { readonly until: number }>();
  return {
    async get(key) {
      const found = entries.get(key);
      if (found !== undefined && found.until > now()) return found.entry;
      entries.delete(key);
      return null;
    },
    async set(key, entry, seconds) {
      entries.set(key, { entry, until: now() + seconds * 1000 });
    },
    async lock(key, seconds) {
      const held = locks.get(key);
      if (held !== undefined && held.until > now()) return null;
      const own = { until: now() + seconds * 1000 };
      locks.set(key, own);
      return async () => {
        if (locks.get(key) === own) locks.delete(key);
      };
    },
  };
}
