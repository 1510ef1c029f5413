import { dirname, join, resolve } from 'node:path';
import { ToolError } from '../errors.ts';
import { packageRoot } from '../package-root.ts';
import { assumedIn, type ContractFile } from './contract-file.ts';
import { type ContractFolder, folderParts, ownFolder } from './folder.ts';

/**
 * Reads `contract.yaml` of a folder.
 *
 * @param root a folder around it, below which everything that the contract refers to has to lie; the contract folder by default
 * @throws ToolError `file-missing` if the folder has none; `spec-invalid` if it does not hold or a part lies outside `root`.
 */
export async function readContractFolder(dir: string, root: string = dir): Promise<ContractFolder> {
  const file = join(resolve(dir), 'contract.yaml');
  if (dirname(file) === packageRoot) return ownFolder;
  // here and not above: the mock of the package's own contract starts without them
  const [{ readChecked, readPlaced }, { PART, unlessMissing }, { confine }, { realPathBelow }] = await Promise.all([
    import('./checked-file.ts'),
    import('../files/read.ts'),
    import('./confine.ts'),
    import('../files/containment.ts'),
  ]);
  const reading = realPathBelow(root, file).then(() => readChecked<ContractFile>(file, 'contract', PART));
  const { value } = await reading.catch((error: unknown) => {
    if (!(error instanceof ToolError) || error.code !== 'file-missing') throw error;
    throw new ToolError('file-missing', `${file} does not exist.`, {
      hint: 'A contract folder has a contract.yaml at its root; docs/contracts.md describes it.',
    });
  });
  const parts = { ...folderParts(value, dirname(file)), root: resolve(root) };
  await confine(parts);
  // what else that file must hold is judged where all of it is read
  const entities = await unlessMissing(readPlaced(parts.entities, PART), { value: {} });
  return { ...parts, assumed: assumedIn(entities.value) };
}
