/**
 * The API for code in a contract folder, imported as `banking-api-contract/contract`: for Pactum files
 * (`contracts/*.contract.ts`) and hooks (`mocks/hooks/*.ts`).
 */

import type { StatedFacts } from '../../src/contract/contract-file.ts';
import type { SuiteInput, SuiteOperation } from '../../src/run/protocol.ts';
import { suite } from './suite.ts';

export type { StatedFacts as Facts } from '../../src/contract/contract-file.ts';
export type { Hook, HookInput } from '../../src/mock/state/hooks.ts';
export type { AttemptView, CheckOptions, SuiteOperation } from '../../src/run/protocol.ts';
export { shapeOf } from './shape.ts';
export { attempts, check, mock } from './suite.ts';

/** Increases if these exports change in a way that contract folders must follow. */
export const CONTRACT_API = 2;

/** Parameters of the run, percent-encoded for `withPathParams` and `withQueryParams`. */
export const parameters: SuiteInput['parameters'] = suite.parameters;

/** Facts that the configuration states about its records, by the groups of `contract.yaml`. */
export const facts: StatedFacts = suite.facts;

/** Ids with a role in the embedded mock, by the names of `mocks/entities.yaml`; empty for any other target. */
export const roles: SuiteInput['roles'] = suite.roles;

/** An operation of the contract: its path, and the body of a good request. Throws if the contract lacks the id. */
export function operation(operationId: string): SuiteOperation {
  const found = suite.operations.find((one) => one.operationId === operationId);
  if (found === undefined) throw new Error(`the contract has no operation ${operationId}`);
  return found;
}

/** The documented schema of a resource, for `expectJsonSchema`. Throws for an unknown name. */
export function schema(name: string): object {
  const found = suite.schemas[name] ?? {};
  if (Object.keys(found).length === 0) throw new Error(`the contract does not document ${name}`);
  return { ...found, $defs: suite.schemas };
}
