import { dirname, join, resolve } from 'node:path';
import { own, assumed as ownAssumed } from '../../generated/contract.ts';
import { ToolError } from '../errors.ts';
import { packageRoot } from '../package-root.ts';
import { type Assumed, assumedIn, type ContractFile, type FactGroup, PARTS } from './contract-file.ts';

/** All that is said of one API, in one folder. Paths are absolute; what lies there may be missing, but for the spec. */
export interface ContractFolder extends Readonly<Record<keyof typeof PARTS, string>> {
  readonly dir: string;
  /** Every file that the contract refers to lies below this folder: `dir`, or a wider one that the user's configuration names. */
  readonly root: string;
  readonly name: string;
  /** True of the package's own folder, most of which is compiled ahead. */
  readonly isOwn: boolean;
  /** What this contract calls rules of the engine, by their ids there. */
  readonly rules: Readonly<Record<string, string>>;
  readonly facts: Readonly<Record<string, FactGroup>>;
  readonly assumed: Assumed;
}

export const ownFolder: ContractFolder = { ...partsOf(own, packageRoot), root: packageRoot, assumed: ownAssumed };

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
    import('../files/checked-file.ts'),
    import('../files/read.ts'),
    import('./confine.ts'),
    import('../files/below.ts'),
  ]);
  const reading = realPathBelow(root, file).then(() => readChecked<ContractFile>(file, 'contract', PART));
  const { value } = await reading.catch((error: unknown) => {
    if (!(error instanceof ToolError) || error.code !== 'file-missing') throw error;
    throw new ToolError('file-missing', `${file} does not exist.`, {
      hint: 'A contract folder has a contract.yaml at its root; docs/contracts.md says what stands in it.',
    });
  });
  const parts = { ...partsOf(value, dirname(file)), root: resolve(root) };
  await confine(parts);
  // what else that file must hold is judged where all of it is read
  const entities = await unlessMissing(readPlaced(parts.entities, PART), { value: {} });
  return { ...parts, assumed: assumedIn(entities.value) };
}

function partsOf(file: ContractFile, dir: string): Omit<ContractFolder, 'assumed' | 'root'> {
  const { name, rules = {}, facts = {} } = file;
  const paths = Object.entries(PARTS).map(([part, path]) => [
    part,
    join(dir, file[part as keyof typeof PARTS] ?? path),
  ]);
  return { ...(Object.fromEntries(paths) as typeof PARTS), dir, name, isOwn: dir === packageRoot, rules, facts };
}
