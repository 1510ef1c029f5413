import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { loadContract } from '../../src/contract/load.ts';
import { packageRoot } from '../../src/package-root.ts';
import type { Named } from './journey.ts';
import { Naming } from './naming.ts';
import { renameDocument, renameOverlay } from './rename-document.ts';
import { renameContract, renameEntities, renameProfile, renameScenario } from './rename-mocks.ts';

export interface Renamed extends Named {
  /** The names of two or more words that stand in the copy no more. */
  readonly gone: readonly string[];
}

/** A renamed copy of the package's own contract, to be spoken of in the original names. */
export async function renamedCopy(folder: string, work: string): Promise<Renamed> {
  const naming = await writeRenamed(folder);
  return {
    folder,
    work,
    name: (name) => naming.of(name),
    data: (value) => naming.data(value),
    back: (text) => naming.back(text),
    gone: naming.longNames(),
  };
}

/**
 * Writes a copy of the package's own contract in which every path, operationId, parameter, field, tag, kind, enum word, condition and
 * prefix of an id is a nonsense word, the same one wherever it stands.
 *
 * @returns the words, so that what is said of the copy can be translated back.
 */
async function writeRenamed(to: string): Promise<Naming> {
  const read = async (file: string) => parse(await readFile(join(packageRoot, file), 'utf8'));
  const write = async (file: string, content: unknown): Promise<void> => {
    await mkdir(dirname(join(to, file)), { recursive: true });
    const text = typeof content === 'string' ? content : stringify(content, { aliasDuplicateObjects: false });
    await writeFile(join(to, file), text);
  };
  const all = async (folder: string): Promise<readonly string[]> =>
    (await readdir(join(packageRoot, folder))).map((name) => `${folder}/${name}`);

  const entities = await read('mocks/entities.yaml');
  const naming = new Naming(Object.keys(entities.kinds));
  await write('contract.yaml', renameContract(naming, await read('contract.yaml')));
  await write('spec/openapi.yaml', renameDocument(naming, (await loadContract()).document));
  await write('mocks/assumptions.overlay.yaml', renameOverlay(naming, await read('mocks/assumptions.overlay.yaml')));
  await write('mocks/entities.yaml', renameEntities(naming, entities));
  await write('mocks/seed.yaml', naming.data(await read('mocks/seed.yaml')));
  for (const file of await all('mocks/profiles')) await write(file, renameProfile(naming, await read(file)));
  for (const file of await all('mocks/scenarios')) await write(file, renameScenario(naming, await read(file)));
  for (const folder of ['mocks/hooks', 'contracts']) {
    for (const file of await all(folder)) {
      if (/\.[jt]s$/.test(file)) await write(file, renameCode(naming, await readFile(join(packageRoot, file), 'utf8')));
    }
  }
  // as in a project that has the package installed
  await mkdir(join(to, 'node_modules'), { recursive: true });
  await symlink(packageRoot, join(to, 'node_modules', 'banking-api-contract'), 'dir');
  return naming;
}

/** Words of one part that are the engine's in the code of a contract: of what a hook is given, and of what a check says. */
const OF_THE_ENGINE: ReadonlySet<string> = new Set([
  ...['from', 'limits', 'currencies', 'profile', 'number', 'record', 'sent', 'named', 'listed', 'decimals', 'random'],
  ...['calls', 'form', 'id', 'json', 'kind', 'method', 'parameters', 'purpose', 'query', 'skip', 'times'],
]);

/**
 * The code of a contract. Names of several words are renamed wherever they stand; those of one where they are a whole text, a key or
 * a member; and the hook of a rule is called as the rule is.
 */
function renameCode(naming: Naming, code: string): string {
  const named = (word: string): string => {
    if (OF_THE_ENGINE.has(word)) return word;
    if (naming.has(word)) return naming.of(word);
    const rule = word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return naming.has(rule) ? naming.of(rule) : word;
  };
  return code
    .replace(/(?<![\w-])[A-Za-z]+(?:[A-Z_][A-Za-z_]*)+(?![\w-])/g, named)
    .replace(/(?<=')(?:[a-z]+|[A-Z]+)(?=')/g, named)
    .replace(/(?<=[\w)]\??\.)[a-z]+(?!\w)/g, named)
    .replace(/(?<=[{,]\s*)[a-z]+(?=:)/g, named);
}
