import { expect, test } from 'vitest';
import type { Finding } from '../../src/model/finding.ts';
import type { OperationCoverage } from '../../src/model/report.ts';
import { addCoverage, createRecentCalls, createTally, type Round } from '../../src/proxy/accumulated.ts';
import { call } from '../judge/calls.ts';

const finding = (fingerprint: string, exchanges: readonly number[], more: Partial<Finding> = {}): Finding => ({
  fingerprint,
  rule: 'type-contradicted',
  severity: 'error',
  provenance: 'documented',
  operationId: 'getCard',
  method: 'GET',
  path: '/cards',
  pointer: '/x',
  expected: 'integer',
  actual: 'string',
  message: fingerprint,
  reference: '',
  occurrences: exchanges.length * 3,
  location: null,
  exchanges,
  ...more,
});
const part = (fingerprint: string): NonNullable<Finding['parts']>[number] => ({
  operationId: fingerprint,
  pointer: '/x',
  fingerprint,
});
/** A round of these exchanges, each with three places per finding. */
const round = (...seqs: readonly number[]): Round => ({
  endOf: new Map(seqs.map((seq) => [seq, `2026-01-01T00:00:0${seq}.000Z`])),
  times: new Map(['a', 'b', 'c', 'whole', 'wider'].map((one) => [one, new Map(seqs.map((seq) => [seq, 3]))])),
});
const brief = (findings: readonly Finding[]): unknown[] =>
  findings.map(({ fingerprint, occurrences, exchanges }) => [fingerprint, occurrences, exchanges]);

test('places are counted equally in every round', () => {
  const tally = createTally();
  expect(tally.add([finding('a', [1])], round(1))).toHaveLength(1);
  // earlier exchanges are judged again together with new ones
  expect(tally.add([finding('a', [1, 2])], round(2))).toEqual([]);
  expect(tally.add([finding('a', [1, 2])], round(3))).toEqual([]);
  expect(brief(tally.findings)).toEqual([['a', 6, [1, 2]]]);
  expect(tally.findings[0]).toMatchObject({
    firstSeen: '2026-01-01T00:00:01.000Z',
    lastSeen: '2026-01-01T00:00:02.000Z',
  });
});

test('the ticket comes from the last exchange', () => {
  const ticket = (at: string) => ({ ticket: { at, requestIds: {}, curl: null } });
  const tally = createTally();
  tally.add([finding('a', [1], ticket('first'))], round(1));
  tally.add([finding('a', [2], ticket('second'))], round(2));
  tally.add([finding('a', [1])], round(3));
  expect(tally.findings[0]?.ticket?.at).toBe('second');
});

test('findings that turn out to have one cause are merged, and reported as new only once', () => {
  const tally = createTally();
  tally.add([finding('a', [1])], round(1));
  tally.add([finding('b', [2])], round(2));
  const whole = { operationId: null, parts: [part('a'), part('b')] };
  expect(tally.add([finding('whole', [1, 2, 3], whole)], round(3))).toEqual([]);
  expect(brief(tally.findings)).toEqual([['whole', 9, [1, 2, 3]]]);
  tally.add([finding('a', [4])], round(4));
  expect(brief(tally.findings)).toEqual([['whole', 12, [1, 2, 3, 4]]]);
  const wider = { operationId: null, parts: [part('a'), part('b'), part('c')] };
  tally.add([finding('wider', [5], wider)], round(5));
  tally.add([finding('whole', [6], whole)], round(6));
  tally.add([finding('c', [7])], round(7));
  expect(brief(tally.findings)).toEqual([['wider', 21, [1, 2, 3, 4, 5, 6, 7]]]);
  expect(tally.findings[0]).toMatchObject({ firstSeen: '2026-01-01T00:00:01.000Z', message: 'wider' });
});

test('the coverage of rounds is added by field, and only a round with good answers knows the fields', () => {
  const field = (pointer: string, seen: number, of: number) => ({
    ...{ pointer, name: pointer, provenance: 'documented' as const, seen, of },
  });
  const coverage = (goodAnswers: number, own: Partial<OperationCoverage>): OperationCoverage => ({
    ...{ operationId: 'getCard', located: 'documented', exercised: goodAnswers > 0, fields: [], notShown: [] },
    goodAnswers,
    ...own,
  });
  const one = coverage(2, { fields: [field('/a', 1, 2)], notShown: ['query', 'responseBody'] });
  const two = coverage(1, { fields: [field('/a', 1, 1), field('/b', 0, 1)], notShown: ['query'] });
  const none = coverage(0, { located: 'observed', fields: [field('/c', 0, 0)] });
  const fields = [field('/a', 2, 3), field('/b', 0, 1)];
  expect(addCoverage(one, two)).toEqual({ ...two, goodAnswers: 3, fields, notShown: ['query'] });
  expect(addCoverage(one, none)).toEqual({ ...one, located: 'observed' });
  expect(addCoverage(none, one)).toEqual(one);
  expect([addCoverage(undefined, two), addCoverage(none, none).exercised]).toEqual([two, false]);
});

test('the last four calls of an operation are kept in order, without large bodies and failures before a success', () => {
  const recent = createRecentCalls();
  const large = 'x'.repeat(64 * 1024 + 1);
  const failures = [500, 501, 502, 503, 504].map((status) => call('getCard', { status, text: large.slice(1) }));
  const other = call('listCards', { text: large });
  for (const one of [other, ...failures.toReversed()]) recent.add(one);
  const kept = (): unknown[] => recent.calls.map(({ attempts: [one] }) => one?.response?.status);
  expect(kept()).toEqual([500, 501, 502, 503, 200]);
  expect(recent.calls.map(({ attempts: [one] }) => one?.response?.body.bytes.length)).toEqual([
    ...Array.from({ length: 4 }, () => 64 * 1024),
    0,
  ]);
  recent.add(call('getCard', { json: {} }, { purpose: 'caller' }));
  recent.add(call('getCard', { json: {} }));
  expect(kept()).toEqual([200, 200, 200]);
});
