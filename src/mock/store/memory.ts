import { type Base, CustomerRecords, Draft } from '../state/records.ts';
import type { Store } from './store.ts';

/** How many customers with changes are remembered: the one whose first change is the longest ago is forgotten. */
const MOST_CUSTOMERS = 10_000;

/** Keeps the records in this process, for as long as it lives. */
export function createMemoryStore(base: () => Base): Store {
  const customers = new Map<string, CustomerRecords>();
  // a customer without changes costs nothing, whoever asks
  const untouched = new CustomerRecords(base);
  return {
    transact(customerId, work) {
      const records = customers.get(customerId);
      const draft = new Draft(records ?? untouched);
      const result = work(draft);
      if (!draft.untouched) {
        const mine = records ?? new CustomerRecords(base);
        if (!records) {
          if (customers.size >= MOST_CUSTOMERS) customers.delete(customers.keys().next().value ?? '');
          customers.set(customerId, mine);
        }
        mine.apply(draft.changes);
      }
      return result;
    },
    reset: () => customers.clear(),
    close: () => {},
  };
}
