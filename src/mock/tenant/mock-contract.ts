import type { Contract, OverlaySource } from '../../contract/contract.ts';
import { type ContractFolder, ownFolder } from '../../contract/folder.ts';
import type { MockOptions } from '../mock.ts';
import { isName } from './named-file.ts';

type ContractOptions = Pick<
  MockOptions,
  'contract' | 'folder' | 'overlays' | 'signal' | 'seed' | 'lists' | 'seedData' | 'stateless'
>;

/** Contracts that no option changes, by their folders. */
const plain = new WeakMap<ContractFolder, Promise<Contract>>();

/**
 * The contract of {@link loadMockContract}, or the given one. A process reads a folder once.
 * @param again The files may have changed.
 */
export async function mockContract(options: ContractOptions, again: boolean): Promise<Contract> {
  const { contract, folder = ownFolder, signal } = options;
  if (contract !== undefined) return contract;
  // an interrupted load must not fail another mock
  if (signal !== undefined || changesContract(options)) return loadMockContract(options);
  const loading = (again ? undefined : plain.get(folder)) ?? loadMockContract(options);
  plain.set(folder, loading);
  loading.catch(() => plain.delete(folder));
  return loading;
}

export function changesContract(options: ContractOptions): boolean {
  return (options.overlays ?? []).length > 0 || hasUsualLists(options);
}

/** A named seed has more records than a page shows. Without state, no parameter would have an effect. */
function hasUsualLists({ lists, seedData, stateless }: ContractOptions): boolean {
  if (stateless) return false;
  if (lists !== undefined) return lists === 'usual';
  return typeof seedData === 'string' && seedData !== 'default' && isName(seedData);
}

/**
 * The mock's contract: the spec, the assumptions, the given overlays, examples in the shapes of any recordings, and the
 * usual parameters of lists if they are wanted.
 */
export async function loadMockContract(options: ContractOptions): Promise<Contract> {
  const { loadMerged } = await import('../../learn/load-merged.ts');
  const { folder = ownFolder, signal } = options;
  const load = { folder, assumed: true, ...(signal && { signal }) };
  let overlays = options.overlays ?? [];
  let contract = await loadMerged({ ...load, overlays });
  const add = async (overlay: OverlaySource | null): Promise<void> => {
    if (overlay === null) return;
    overlays = [...overlays, overlay];
    contract = await loadMerged({ ...load, overlays });
  };
  if (overlays.length > 0) {
    const { recordedExamples } = await import('../compile/recorded-examples.ts');
    await add(recordedExamples(contract, options.seed ?? 1));
  }
  if (hasUsualLists(options)) {
    const { usualLists } = await import('./usual-lists.ts');
    await add(await usualLists(contract));
  }
  return contract;
}
