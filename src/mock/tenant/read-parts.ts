import type { Contract } from '../../contract/contract.ts';
import type { ContractFolder } from '../../contract/folder.ts';
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
import { hooksOf } from './read-hooks.ts';
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

type SeedFolder = Pick<ContractFolder, 'confined' | 'published' | 'root'>;

/** True for a seed module that runs in this process: code of the folder does, or it is not below the folder. */
export function isUnconfined({ confined, root }: SeedFolder, file: string): boolean {
  return SEED_MODULE.test(file) && (!confined || !isInside(root, file));
}

/** Reads the seed of a folder, or a given one. */
export async function folderSeed(folder: SeedFolder & { readonly seed: string }, entities: Entities): Promise<Seed> {
  const { seed: file, root } = folder;
  if (!SEED_MODULE.test(file) || isUnconfined(folder, file)) return readSeed(file, entities, folder);
  const { foreignSeed } = await import('./foreign-code.ts');
  return heldSeed(await foreignSeed(root, file), entities, folder, async (pointer) => ({ file, pointer }));
}

export async function partsOfContract(contract: Contract): Promise<Parts> {
  return readParts(contract.folder, contract, await hooksOf(contract.folder));
}
