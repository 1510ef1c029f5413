import { dirname, join } from 'node:path';
import { own, assumed as ownAssumed } from '../../generated/contract.ts';
import { modulePath, packageRoot } from '../package-root.ts';
import { type Assumed, type ContractFile, type FactGroup, PARTS } from './contract-file.ts';

/** Everything about one API, in one folder. Paths are absolute. Parts may be missing, except the spec. */
export interface ContractFolder extends Readonly<Record<keyof typeof PARTS, string>> {
  readonly dir: string;
  /** All files of the contract lie below this folder: `dir`, or a wider one from the user's configuration. */
  readonly root: string;
  /** `policy.yaml` beside `contract.yaml`: effects of operations. */
  readonly policy: string;
  readonly name: string;
  /** True if code of the folder runs in a process that reads only `root`. False for the code in the package. */
  readonly confined: boolean;
  /** True if the package exports schemas and validators for the folder's parts. */
  readonly published: boolean;
  /** True for one OpenAPI document: the folder around it is not part of the contract, and none of its code runs. */
  readonly isDocument: boolean;
  /** The document that was fetched from a URL. It refers to no file. */
  readonly fetched?: { readonly url: string; readonly text: string; readonly sha256: string };
  /** The contract's own names for rules, by the engine's ids. */
  readonly rules: Readonly<Record<string, string>>;
  readonly facts: Readonly<Record<string, FactGroup>>;
  readonly assumed: Assumed;
  readonly requires: readonly string[];
  /** Limit for each document; undefined for the default. */
  readonly maxValues: number | undefined;
}

/** Its code is built like this module. */
const { hooks, suite } = folderParts(own, dirname(modulePath('contract')));

/** The default contract: the folder that the package ships. */
export const ownFolder: ContractFolder = {
  ...folderParts(own, packageRoot),
  ...{ hooks, suite, confined: false, published: true },
  root: packageRoot,
  assumed: ownAssumed,
};

export function folderParts(file: ContractFile, dir: string): Omit<ContractFolder, 'assumed' | 'root'> {
  const { name, rules = {}, facts = {}, requires = [], maxValues } = file;
  const paths = Object.entries(PARTS).map(([part, path]) => [
    part,
    join(dir, file[part as keyof typeof PARTS] ?? path),
  ]);
  return {
    ...(Object.fromEntries(paths) as typeof PARTS),
    dir,
    policy: join(dir, 'policy.yaml'),
    name,
    confined: true,
    published: false,
    isDocument: false,
    rules,
    facts,
    requires,
    maxValues,
  };
}
