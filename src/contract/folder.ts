import { join } from 'node:path';
import { own, assumed as ownAssumed } from '../../generated/contract.ts';
import { packageRoot } from '../package-root.ts';
import { type Assumed, type ContractFile, type FactGroup, PARTS } from './contract-file.ts';

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
  readonly requires: readonly string[];
  /** Of each document; undefined for the default. */
  readonly maxValues: number | undefined;
}

export const ownFolder: ContractFolder = { ...folderParts(own, packageRoot), root: packageRoot, assumed: ownAssumed };

export function folderParts(file: ContractFile, dir: string): Omit<ContractFolder, 'assumed' | 'root'> {
  const { name, rules = {}, facts = {}, requires = [], maxValues } = file;
  const paths = Object.entries(PARTS).map(([part, path]) => [
    part,
    join(dir, file[part as keyof typeof PARTS] ?? path),
  ]);
  return {
    ...(Object.fromEntries(paths) as typeof PARTS),
    dir,
    name,
    isOwn: dir === packageRoot,
    rules,
    facts,
    requires,
    maxValues,
  };
}
