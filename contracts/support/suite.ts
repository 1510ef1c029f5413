import { inject } from 'vitest';
import type { StatedFacts } from '../../src/contract/contract-file.ts';
import type { SuiteInput, SuiteOperation } from '../../src/run/suite.ts';

/** What the run says of itself. */
export const suite: SuiteInput = inject('suite');

/** Every operation, in the order of the contract. */
export const operations: readonly SuiteOperation[] = suite.operations;

/** What the configuration states of records that it names, by the groups of `contract.yaml`. */
export const facts: StatedFacts = suite.facts;

/** Ids that play a role in the embedded mock, by the names of `mocks/entities.yaml`; none on any other target. */
export const roles: Readonly<Record<string, string>> = suite.roles;

/** An operation of the contract. An unknown id is a mistake in a contract file. */
export function operation(operationId: string): SuiteOperation {
  const found = operations.find((one) => one.operationId === operationId);
  if (found === undefined) throw new Error(`the contract has no operation ${operationId}`);
  return found;
}
