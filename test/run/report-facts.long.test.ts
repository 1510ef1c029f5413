import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { parseBaseline } from '../../src/judge/baseline.ts';
import { overlayOf } from '../support/overlay.ts';
import { run } from './run.ts';
import { CARD } from './sandbox.ts';

const DRIFT = { 'GET /wallet/api/customers/c-1/cards/k-4': { ...CARD, cardLimitDaily: 'a hundred' } };
const QUICK = { timeouts: { firstByte: 4, call: 8, dead: 10 } } as const;

test('a finding has the facts of a ticket: time, request id, and a line without a secret or an id', async () => {
  let count = 0;
  const [report, sandbox] = await run({
    ...QUICK,
    bodies: DRIFT,
    fault: (_, response) => {
      count += 1;
      response.setHeader('x-bank-trace', `trace-${count}`);
      return undefined;
    },
    requestIds: ['X-Bank-Trace'],
    headers: [
      { name: 'x-correlation-id', value: randomUUID, token: false, secret: false },
      { name: 'x-tenant', value: 'acme', token: false, secret: false },
    ],
  });
  const [found] = report.findings.filter(({ severity }) => severity === 'error');
  expect(found?.ticket?.requestIds['x-bank-trace']).toMatch(/^trace-\d+$/);
  const sent = sandbox.seen.map(({ headers }) => headers['x-correlation-id']);
  expect(found?.ticket?.sentIds).toEqual({ 'x-correlation-id': expect.toBeOneOf(sent) });
  expect(Date.parse(found?.ticket?.at ?? '')).toBeGreaterThanOrEqual(Date.parse(report.startedAt));
  expect(found?.ticket?.curl).toContain(`"${sandbox.url}/wallet/api/customers/$CUSTOMER_ID/cards/$CARD_ID"`);
  for (const token of sandbox.tokens) expect(JSON.stringify(report)).not.toContain(token);
});

const recording = (path: string) => {
  const update = { responses: { 200: { description: 'Observed.' } } };
  return overlayOf([{ target: `$.paths['${path}'].get`, update }], 'observed');
};

test('a recording that does not apply is reported, and makes the run inconclusive', async () => {
  const [lost] = await run({ ...QUICK, overlays: [recording('/nowhere')] });
  expect([lost.exitCode, lost.verdict]).toEqual([4, 'inconclusive']);
  expect(lost.notices).toMatchObject([
    { code: 'overlay-target-unmatched', unwatched: ['GET /nowhere'], location: { file: expect.any(String) } },
  ]);
  const [watched] = await run({
    ...QUICK,
    overlays: [recording('/wallet/api/customers/{customerId}/cards/{cardId}')],
  });
  expect([watched.exitCode, watched.notices]).toEqual([0, undefined]);
});

test('a baseline for another target is ignored and reported: no stale entry and no exit 5', async () => {
  const entry = { fingerprint: '00000000000000a1', operation: 'getCard', reason: 'known', expires: '2999-12-31' };
  const written = (target: string) =>
    parseBaseline(JSON.stringify({ baselineVersion: 1, target, accepted: [entry] }), 'b.yaml');
  const [aside] = await run({ ...QUICK, baseline: await written('production.example.com') });
  expect([aside.exitCode, aside.stale]).toEqual([0, []]);
  expect(aside.notices).toMatchObject([
    {
      code: 'baseline-of-another-target',
      message: expect.stringMatching(/for production\.example\.com, .* 1 entry was left aside/),
    },
  ]);
  const [own] = await run({ ...QUICK, baseline: await written('127.0.0.1') });
  expect([own.exitCode, own.stale.length]).toEqual([5, 1]);
});

test('an expired acceptance is reported with its reason and owner', async () => {
  const [first] = await run({ ...QUICK, bodies: DRIFT });
  const [found] = first.findings.filter(({ severity }) => severity === 'error');
  const entry = { fingerprint: found?.fingerprint, reason: 'fixed in 2.4', owner: 'team', expires: '2020-01-01' };
  const baseline = await parseBaseline(JSON.stringify({ baselineVersion: 1, accepted: [entry] }), 'b.yaml');
  const [report] = await run({ ...QUICK, bodies: DRIFT, baseline });
  expect([report.exitCode, report.expired]).toEqual([1, [entry]]);
});
