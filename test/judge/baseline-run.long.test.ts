import { afterEach, describe, expect, test } from 'vitest';
import { type Baseline, parseBaseline } from '../../src/judge/baseline.ts';
import { acceptInto } from '../../src/judge/baseline-write.ts';
import type { Report } from '../../src/model/report.ts';
import { verify } from '../../src/run/verify.ts';
import { CARD, CREDENTIALS, PARAMETERS, type Sandbox, type SandboxOptions, startSandbox } from '../run/sandbox.ts';

const open: Sandbox[] = [];
afterEach(async () => {
  for (const sandbox of open.splice(0)) await sandbox[Symbol.asyncDispose]();
});

async function run(options: SandboxOptions, baseline?: Baseline, parameters = PARAMETERS): Promise<Report> {
  const sandbox = await startSandbox(options);
  open.push(sandbox);
  return verify({
    target: sandbox.url,
    credentials: CREDENTIALS,
    parameters,
    discover: false,
    limits: { backoff: 5 },
    timeouts: { firstByte: 0.4, call: 2, dead: 1 },
    ...(baseline === undefined ? {} : { baseline }),
  });
}

const DRIFT: SandboxOptions = {
  bodies: { 'GET /wallet/api/customers/c-1/cards/k-4': { ...CARD, cardLimitDaily: 'a hundred' } },
};

describe('a baseline in a run', () => {
  test('accepted drift agrees, returns after its date, and is stale once it is fixed', async () => {
    const first = await run(DRIFT);
    expect([first.exitCode, first.verdict]).toEqual([1, 'drift']);
    const [found] = first.findings.filter(({ severity }) => severity === 'error');
    expect(found?.checks?.length).toBeGreaterThan(0);
    if (found === undefined) throw new Error('nothing was found');
    const accept = async (expires: string): Promise<Baseline> =>
      parseBaseline(await acceptInto(null, [found], { reason: 'known', expires }), 'b.yaml');

    const accepted = await run(DRIFT, await accept('2999-12-31'));
    expect([accepted.exitCode, accepted.verdict]).toEqual([0, 'agrees']);
    expect(accepted.accepted).toMatchObject([{ fingerprint: found.fingerprint, reason: 'known' }]);
    expect(accepted.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(accepted.checks.filter(({ outcome }) => outcome === 'failed')).toEqual([]);

    const expired = await run(DRIFT, await accept('2020-01-01'));
    expect([expired.exitCode, expired.accepted]).toEqual([1, []]);

    const healthy = await run({}, await accept('2999-12-31'));
    expect([healthy.exitCode, healthy.verdict]).toEqual([5, 'agrees']);
    expect(healthy.stale).toMatchObject([{ fingerprint: found.fingerprint }]);
  }, 60_000);

  test('an entry without check names can become stale on a URL, where writing and probing checks are skipped', async () => {
    const [found] = (await run(DRIFT)).findings.filter(({ severity }) => severity === 'error');
    const entry = { fingerprint: found?.fingerprint, reason: 'known', expires: '2999-12-31', operation: 'getCard' };
    const baseline = await parseBaseline(JSON.stringify({ baselineVersion: 1, accepted: [entry] }), 'b.yaml');
    expect((await run(DRIFT, baseline)).exitCode).toBe(0);
    const healthy = await run({}, baseline);
    expect([healthy.exitCode, healthy.stale]).toMatchObject([5, [{ fingerprint: found?.fingerprint }]]);
    const { cardId, ...others } = PARAMETERS;
    expect(cardId).toBe('k-4');
    expect((await run({}, baseline, others as typeof PARAMETERS)).stale).toEqual([]);
  }, 60_000);

  test('a check that could not run makes no entry stale', async () => {
    const first = await run(DRIFT);
    const found = first.findings.filter(({ severity }) => severity === 'error');
    const baseline = await parseBaseline(
      await acceptInto(null, found, { reason: 'known', expires: '2999-12-31' }),
      'b.yaml',
    );
    const { cardId, ...others } = PARAMETERS;
    expect(cardId).toBe('k-4');
    const skipped = await run({}, baseline, others as typeof PARAMETERS);
    expect(skipped.stale).toEqual([]);
    const down = await run({ fault: (_, response) => Boolean(response.writeHead(503).end()) }, baseline);
    expect([down.exitCode, down.stale]).toEqual([4, []]);
  }, 60_000);
});
