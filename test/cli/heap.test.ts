import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const HEAP = join(import.meta.dirname, '../../src/cli/heap.ts');

/** Keeps each object for a while, so that V8 enlarges the young generation. Prints its largest size in MiB. */
const WORK = `
  const { getHeapSpaceStatistics } = await import('node:v8');
  const kept = [];
  let most = 0;
  for (let turn = 0; turn < 600; turn += 1) {
    kept[turn % 100] = Array.from({ length: 2000 }, (_, place) => ({ place }));
    await new Promise(setImmediate);
    for (const { space_name, space_size } of getHeapSpaceStatistics())
      if (space_name === 'new_space') most = Math.max(most, space_size / 1024 / 1024);
  }
  console.log(most);`;

function youngest(begin: string): number {
  const args = ['--max-semi-space-size=16', '--input-type=module', '--eval', `${begin}${WORK}`];
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

test('a bounded heap ends the growth of the young generation', () => {
  expect(youngest('')).toBeGreaterThan(16);
  expect(youngest(`(await import(${JSON.stringify(pathToFileURL(HEAP))})).boundHeap();`)).toBeLessThanOrEqual(16);
});
