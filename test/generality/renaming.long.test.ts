import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { DRIFT } from './bank.ts';
import { command, listening, report } from './command.ts';
import { asIs, callsOf, configured, ENV, learned, located, type Named, said, sandboxOf, talk } from './journey.ts';
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

const LONG = { timeout: 300_000 };

/** Finds the same under the contract's names and under nonsense, translated back; what it finds. */
async function alike<T>(find: (named: Named) => Promise<T>): Promise<T> {
  const a = await find(own);
  expect(await find(renamed)).toEqual(a);
  return a;
}

test('verify: the mock agrees', LONG, async () => {
  const told = await alike(async (named) =>
    said(named, await report(['verify', '--contract', named.folder, '--target', 'mock'], { cwd: work })),
  );
  expect(told).toMatchObject({ verdict: 'agrees', exitCode: 0, findings: [] });
});

test('verify --plan announces the same calls', LONG, async () => {
  const told = await alike(async (named) => {
    const { code, out } = await command(['verify', '--contract', named.folder, '--target', 'mock', '--plan'], {
      cwd: work,
    });
    return {
      code,
      lines: named
        .back(out)
        .split('\n')
        .map((line) => line.replace(/ {2,}/g, '  '))
        .sort(),
    };
  });
  expect(told.code).toBe(0);
  expect(told.lines.length).toBeGreaterThan(100);
});

test('verify: a sandbox that has drifted is found out', LONG, async () => {
  const told = await alike(async (named) => {
    await using sandbox = await sandboxOf(named, DRIFT);
    const settings = await configured(named);
    const argv = ['verify', ...settings, '--target', sandbox.url, '--allow', 'write', '--probe'];
    return said(named, await report(argv, { env: ENV }));
  });
  expect(told).toMatchObject({ verdict: 'drift', exitCode: 1 });
});

test('verify: a tenant who knows every path has everything called, and what it made removed', LONG, async () => {
  const told = await alike(async (named) => {
    await using sandbox = await sandboxOf(named, DRIFT);
    const settings = [...(await configured(named)), ...(await located(named))];
    const argv = ['verify', ...settings, '--target', sandbox.url, '--allow', 'destructive', '--probe'];
    const verified = await report(argv, { env: ENV });
    return { ...said(named, verified), calls: sandbox.seen.map((request) => named.back(request)).sort() };
  });
  expect(told).toMatchObject({ verdict: 'drift' });
  // money is moved for nobody, even so
  expect(told.calls).not.toContain('POST createTransaction');
  expect(told.calls).toEqual(
    expect.arrayContaining(['GET getBeneficiaries', 'DELETE deleteCard', 'PUT cancelAnAccount']),
  );
});

describe('a recording', () => {
  const recordings = async (named: Named) => {
    const settings = await configured(named);
    const files: string[] = [];
    for (const changes of [[], DRIFT]) {
      await using sandbox = await sandboxOf(named, changes);
      const file = join(named.work, `${files.length}.yaml`);
      const { code, err } = await command(['record', ...settings, '--target', sandbox.url, '--out', file], {
        env: ENV,
      });
      expect(code, err).toBe(0);
      files.push(file);
    }
    return files as [string, string];
  };

  test('record, verify with a recording, and diff', LONG, async () => {
    const told = await alike(async (named) => {
      const [before, after] = await recordings(named);
      await using sandbox = await sandboxOf(named, DRIFT);
      const settings = await configured(named);
      const verified = await report(['verify', ...settings, '--target', sandbox.url, '--overlay', before], {
        env: ENV,
      });
      const differs = await report(['diff', before, after, '--contract', named.folder]);
      return {
        before: await learned(named, before),
        after: await learned(named, after),
        verified: said(named, verified),
        differs: said(named, differs),
      };
    });
    expect(told.verified).toMatchObject({ verdict: 'drift' });
    expect(told.differs).toMatchObject({ verdict: 'drift' });
  });
});

test('proxy: what passes is judged alike', LONG, async () => {
  const told = await alike(async (named) => {
    await using sandbox = await sandboxOf(named, DRIFT);
    const settings = await configured(named);
    const argv = ['proxy', ...settings, '--target', sandbox.url, '--fail-on', 'error', '--report', 'json'];
    const proxy = await listening(argv, { env: ENV });
    const answers = await talk(named, proxy.url, [
      { operation: 'getCard' },
      { operation: 'listClientCards' },
      { operation: 'getAccountFees' },
      { operation: 'getCardFeesDeprecated' },
      // not allowed, and not sent on
      { operation: 'deleteCard' },
    ]);
    const { code, out } = await proxy.end();
    return { code, answers, report: said(named, JSON.parse(out)) };
  });
  expect(told).toMatchObject({ code: 1, report: { verdict: 'drift' } });
});

describe('audit --drive', () => {
  test.each([
    ['a good caller', [{ operation: 'getCard' }, { operation: 'getTransactionFees', body: { amount: 10 } }], 0],
    [
      'one that calls a deprecated form, and asks for more than a limit admits',
      [
        { operation: 'getCardFeesDeprecated' },
        { operation: 'issueNewCard', body: { currency: 'GBP', cardLimitDaily: 100_001 } },
      ],
      1,
    ],
  ])('%s', LONG, async (_, steps, wanted) => {
    const told = await alike(async (named) => {
      const argv = ['audit', '--contract', named.folder, '--drive', '--report', 'json', '--', process.execPath];
      const { code, out } = await command([...argv, join(packageRoot, 'test/generality/caller.mjs')], {
        env: { ...process.env, CALLS: JSON.stringify(await callsOf(named, steps)) },
      });
      return { code, report: counted(said(named, JSON.parse(out))) };
    });
    expect(told.code).toBe(wanted);
  });
});

/**
 * Situations run side by side and end by time: how many exchanges there were, their numbers, and whether a moment came at which a rule
 * could be kept, differ from run to run.
 */
function counted(report: unknown): unknown {
  const told = (key: string, value: unknown): unknown => {
    if (['occurrences', 'exchanges', 'connections', 'evidence'].includes(key)) return 'some';
    if (key === 'outcome' && value === 'not-exercised') return 'kept';
    const isProse = typeof value === 'string' && ['reason', 'message'].includes(key);
    return isProse ? value.replace(/ See #.*?(?=\. )/, '').replace(/\d+/g, 'N') : value;
  };
  return JSON.parse(JSON.stringify(report, told));
}
