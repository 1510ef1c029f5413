/**
 * What the code of a contract folder may import, as `banking-api-contract/contract`: its Pactum files (`contracts/*.contract.ts`) and
 * its hooks (`mocks/hooks/*.ts`).
 */

import type { StatedFacts } from '../../src/contract/contract-file.ts';
import type { SuiteInput, SuiteOperation } from '../../src/run/protocol.ts';
import { suite } from './suite.ts';

export type { StatedFacts as Facts } from '../../src/contract/contract-file.ts';
export type { Hook, HookInput } from '../../src/mock/state/hooks.ts';
export type { AttemptView, CheckOptions, SuiteOperation } from '../../src/run/protocol.ts';
export { shapeOf } from './shape.ts';
export { attempts, check, mock } from './suite.ts';

/** Rises when what is exported here changes in a way that a contract folder must follow. */
export const CONTRACT_API = 2;

/** Parameters of the run, percent-encoded for `withPathParams` and `withQueryParams`. */
export const parameters: SuiteInput['parameters'] = suite.parameters;

/** What the configuration states of records that it names, by the groups of `contract.yaml`. */
export const facts: StatedFacts = suite.facts;

/** Ids that play a role in the embedded mock, by the names of `mocks/entities.yaml`; none on any other target. */
export const roles: SuiteInput['roles'] = suite.roles;

/** An operation of the contract: its place, and the body of a good request. Throws for an id that the contract does not have. */
export function operation(operationId: string): SuiteOperation {
  const found = suite.operations.find((one) => one.operationId === operationId);
  if (found === undefined) throw new Error(`the contract has no operation ${operationId}`);
  return found;
}

/** What the reference documents of a resource, for `expectJsonSchema`. Throws for a name that it does not have. */
export function schema(name: string): object {
  const found = suite.schemas[name];
  if (found === undefined) throw new Error(`the contract does not document ${name}`);
  return found;
}
