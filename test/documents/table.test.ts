import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { CORPUS } from './corpus.ts';

test('docs/openapi.md compares each document of the corpus with stock Prism', async () => {
  const page = await readFile(join(packageRoot, 'docs/openapi.md'), 'utf8');
  const [, table = ''] = /<!-- bench documents -->([\s\S]*)<!-- \/bench documents -->/.exec(page) ?? [];
  const documents = [...table.matchAll(/^\|(\S+) \((\d+) operations\)\|/gm)];
  expect(documents.map(([, file, operations]) => [file, Number(operations)])).toEqual(
    CORPUS.map(({ file, operations }) => [file, operations]),
  );
});
