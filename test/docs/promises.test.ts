import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';

const IDS = /(?:[MTDFHCS]\d{1,2}, )*[MTDFHCS]\d{1,2}/.source;

/** A test, or a group of tests, whose title begins with promises. */
interface Shown {
  readonly file: string;
  readonly ids: readonly string[];
  readonly title: string;
}

const shown: readonly Shown[] = globSync('**/*.test.ts', { cwd: join(packageRoot, 'test') }).flatMap((file) =>
  readFileSync(join(packageRoot, 'test', file), 'utf8')
    .matchAll(new RegExp(`(['"\`])(${IDS}): ((?:(?!\\1)[^\\\\\\n]|\\\\.)+)\\1`, 'g'))
    .map(([, , ids = '', title = '']) => ({ file: file.replace('.test.ts', ''), ids: ids.split(', '), title }))
    .toArray(),
);

/** The rows of the page: a promise, and the tests that show it. */
const rows = readFileSync(join(packageRoot, 'docs/promises.md'), 'utf8')
  .matchAll(/^\| ([A-Z]\d+) \| (.+) \| (.+) \|$/gm)
  .map(([, id = '', promise = '', tests = '']) => ({ id, promise, tests: tests.split('<br>') }))
  .toArray();

test('every promise that a test shows has its row, and every row its test', () => {
  const ids = rows.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(new Set(ids)).toEqual(new Set(shown.flatMap((one) => one.ids)));
});

test('every test that the page names is there, under its promise', () => {
  const there = new Set(shown.flatMap(({ file, ids, title }) => ids.map((id) => `${id} \`${file}\`: ${title}`)));
  expect(rows.flatMap(({ id, tests }) => tests.map((one) => `${id} ${one}`)).filter((one) => !there.has(one))).toEqual(
    [],
  );
});

test('a title begins with its promises, so that it can be found by them', () => {
  const inside = globSync('**/*.test.ts', { cwd: join(packageRoot, 'test') }).flatMap((file) =>
    readFileSync(join(packageRoot, 'test', file), 'utf8')
      .matchAll(new RegExp(`(['"\`])(?!${IDS}: )[^'"\`\\n]*\\b${IDS}: [^'"\`\\n]*\\1`, 'g'))
      .map(([text]) => `${file}: ${text}`)
      .toArray(),
  );
  expect(inside).toEqual([]);
});
