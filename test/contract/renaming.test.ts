import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { DRIFT, TALK } from './bank.ts';
import { listening, report } from './command.ts';
import { asIs, configured, contractOf, ENV, type Named, said, sandboxOf, talk } from './journey.ts';
import { renamedCopy } from './renamed.ts';

let work: string;
let own: Named;
let renamed: Named;
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'renamed-'));
  own = asIs(packageRoot, join(work, 'own'));
  renamed = await renamedCopy(join(work, 'folder'), join(work, 'renamed'));
});
afterAll(() => rm(work, { recursive: true }));

/** What is found under the contract's names and under nonsense, translated back. */
async function both<T>(find: (named: Named) => Promise<T>): Promise<readonly [T, T]> {
  return [await find(own), await find(renamed)];
}

test('the copy, translated back, is the contract', async () => {
  const [a, b] = await both(async (named) =>
    JSON.parse(named.back(JSON.stringify((await contractOf(named)).document))),
  );
  expect(b).toEqual(a);
  expect(Object.keys((await contractOf(renamed)).document.paths ?? {})).not.toContain('/iam/oauth/token');
});

test('mock: every request is answered alike', { timeout: 60_000 }, async () => {
  const [a, b] = await both(async (named) => {
    await using mock = await listening(['mock', '--contract', named.folder]);
    return await talk(named, mock.url, TALK);
  });
  expect(b).toEqual(a);
});

test('verify: a sandbox that has drifted is found out alike', { timeout: 120_000 }, async () => {
  const [a, b] = await both(async (named) => {
    await using sandbox = await sandboxOf(named, DRIFT);
    const settings = await configured(named);
    const argv = ['verify', ...settings, '--target', sandbox.url, '--allow', 'write', '--probe'];
    return said(named, await report(argv, { env: ENV }));
  });
  expect(b).toEqual(a);
  expect(a).toMatchObject({ verdict: 'drift', exitCode: 1 });
});
