/**
 * What the code of a contract folder may import, as `banking-api-contract/contract`: its checks (`contracts/*.contract.ts`) and its
 * hooks (`mocks/hooks/*.ts`).
 */

import type { StatedFacts } from '../../src/contract/contract-file.ts';
import type { SuiteOperation } from '../../src/run/protocol.ts';
import { suite } from './ask.ts';

export type { StatedFacts as Facts } from '../../src/contract/contract-file.ts';
export type { Hook, HookInput } from '../../src/mock/state/hooks.ts';
export type { CallSpec, CheckSpec, SuiteOperation } from '../../src/run/protocol.ts';
export type { Answer, Asker } from './ask.ts';
export { check, checksOf, expectThat } from './check.ts';

/** Rises when what is exported here changes in a way that a contract folder must follow. */
export const CONTRACT_API = 1;

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
