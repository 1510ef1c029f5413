import { inject } from 'vitest';
import type { SuiteInput, SuiteOperation } from '../../src/runner/suite.ts';

/** What the run says of itself and of the target. */
export const suite: SuiteInput = inject('suite');

const byId = new Map(suite.operations.map((operation) => [operation.operationId, operation]));

/** An operation of the contract. An unknown id is a mistake in a contract file. */
export function operation(operationId: string): SuiteOperation {
  const found = byId.get(operationId);
  if (found === undefined) throw new Error(`the contract has no operation ${operationId}`);
  return found;
}

/** Every operation, in the order of the contract. */
export const operations: readonly SuiteOperation[] = suite.operations;
