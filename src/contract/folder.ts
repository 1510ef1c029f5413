import { dirname, join, resolve } from 'node:path';
import { own, assumed as ownAssumed } from '../../generated/contract.ts';
import { ToolError } from '../errors.ts';
import { readChecked } from '../files/checked-file.ts';
import { packageRoot } from '../package-root.ts';
import { type Assumed, readAssumed } from './assumed.ts';

/** `contract.yaml` (`schemas/contract.schema.json`). What is left out is as {@link PARTS} has it. */
export interface ContractFile extends Partial<Record<keyof typeof PARTS, string>> {
  readonly contract: 1;
  readonly name: string;
  readonly rules?: Readonly<Record<string, string>>;
  readonly facts?: Readonly<Record<string, FactGroup>>;
}

/** What a configuration may state of one record, because the reference has no field that says so. */
export interface FactGroup {
  /** The path parameter that names the record. */
  readonly of: string;
  readonly members: Readonly<Record<string, FactMember>>;
}

/** What a configuration states, by group and member. */
export type Facts = Readonly<Record<string, Readonly<Record<string, boolean | string | number>>>>;

export interface FactMember {
  readonly type: 'boolean' | 'string' | 'number';
  /** The condition that holds when the fact is true. */
  readonly condition?: string;
  /** `currency`: limits count in it. */
  readonly role?: 'currency';
}

/** The parts of a contract folder, and where each lies unless `contract.yaml` says otherwise. */
export const PARTS = {
  spec: 'spec/openapi.yaml',
  assumptions: 'mocks/assumptions.overlay.yaml',
  entities: 'mocks/entities.yaml',
  seed: 'mocks/seed.yaml',
  profiles: 'mocks/profiles',
  scenarios: 'mocks/scenarios',
  hooks: 'mocks/hooks',
  suite: 'contracts',
} as const;

/** All that is said of one API, in one folder. Paths are absolute; what lies there may be missing, but for the spec. */
export interface ContractFolder extends Readonly<Record<keyof typeof PARTS, string>> {
  readonly dir: string;
  readonly name: string;
  /** True of the package's own, of which the most is compiled ahead. */
  readonly isOwn: boolean;
  /** What this contract calls rules of the engine, by their ids there. */
  readonly rules: Readonly<Record<string, string>>;
  readonly facts: Readonly<Record<string, FactGroup>>;
  readonly assumed: Assumed;
}

/** The package's own contract. */
export const ownFolder: ContractFolder = { ...partsOf(own, packageRoot), assumed: ownAssumed };

/**
 * Reads `contract.yaml` of a folder.
 *
 * @throws ToolError `file-missing` where the folder has none, `spec-invalid` with file, line and column where it does not hold.
 */
export async function readContractFolder(dir: string): Promise<ContractFolder> {
  const file = join(resolve(dir), 'contract.yaml');
  if (dirname(file) === packageRoot) return ownFolder;
  const { value } = await readChecked<ContractFile>(file, 'contract', 'spec-invalid').catch((error: unknown) => {
    if (!(error instanceof ToolError) || error.code !== 'file-missing') throw error;
    throw new ToolError('file-missing', `${file} does not exist.`, {
      hint: 'A contract folder has a contract.yaml at its root; docs/contracts.md says what stands in it.',
    });
  });
  const parts = partsOf(value, dirname(file));
  return { ...parts, assumed: await readAssumed(parts.entities) };
}

function partsOf(file: ContractFile, dir: string): Omit<ContractFolder, 'assumed'> {
  const { name, rules = {}, facts = {} } = file;
  const paths = Object.entries(PARTS).map(([part, path]) => [
    part,
    join(dir, file[part as keyof typeof PARTS] ?? path),
  ]);
  return { ...(Object.fromEntries(paths) as typeof PARTS), dir, name, isOwn: dir === packageRoot, rules, facts };
}
