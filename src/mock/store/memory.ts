import { type Base, Draft, TenantRecords } from '../state/records.ts';
import type { Store } from './store.ts';

/** How many tenants with changes are remembered: the one whose first change is the longest ago is forgotten. */
const MOST_TENANTS = 10_000;

/** Keeps the records in this process, for as long as it lives. */
export function createMemoryStore(base: () => Base): Store {
  const tenants = new Map<string, TenantRecords>();
  // a tenant without changes costs nothing, whoever asks
  const untouched = new TenantRecords(base);
  return {
    transact(tenant, work) {
      const records = tenants.get(tenant);
      const draft = new Draft(records ?? untouched);
      const result = work(draft);
      if (!draft.untouched) {
        const mine = records ?? new TenantRecords(base);
        if (!records) {
          if (tenants.size >= MOST_TENANTS) tenants.delete(tenants.keys().next().value ?? '');
          tenants.set(tenant, mine);
        }
        mine.apply(draft.changes);
      }
      return result;
    },
    problem: null,
    reset: () => tenants.clear(),
    close: () => {},
  };
}
