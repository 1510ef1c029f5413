/**
 * Generates `src/validators/generated/` from the contract: `node scripts/generate-validators.ts`.
 * With `--check` it writes nothing and ends with 1 where a file is stale, missing or left over.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../src/package-root.ts';
import type { Contract } from '../src/spec/contract.ts';
import { emitAll, emitByName, emitValidator } from './generate/emit.ts';
import { componentSchemas, publishable } from './generate/schemas.ts';
import { emitTypes } from './generate/types.ts';

const FOLDER = join(packageRoot, 'src/validators/generated');

/** Every generated file with its text, the same for the same contract. */
export async function generateValidators(contract: Contract): Promise<ReadonlyMap<string, string>> {
  const all = componentSchemas(contract.document);
  const files = new Map<string, string>();
  for (const named of all) files.set(`${named.file}.ts`, await emitValidator(named, all));
  files.set('types.ts', await emitTypes(contract, all));
  files.set('all.ts', emitAll(all));
  files.set('by-name.ts', emitByName(all));
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

/** Names of the files in the folder that are not as they should be. */
export async function staleFiles(
  files: ReadonlyMap<string, string>,
  folder: string = FOLDER,
): Promise<readonly string[]> {
  const present = new Set(await readdir(folder).catch(() => []));
  const stale = [...present].filter((name) => !files.has(name));
  for (const [name, text] of files) {
    if (!present.has(name) || (await readFile(join(folder, name), 'utf8')) !== text) stale.push(name);
  }
  return stale.sort();
}

async function main(): Promise<void> {
  const { loadContract } = await import('../src/spec/load.ts');
  const files = await generateValidators(await loadContract());
  const stale = await staleFiles(files);
  if (process.argv.includes('--check')) {
    if (stale.length > 0) {
      process.stderr.write(
        `stale: ${stale.join(', ')}\nRun node scripts/generate-validators.ts and commit what it writes.\n`,
      );
      process.exitCode = 1;
    }
    return;
  }
  await mkdir(FOLDER, { recursive: true });
  for (const name of stale) {
    const text = files.get(name);
    if (text === undefined) await rm(join(FOLDER, name), { recursive: true });
    else await writeFile(join(FOLDER, name), text);
  }
  process.stderr.write(stale.length > 0 ? `written: ${stale.join(', ')}\n` : 'nothing to do\n');
}

if (import.meta.main) await main();
