import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type ContractFolder, ownFolder, readContractFolder } from '../../src/contract/folder.ts';
import { loadContract } from '../../src/contract/load.ts';
import { packageRoot } from '../../src/package-root.ts';
import { Naming } from './naming.ts';
import { renameDocument, renameOverlay } from './rename-document.ts';
import { renameContract, renameEntities, renameProfile } from './rename-mocks.ts';

/** Names that a contract shares with the engine. Each is a word of somebody else's, which the engine must know. */
const SHARED: Readonly<Record<string, string>> = {
  readOnly: 'a keyword of JSON Schema',
  getToken: 'the method of the token client, which is a promise to its users',
};

/** Every name of a contract, and the beginning of every path: whoever renames it must find them all. */
async function namesOf(folder: ContractFolder): Promise<{ words: readonly string[]; paths: readonly string[] }> {
  const naming = new Naming();
  const read = (file: string) => parse(readFileSync(file, 'utf8'));
  renameDocument(naming, (await loadContract({ root: folder.spec })).document);
  renameOverlay(naming, read(folder.assumptions));
  renameEntities(naming, read(folder.entities));
  renameContract(naming, read(join(folder.dir, 'contract.yaml')));
  naming.data(read(folder.seed));
  for (const file of readdirSync(folder.profiles)) renameProfile(naming, read(join(folder.profiles, file)));
  const { operations } = await loadContract({ root: folder.spec, overlays: [folder.assumptions] });
  const paths = operations.flatMap(({ path }) => (path === null ? [] : [path.split('/{')[0]?.split('/').slice(0, 3)]));
  return {
    words: naming.longNames(),
    paths: [...new Set(paths.map((segments) => segments?.join('/') ?? ''))],
  };
}

const sources = globSync(join(packageRoot, 'src/**/*.ts')).map((file) => ({
  file: relative(packageRoot, file),
  text: readFileSync(file, 'utf8'),
}));

const second = await readContractFolder(join(packageRoot, 'examples/second-api'));

describe('the engine names nothing of a contract, not even in a comment', () => {
  test.each([
    ['its own', ownFolder],
    ['the second API', second],
  ])('%s', async (_, folder) => {
    const { words, paths } = await namesOf(folder);
    expect(words.length).toBeGreaterThan(30);
    const own = new Set(words.filter((word) => !Object.hasOwn(SHARED, word)));
    const found = sources.flatMap(({ file, text }) =>
      [
        ...[...text.matchAll(/[A-Za-z][\w-]*/g)].map(([word]) => word).filter((word) => own.has(word)),
        ...paths.filter((path) => text.includes(path)),
      ].map((name) => `${file}: ${name}`),
    );
    expect([...new Set(found)]).toEqual([]);
  });

  test('and each word that they share is one of both', async () => {
    const { words } = await namesOf(ownFolder);
    const shared = Object.keys(SHARED).filter(
      (word) => !sources.some(({ text }) => text.includes(word)) || !words.includes(word),
    );
    expect(shared).toEqual([]);
  });
});
