import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadMerged } from '../../src/learn/load-merged.ts';
import { createTools } from '../../src/mcp/tools.ts';
import { packageRoot } from '../../src/package-root.ts';

async function toolsAt(now: () => number) {
  const contracts = { known: await loadMerged({}), assumed: await loadMerged({ assumed: true }) };
  return createTools({ contracts, last: undefined, mock: {}, verify: { target: 'mock' }, now });
}

test('verify runs one at a time and at most once a minute, by a clock that never goes back', async () => {
  let now = 5;
  const { tools } = await toolsAt(() => now);
  const run = async () => {
    const call = { signal: new AbortController().signal, progress: () => {} };
    return (await tools.find(({ name }) => name === 'verify')?.run({}, call))?.head;
  };
  const [first, second] = await Promise.all([run(), run()]);
  expect([first?.verdict, second?.error]).toEqual(['agrees', 'busy']);
  now += 59_000;
  expect(await run()).toMatchObject({ error: 'too-soon', seconds: 1 });
  now += 1000;
  expect(await run()).toMatchObject({ verdict: 'agrees' });
});

test('docs/mcp.md has a row for each tool', async () => {
  const page = readFileSync(join(packageRoot, 'docs/mcp.md'), 'utf8');
  const { tools } = await toolsAt(() => 0);
  expect(tools.filter(({ name }) => !page.includes(`| \`${name}\` |`))).toEqual([]);
});
