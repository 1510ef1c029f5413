import type { Contract } from './contract.ts';

/** Finds out each thing of a contract once: a contract never changes. */
export function remembered<T>(
  find: (contract: Contract, about: string) => T,
): (contract: Contract, about: string) => T {
  const found = new WeakMap<Contract, Map<string, T>>();
  return (contract, about) => {
    const known = found.get(contract) ?? new Map<string, T>();
    found.set(contract, known);
    const before = known.get(about);
    if (before !== undefined) return before;
    const fresh = find(contract, about);
    known.set(about, fresh);
    return fresh;
  };
}
