import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { judge, judgeInSlices } from '../../src/judge/judge.ts';
import { MOST_TOLD } from '../../src/judge/rule.ts';
import { shapeDifferences } from '../../src/judge/rules/deprecations.ts';
import { shapeOf } from '../../src/judge/shape.ts';
import { cpuTime } from '../support/growth.ts';
import { call } from './calls.ts';

const contract = await loadContract();

const keys = (count: number, prefix = 'k'): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, index]));
const distinct = (count: number): object[] => Array.from({ length: count }, (_, index) => ({ [`m${index}`]: index }));
const redact = (text: string): string => text;

describe('large answers', () => {
  test.each([
    ['more values than the limit', { json: keys(100_000) }, /^contains more than 100,000 values/],
    ['a list of objects with different members', { json: distinct(60_000) }, /^contains more than 100,000 values/],
    ['a name of megabytes', { json: { ['n'.repeat(5_000_000)]: 1 } }, /^contains names that are too long/],
    [
      'many long names',
      { text: `${'{"'.concat('n'.repeat(4000), '":').repeat(300)}1${'}'.repeat(300)}` },
      /^contains names that are too long/,
    ],
    ['lists in lists', { text: `${'['.repeat(5000)}${']'.repeat(5000)}` }, /^is too deep/],
    ['nothing but lists', { text: `[${'[],'.repeat(200_000)}[]]` }, /^contains more than 100,000 values/],
  ])('%s is inconclusive, with the reason', (_, answer, reason) => {
    const one = call('getCard', answer);
    const { findings, judgements } = judge({ contract, calls: [one], redact });
    expect(findings).toEqual([]);
    expect(judgements.get(one)).toEqual({
      kind: 'inconclusive',
      why: { kind: 'body-limit', limit: expect.stringMatching(reason) },
    });
  });

  test('a large answer is checked up to the limit of findings, and the check states the limit', () => {
    const one = call('getCard', { json: keys(8000) });
    const { findings, judgements } = judge({ contract, calls: [one], redact });
    expect(findings.filter(({ rule }) => rule === 'undocumented-field')).toHaveLength(MOST_TOLD);
    expect(judgements.get(one)).toEqual({
      kind: 'inconclusive',
      why: { kind: 'stated', text: expect.stringContaining(`${MOST_TOLD} places`) },
    });
  });

  test('an answer up to the limit is checked in full', () => {
    const one = call('getCard', { json: { cardLimitDaily: 'x', ...keys(MOST_TOLD - 10) } });
    const { findings, judgements } = judge({ contract, calls: [one], redact });
    expect(findings.map(({ rule }) => rule)).toContain('type-contradicted');
    expect(judgements.get(one)).toMatchObject({ kind: 'good' });
  });

  test('a new field in a thousand items counts a thousand times', () => {
    const json = Array.from({ length: 1000 }, () => ({ cardLimitDaily: 'x' }));
    const { findings } = judge({ contract, calls: [call('listClientCards', { json })], redact });
    expect(
      findings.find(({ pointer, rule }) => rule === 'type-contradicted' && pointer === '/*/cardLimitDaily'),
    ).toMatchObject({
      occurrences: 1000,
    });
  });
});

test('two forms are compared in linear time', () => {
  const [ours, theirs] = [keys(80_000), keys(80_000, 'other')];
  const from = cpuTime();
  const differences = [...shapeDifferences(shapeOf({ fees: ours }), shapeOf({ fees: theirs }))];
  expect(differences).toMatchObject([{ at: '/fees' }]);
  // Comparing every pair of places would take minutes.
  expect(cpuTime() - from).toBeLessThan(10_000);
});

describe('judging in slices', () => {
  const calls = Array.from({ length: 40 }, () => call('getCard', { json: { ...keys(2000), cardLimitDaily: 'x' } }));

  test('judging in slices gives the same findings as judging at once', async () => {
    const few = calls.slice(0, 3);
    expect((await judgeInSlices({ contract, calls: few, redact })).findings).toEqual(
      judge({ contract, calls: few, redact }).findings,
    );
  });

  test('judging stops when the run is interrupted, and the rest is inconclusive', async () => {
    const interruption = new AbortController();
    setImmediate(() => interruption.abort());
    const { judgements } = await judgeInSlices({ contract, calls, redact }, { signal: interruption.signal });
    expect([...judgements.values()].at(-1)).toEqual({
      kind: 'inconclusive',
      why: { kind: 'stated', text: 'the run was interrupted before the answer was judged' },
    });
  });

  test('judging stops when its time is up', async () => {
    const { judgements } = await judgeInSlices({ contract, calls, redact }, { until: performance.now() });
    expect([...judgements.values()].at(-1)).toEqual({
      kind: 'inconclusive',
      why: { kind: 'stated', text: 'the time of the run was up before the answer was judged' },
    });
  });
});
