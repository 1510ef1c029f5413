/**
 * What the code of a contract folder may import, as `banking-api-contract/contract`: its checks (`contracts/*.contract.ts`) and its
 * hooks (`mocks/hooks/*.ts`).
 */

export type { StatedFacts as Facts } from '../../src/contract/contract-file.ts';
export type { Hook, HookInput } from '../../src/mock/state/hooks.ts';
export type { CallSpec, CheckSpec, SuiteOperation } from '../../src/run/suite.ts';
export type { Answer, Asker } from './ask.ts';
export { check, checksOf, expectThat } from './check.ts';
export { facts, operation, operations, roles } from './suite.ts';

/** Rises when what is exported here changes in a way that a contract folder must follow. */
export const CONTRACT_API = 1;
