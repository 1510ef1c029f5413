import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Contract } from '../../contract/contract.ts';
import type { ContractFolder } from '../../contract/folder.ts';
import { ToolError } from '../../errors.ts';
import { isInside } from '../../files/containment.ts';
import { unlessMissing } from '../../files/read.ts';
import { compileEntities } from '../state/compile-entities.ts';
import type { Entities } from '../state/entities.ts';
import { readEntities } from '../state/entities-file.ts';
import { exampleRecords } from '../state/example-records.ts';
import type { Hooks } from '../state/hooks.ts';
import { inferEntities } from '../state/infer-entities.ts';
import { firstRecords } from './initial-records.ts';
import type { Parts } from './parts.ts';
import { defaultsOf, readDefaultProfile } from './profile.ts';
import { heldSeed, readSeed, SEED_MODULE } from './read-seed.ts';
import type { Seed } from './seed.ts';

/** The parts of a contract folder. Missing parts are empty. */
export async function readParts(folder: ContractFolder, contract: Contract, hooks: Hooks): Promise<Parts> {
  const read = await unlessMissing(readEntities(folder.entities, contract, Object.keys(hooks)), null);
  const { file, faults } = read ?? { file: inferEntities(contract), faults: [] };
  if (faults[0]) throw faults[0];
  const entities = compileEntities(file, contract);
  const engine = defaultsOf(contract);
  const profile = await unlessMissing(readDefaultProfile(folder, engine), engine);
  const parts = { folder, entities, hooks, profile };
  const seed = await unlessMissing(folderSeed(folder, entities), null);
  return { ...parts, seed: seed ?? firstRecords(parts, file.usualNames ? exampleRecords(contract, entities) : {}) };
}

type SeedFolder = Pick<ContractFolder, 'isOwn' | 'root'>;

/** True for a seed module that is not confined: it is the package's own, or not below the contract folder. */
export function isUnconfined({ isOwn, root }: SeedFolder, file: string): boolean {
  return SEED_MODULE.test(file) && (isOwn || !isInside(root, file));
}

/** Reads the seed of a folder, or a given one. A module below another folder than the package's own runs confined. */
export async function folderSeed(folder: SeedFolder & { readonly seed: string }, entities: Entities): Promise<Seed> {
  const { seed: file, isOwn, root } = folder;
  if (!SEED_MODULE.test(file) || isUnconfined(folder, file)) return readSeed(file, entities, isOwn);
  const { foreignSeed } = await import('./foreign-code.ts');
  return heldSeed(await foreignSeed(root, file), entities, isOwn, async (pointer) => ({ file, pointer }));
}

/**
 * All exports of the modules in the package's own folder.
 * @throws ToolError `spec-invalid` for a module that cannot be loaded.
 */
export async function readHooks(folder: string): Promise<Hooks> {
  return Object.assign({}, ...(await Promise.all((await hookFiles(folder)).map(readModule)))) as Hooks;
}

export async function hookFiles(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch(() => []);
  return files.filter((file) => /(?<!\.d)\.(?:[jt]s|mjs)$/.test(file)).map((file) => join(folder, file));
}

async function readModule(file: string): Promise<Hooks> {
  try {
    return (await import(pathToFileURL(file).href)) as Hooks;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError('spec-invalid', `The hooks cannot be loaded: ${reason}`, { place: { file }, cause });
  }
}

/**
 * The parts of a contract. The package's own parts are compiled ahead; only the effects of overlays are compiled anew.
 * @param again The files may have changed since they were compiled ahead.
 */
export async function partsOfContract(contract: Contract, again = false): Promise<Parts> {
  const { folder } = contract;
  if (!folder.isOwn) {
    const files = await hookFiles(folder.hooks);
    const code = { root: folder.root, files };
    const hooks = files.length === 0 ? {} : await (await import('./foreign-code.ts')).foreignHooks(code);
    return readParts(folder, contract, hooks);
  }
  const { parts } = await import('../../../generated/mock/parts.ts');
  // its hook modules are loaded only once
  if (again) return readParts(folder, contract, parts.hooks);
  return { ...parts, entities: compileEntities(parts.entities.file, contract) };
}
