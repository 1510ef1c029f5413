import { Draft, type RecordChange, type StartRecords, TenantRecords } from '../state/records.ts';
import type { BaseOf, Store } from './store.ts';

/** How many tenants with changes are stored. Beyond it, the tenant whose first change is oldest is dropped. */
const MOST_TENANTS = 10_000;

export function createMemoryStore(base: BaseOf): Store {
  const tenants = new Map<string, TenantRecords>();
  return {
    transact: inMemory(tenants, base, (tenant) => {
      if (tenants.size >= MOST_TENANTS && !tenants.has(tenant)) tenants.delete(tenants.keys().next().value ?? '');
    }),
    problem: null,
    tenants: () => [...tenants.keys()].sort(),
    reset: (tenant) => forgetIn(tenants, tenant),
    close: () => {},
  };
}

/** Works on records in memory. Changes apply after `keep` has returned without an error. */
export function inMemory(
  tenants: Map<string, TenantRecords>,
  base: BaseOf,
  keep: (tenant: string, changes: readonly RecordChange[]) => void,
): <T>(tenant: string, work: (draft: Draft) => T) => T {
  // a tenant without changes needs no memory, however often it is read
  const untouched = new WeakMap<StartRecords, TenantRecords>();
  const untouchedOf = (start: StartRecords): TenantRecords => {
    const known = untouched.get(start) ?? new TenantRecords(() => start);
    untouched.set(start, known);
    return known;
  };
  return (tenant, work) => {
    const records = tenants.get(tenant);
    const draft = new Draft(records ?? untouchedOf(base(tenant)));
    const result = work(draft);
    if (draft.untouched) return result;
    const { changes } = draft;
    keep(tenant, changes);
    const mine = records ?? new TenantRecords(() => base(tenant));
    if (!records) tenants.set(tenant, mine);
    mine.apply(changes);
    return result;
  };
}

export function forgetIn(tenants: Map<string, TenantRecords>, tenant: string | undefined): void {
  if (tenant === undefined) tenants.clear();
  else tenants.delete(tenant);
}
