import { compiledContract } from '../../../src/mock/pipeline/compiled-contract.ts';

/** The default contract as a mock of it has it. */
export const { plan, parts } = await compiledContract({}, false);
