/**
 * Replaces the module of the same name in the bundle for browsers. The default contract was compiled by the build; any
 * other is compiled in the page, as in Node.
 */
import { ownFolder } from '../../src/contract/folder.ts';
import type { MockOptions } from '../../src/mock/mock.ts';
import { type CompiledContract, compiledContract as compile } from '../../src/mock/pipeline/compiled-contract.ts';
import { changesContract, mockContract } from '../../src/mock/tenant/mock-contract.ts';

export async function compiledContract(options: MockOptions, again: boolean): Promise<CompiledContract> {
  const { contract, folder = ownFolder } = options;
  if (again || contract !== undefined || folder !== ownFolder || changesContract(options))
    return compile(options, again);
  // @ts-expect-error made by the bundler
  const made = (await import('embedded:compiled')) as Pick<CompiledContract, 'plan' | 'parts' | 'validators'>;
  // the tests of the mock show that these answers need no more than the plan
  return { ...made, contract: () => mockContract(options, false), whole: undefined };
}
