import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';

const IDS = /(?:[MTDFHCS]\d{1,2}, )*[MTDFHCS]\d{1,2}/.source;

/** Test files and the promises at the start of their titles. */
const shown: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  globSync('**/*.test.ts', { cwd: join(packageRoot, 'test') }).map((file) => [
    file.replace('.test.ts', ''),
    new Set(
      readFileSync(join(packageRoot, 'test', file), 'utf8')
        .matchAll(new RegExp(`(['"\`])(${IDS}): ((?:(?!\\1)[^\\\\\\n]|\\\\.)+)\\1`, 'g'))
        .flatMap(([, , ids = '']) => ids.split(', ')),
    ),
  ]),
);

/** The rows of the page: a promise, and its test files. */
const rows = readFileSync(join(packageRoot, 'docs/promises.md'), 'utf8')
  .matchAll(/^\| ([A-Z]\d+) \| .+ \| `(.+)` \|$/gm)
  .map(([, id = '', files = '']) => ({ id, files: files.split('`, `') }))
  .toArray();

test('every promise in a test title has exactly one row', () => {
  const ids = rows.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(new Set(ids)).toEqual(new Set(shown.values().flatMap((one) => one)));
});

test('every test file of a row has a test whose title begins with the promise', () => {
  const missing = rows.flatMap(({ id, files }) =>
    files.filter((file) => !shown.get(file)?.has(id)).map((file) => `${id} ${file}`),
  );
  expect(missing).toEqual([]);
});

test('a title starts with its promises, so that a search finds it', () => {
  const inside = globSync('**/*.test.ts', { cwd: join(packageRoot, 'test') }).flatMap((file) =>
    readFileSync(join(packageRoot, 'test', file), 'utf8')
      .matchAll(new RegExp(`(['"\`])(?!${IDS}: )[^'"\`\\n]*\\b${IDS}: [^'"\`\\n]*\\1`, 'g'))
      .map(([text]) => `${file}: ${text}`)
      .toArray(),
  );
  expect(inside).toEqual([]);
});
