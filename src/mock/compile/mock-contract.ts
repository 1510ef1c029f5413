import type { Contract } from '../../contract/contract.ts';
import { ownFolder } from '../../contract/folder.ts';
import type { MockOptions } from '../mock.ts';

type ContractOptions = Pick<MockOptions, 'contract' | 'folder' | 'overlays' | 'signal' | 'seed'>;

export function isPrepared({ contract, folder = ownFolder, overlays = [] }: ContractOptions): boolean {
  return contract === undefined && folder.isOwn && overlays.length === 0;
}

/** The mock's contract: the spec, the assumptions, the given overlays, and examples in the shapes of any recordings. */
export async function loadMockContract(options: ContractOptions): Promise<Contract> {
  const { loadMerged } = await import('../../learn/load-merged.ts');
  const { folder = ownFolder, overlays = [], signal } = options;
  const load = { folder, assumed: true, ...(signal && { signal }) };
  const contract = await loadMerged({ ...load, overlays });
  if (overlays.length === 0) return contract;
  const { recordedExamples } = await import('../compile/recorded-examples.ts');
  const examples = recordedExamples(contract, options.seed ?? 1);
  return examples === null ? contract : loadMerged({ ...load, overlays: [...overlays, examples] });
}
