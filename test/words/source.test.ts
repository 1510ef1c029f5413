import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { bankWords, linesWith } from './bank-words.ts';

test('the engine contains no word of the bank', async () => {
  const words = await bankWords();
  const files = globSync('src/**/*.ts', { cwd: packageRoot });
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((file) =>
    linesWith(words, readFileSync(join(packageRoot, file), 'utf8')).map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

test('a word of the bank is found', async () => {
  const words = await bankWords();
  const texts = [
    'API reference, Authentication 6',
    'calls getCard twice',
    'POST /wallet/api/customers/',
    'The bank may',
  ];
  expect(texts.filter((text) => linesWith(words, text).length === 0)).toEqual([]);
  expect(linesWith(words, 'banking-api mock serves Authentication')).toEqual([]);
});
