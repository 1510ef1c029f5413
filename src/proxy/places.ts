import type { Contract, Operation } from '../contract/contract.ts';
import { createMatcher } from '../contract/match.ts';

/** The operation of a request, with the values of its path parameters. */
export interface Spot {
  readonly operation: Operation;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Where requests belong in a contract. */
export interface Places {
  readonly contract: Contract;
  /** The operation of a request, or null. HEAD is a GET without the body. */
  spotOf(method: string, target: string): Spot | null;
}

export function placesOf(contract: Contract): Places {
  const match = createMatcher(contract.operations);
  return {
    contract,
    spotOf(method, target) {
      const found = match(method === 'HEAD' ? 'GET' : method, target);
      if (found?.kind !== 'operation') return null;
      // Whoever reads such a path next may see another one in it.
      if (Object.values(found.pathParameters).some((value) => /^\.{1,2}$|[/\\]/.test(value))) return null;
      return { operation: found.operation, parameters: found.pathParameters };
    },
  };
}
