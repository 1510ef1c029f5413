import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../src/package-root.ts';
import { TALK } from './bank.ts';
import { listening } from './command.ts';
import { asIs, contractOf, type Named, talk } from './journey.ts';
import { type Renamed, renamedCopy } from './renamed.ts';

let work: string;
let own: Named;
let renamed: Renamed;
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'renamed-'));
  own = asIs(packageRoot, join(work, 'own'));
  renamed = await renamedCopy(join(work, 'folder'), join(work, 'renamed'));
});
afterAll(() => rm(work, { recursive: true }));

/** Members that are read by people only. */
const PROSE: ReadonlySet<string> = new Set([
  ...['summary', 'description', 'statement', 'note', 'title', 'detail', 'message', 'change', 'reference'],
  ...['x-reference', 'wouldPass', 'include', 'x-policy'],
]);

/** Every text of a file but prose: keys and values of data, or code without its comments. */
function textsOf(file: string, text: string): string[] {
  if (!file.endsWith('.yaml')) return [text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')];
  const visit = (node: unknown): string[] => {
    if (typeof node === 'string') return [node];
    if (typeof node !== 'object' || node === null) return [];
    return Object.entries(node).flatMap(([key, child]) => (PROSE.has(key) ? [] : [key, ...visit(child)]));
  };
  return visit(parse(text));
}

/** What is found under the contract's names and under nonsense, translated back. */
async function both<T>(find: (named: Named) => Promise<T>): Promise<readonly [T, T]> {
  return [await find(own), await find(renamed)];
}

test('the copy, translated back, is the contract', async () => {
  const [a, b] = await both(async (named) =>
    JSON.parse(named.back(JSON.stringify((await contractOf(named)).document))),
  );
  expect(b).toEqual(a);
});

test('no name of two or more words is left in the copy, but in prose', async () => {
  const files = globSync(
    ['*', 'spec/*', 'mocks/**/*', 'contracts/*'].map((place) => `${place}.{yaml,ts,js}`),
    { cwd: renamed.folder },
  );
  const texts = files.flatMap((file) => textsOf(file, readFileSync(join(renamed.folder, file), 'utf8')));
  const words = new Set(texts.flatMap((text) => text.match(/[A-Za-z][\w-]*/g) ?? []));
  expect(files.length).toBeGreaterThan(40);
  expect(renamed.gone.length).toBeGreaterThan(100);
  expect(renamed.gone.filter((name) => words.has(name))).toEqual([]);
});

test('mock: every request is answered alike', { timeout: 60_000 }, async () => {
  const [a, b] = await both(async (named) => {
    await using mock = await listening(['mock', '--contract', named.folder]);
    return await talk(named, mock.url, TALK);
  });
  expect(b).toEqual(a);
});
