/**
 * Generates `generated/validators/` from the contract: `node scripts/generate-validators.ts`.
 * With `--check` it writes nothing and ends with 1 where a file is stale, missing or left over.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Contract } from '../src/spec/contract.ts';
import { loadContract } from '../src/spec/load.ts';
import { emitAll, emitByName, emitValidator } from './generate/emit.ts';
import { componentSchemas, publishable } from './generate/schemas.ts';
import { type Files, settle } from './generate/settle.ts';
import { emitTypes } from './generate/types.ts';

/** Every generated file with its text, the same for the same contract. */
export async function generateValidators(contract: Contract): Promise<Files> {
  const all = componentSchemas(contract.document);
  const files: Record<string, string> = {};
  for (const named of all) files[`${named.file}.ts`] = await emitValidator(named, all);
  files['types.ts'] = await emitTypes(contract, all);
  files['all.ts'] = emitAll(all);
  files['by-name.ts'] = emitByName(all);
  return files;
}

/** Writes each schema as a JSON Schema of its own, `<folder>/card.json` and so on. Part of the build. */
export async function writeSchemas(contract: Contract, folder: string): Promise<void> {
  const all = componentSchemas(contract.document);
  await mkdir(folder, { recursive: true });
  for (const named of all) {
    await writeFile(join(folder, `${named.file}.json`), `${JSON.stringify(publishable(named, all), null, 2)}\n`);
  }
}

if (import.meta.main) {
  await settle('generate-validators.ts', 'generated/validators', await generateValidators(await loadContract()));
}
