import type { Contract } from '../spec/contract.ts';
import { type Parts, readHooks, readParts } from './parts.ts';
import { compileEntities } from './state/compile-entities.ts';

/**
 * The parts of a contract. Those of the package's own come prepared; what follows from overlays is worked out anew.
 * @param again The files may have changed since they were compiled ahead.
 */
export async function partsOf(contract: Contract, again = false): Promise<Parts> {
  const { folder } = contract;
  if (!folder.isOwn) return readParts(folder, contract, await readHooks(folder.hooks));
  const { parts } = await import('../../generated/mock/parts.ts');
  // the code of its hooks is loaded once
  if (again) return readParts(folder, contract, parts.hooks);
  return { ...parts, entities: compileEntities(parts.entities.file, contract) };
}
