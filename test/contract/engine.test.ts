import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type ContractFolder, ownFolder } from '../../src/contract/folder.ts';
import { loadContract } from '../../src/contract/load.ts';
import { readContractFolder } from '../../src/contract/read-folder.ts';
import { packageRoot } from '../../src/package-root.ts';

/** Names shared by a contract and the engine, with the reason why the engine uses them. */
const SHARED: Readonly<Record<string, string>> = {
  readOnly: 'a keyword of JSON Schema',
  getToken: 'the method of the token client, which is a promise to its users',
  grant_type: 'a member of RFC 6749',
  client_id: 'a member of RFC 6749',
  client_secret: 'a member of RFC 6749',
  access_token: 'a member of RFC 6749',
  token_type: 'a member of RFC 6749',
  expires_in: 'a member of RFC 6749',
};

/** Maps whose keys come from a contract. */
const MAPS_OF_NAMES = 'properties schemas parameters pathItems webhooks kinds fields roles facts'.split(' ');
/** Members whose values come from a contract. */
const MEMBERS_OF_NAMES = ['operationId', 'name', 'tags', 'required', 'enum', 'refuses', 'emits', 'guard', 'hook', 'of'];

/** All names that a document chooses: keys of maps, and values of members that contain names. */
function namesIn(node: unknown, within = ''): string[] {
  if (typeof node === 'string') return MEMBERS_OF_NAMES.includes(within) ? [node] : [];
  if (Array.isArray(node)) return node.flatMap((item) => namesIn(item, within));
  if (typeof node !== 'object' || node === null) return [];
  const keys = MAPS_OF_NAMES.includes(within) ? Object.keys(node) : [];
  return [...keys, ...Object.entries(node).flatMap(([key, child]) => namesIn(child, key))];
}

/** All contract names of two or more words, and the first segments of all paths. */
async function namesOf(folder: ContractFolder): Promise<{ words: readonly string[]; paths: readonly string[] }> {
  const read = (file: string) => parse(readFileSync(file, 'utf8'));
  const { document, operations } = await loadContract({ root: folder.spec, overlays: [folder.assumptions] });
  const { properties: settings } = read(join(packageRoot, 'schemas/profile.schema.json'));
  const profiles = readdirSync(folder.profiles)
    .flatMap((file) => Object.keys(read(join(folder.profiles, file))))
    .filter((name) => !Object.hasOwn(settings, name));
  const seed = namesIn({ properties: read(folder.seed) });
  const names = [document, read(folder.entities), read(join(folder.dir, 'contract.yaml'))].flatMap((file) =>
    namesIn(file),
  );
  const long = [...names, ...seed, ...profiles].filter((name) => /^\w+$/.test(name) && /[a-z][A-Z]|\w_\w/.test(name));
  const starts = operations.flatMap(({ path }) => path?.split('/{')[0]?.split('/').slice(0, 3).join('/') ?? []);
  return { words: [...new Set(long)], paths: [...new Set(starts)] };
}

const sources = globSync(join(packageRoot, 'src/**/*.ts')).map((file) => ({
  file: relative(packageRoot, file),
  text: readFileSync(file, 'utf8'),
}));

const second = await readContractFolder(join(packageRoot, 'examples/second-api'));

describe('the engine contains no name of a contract, not even in a comment', () => {
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

  test('each shared name is used by a contract and by the engine', async () => {
    const words = [...(await namesOf(ownFolder)).words, ...(await namesOf(second)).words];
    const shared = Object.keys(SHARED).filter(
      (word) => !sources.some(({ text }) => text.includes(word)) || !words.includes(word),
    );
    expect(shared).toEqual([]);
  });
});

test('only the effects policy asks whether a folder is the one in the package', () => {
  const asks =
    /\bownFolder(?:\.\w+)? [!=]==|[!=]== (?:ownFolder|packageRoot)\b|\bis(?:Own|Prepared)\b.*folder|folder.*\bisOwn\b/i;
  const places = sources.flatMap(({ file, text }) =>
    text.split('\n').flatMap((line) => (asks.test(line) ? [file] : [])),
  );
  expect(places).toEqual(['src/contract/effects.ts']);
});
