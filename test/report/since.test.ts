import { describe, expect, test } from 'vitest';
import type { Check, Report } from '../../src/model/report.ts';
import { withHistory } from '../../src/report/history.ts';
import { nextSteps } from '../../src/report/sections/next-steps.ts';
import { renderText } from '../../src/report/text.ts';
import { verdictLine } from '../../src/report/words/verdict.ts';
import { check, finding, report } from '../support/report-samples.ts';

const on = (day: number, over: Partial<Report> = {}): Report =>
  report({ startedAt: `2026-11-${String(day).padStart(2, '0')}T02:00:00.000Z`, ...over });
const drift = { verdict: 'drift', exitCode: 1 } as const;
const numbered = (id: string, over = {}) => finding({ fingerprint: id.padStart(16, '0'), ...over });
const [a, b, c] = [numbered('a1'), numbered('b2', { pointer: '/b' }), numbered('c3', { severity: 'warning' })];
const fp = (...ids: string[]): string[] => ids.map((id) => id.padStart(16, '0'));

describe('changes since the last run with a verdict', () => {
  test('a finding is new, known or fixed by its fingerprint', () => {
    const told = withHistory(on(20, { ...drift, findings: [b, c] }), [on(19, { ...drift, findings: [a, b] })]);
    expect(told.since).toEqual({ previous: on(19).startedAt, new: fp('c3'), known: fp('b2'), gone: fp('a1') });
    expect(verdictLine(told)).toBe('DRIFT: 1 new warning (type-contradicted in getCard), 1 known, 1 gone (1 error).');
  });

  test('runs without a verdict are skipped, and findings that only they saw are new', () => {
    const unclear = on(18, { verdict: 'inconclusive', exitCode: 4, findings: [c] });
    const stopped = on(19, { ...drift, exitCode: 130, findings: [c] });
    const told = withHistory(on(20, { ...drift, findings: [a, c] }), [
      on(17, { ...drift, findings: [a] }),
      unclear,
      stopped,
    ]);
    expect(told.since).toEqual({ previous: on(17).startedAt, new: fp('c3'), known: fp('a1'), gone: [] });
    expect(withHistory(on(20), [unclear, stopped]).since).toBeUndefined();
  });

  test('a finding that the last run did not check is known when it returns; a fixed one is new', () => {
    const first = on(17, { ...drift, findings: [a] });
    const blind = withHistory(on(18, { checks: [check({ outcome: 'skipped' }), check({ id: 'x' })] }), [first]);
    expect(blind.history?.notLookedFor?.map(({ fingerprint }) => fingerprint)).toEqual(fp('a1'));
    expect(withHistory(on(19, { ...drift, findings: [a] }), [first, blind]).since?.known).toEqual(fp('a1'));
    // also if the only given report contains it from earlier
    expect(withHistory(on(19, { ...drift, findings: [a] }), [], blind).since?.known).toEqual(fp('a1'));
    const mended = on(18);
    expect(withHistory(on(19, { ...drift, findings: [a] }), [first, mended]).since?.new).toEqual(fp('a1'));
    expect(withHistory(on(19, { checks: [] }), [first, mended]).history?.notLookedFor).toEqual([]);
  });

  test('an acceptance appears with its date, and an expired one is not a new finding', () => {
    const entry = (day: string) => ({ fingerprint: a.fingerprint, reason: 'r', owner: 'o', expires: day, finding: a });
    const accepted = on(19, { accepted: [entry('2026-11-30')] });
    expect(verdictLine(withHistory(accepted, [on(18)]))).toBe('AGREES: no findings, 1 accepted until 2026-11-30.');
    const two = on(19, { accepted: [entry('2026-12-30'), entry('2026-11-30')] });
    expect(verdictLine(withHistory(two, [on(18)]))).toContain('2 accepted, the first until 2026-11-30');
    const { finding: _, ...over } = entry('2026-11-30');
    const again = on(20, { ...drift, findings: [a], expired: [over] });
    expect(withHistory(again, [accepted]).since?.known).toEqual(fp('a1'));
    expect(verdictLine(withHistory(again, [accepted]))).toBe(
      'DRIFT: nothing new, 1 known (type-contradicted in getCard since 2026-11-19), 1 acceptance expired.',
    );
  });

  test('a merged finding is known if every operation showed it before, and its parts are not fixed', () => {
    const part = ({ fingerprint }: typeof a) => ({ operationId: 'getCard', pointer: '', fingerprint });
    const all = numbered('f6', { operationId: null, parts: [part(a), part(b)] });
    const told = (before: (typeof a)[]) =>
      withHistory(on(20, { ...drift, findings: [all] }), [on(19, { ...drift, findings: before })]).since;
    expect(told([a, b])).toMatchObject({ new: [], known: fp('f6'), gone: [] });
    expect(told([a])).toMatchObject({ new: fp('f6'), known: [], gone: [] });
    const partly = withHistory(on(20, { ...drift, findings: [a] }), [on(19, { ...drift, findings: [all] })]).since;
    expect(partly).toMatchObject({ new: [], known: fp('a1'), gone: [] });
  });

  test('lost fields are counted against that run, and statements checked by any run are not listed', () => {
    const covered = (seen: number, never: string[], operationId = 'getCard'): Partial<Report> => {
      const fields = [{ pointer: '/a', provenance: 'documented' as const, seen, of: 1 }];
      const operation = { operationId, located: 'documented' as const, exercised: true, fields, notShown: [] };
      const reasons = never.map((id) => ({ id, reason: 'r' }));
      return {
        coverage: { operations: [operation], statements: { checked: 3 - never.length, of: 3, never: reasons } },
      };
    };
    const nights = [on(17, covered(1, ['x', 'y'])), on(18, covered(1, ['x', 'z']))];
    const told = withHistory(on(19, covered(0, ['x', 'y', 'z'])), nights);
    expect(told.since?.lost).toEqual({ fields: 1, operations: ['getCard'] });
    expect(told.coverage.statements).toEqual({ checked: 0, of: 3, never: [{ id: 'x', reason: 'r' }] });
    expect(withHistory(on(19, covered(2, [])), nights).since).not.toHaveProperty('lost');
  });

  test('a named report is compared despite another target, and the same report twice counts once', () => {
    const other = on(10, { ...drift, findings: [a], target: { kind: 'url', baseUrl: 'https://blue.example.com' } });
    const told = withHistory(on(20, { ...drift, findings: [a] }), [on(19)], other);
    expect(told.since).toMatchObject({ previous: on(10).startedAt, known: fp('a1') });
    expect(withHistory(on(20), [on(19)], on(19)).history?.runs).toHaveLength(2);
  });
});

describe('next steps', () => {
  const getCard = { operationId: 'getCard', located: 'documented' as const, exercised: true, goodAnswers: 1 };
  const seen = (provenance: 'documented' | 'observed') => ({
    operations: [{ ...getCard, fields: [{ pointer: '/a', provenance, seen: 1, of: 1 }], notShown: [] }],
  });
  const missing = check({
    outcome: 'skipped',
    reason: 'missing parameter cardId',
    why: { kind: 'missing-parameter', names: ['cardId'] },
  });
  const allow = check({ outcome: 'skipped', reason: 'r', why: { kind: 'needs-allow', effect: 'write' } });

  test('each next step goes one step further', () => {
    const steps = (over: Partial<Report>) => nextSteps(on(20, over)).join('\n');
    expect(steps({ checks: [missing, allow], coverage: seen('documented') })).toMatch(/^Set parameters .*: cardId\.$/);
    expect(steps({ checks: [check(), allow], coverage: seen('documented') })).toMatch(
      /^Record the omitted response shapes/,
    );
    expect(steps({ checks: [check(), allow], coverage: seen('observed') })).toMatch(/^Run it every night/);
    const since = { previous: on(19).startedAt, new: [], known: [], gone: [] };
    expect(steps({ checks: [check(), allow], coverage: seen('observed'), since })).toMatch(/^To send more than reads/);
    expect(steps({ checks: [check()], coverage: seen('observed'), since })).toBe('');
  });

  test('a run proves nothing only if no check passed; otherwise the step names the open checks', () => {
    const out = (id: string): Check => check({ id, outcome: 'inconclusive', reason: 'it answers 408' });
    const step = (...checks: Check[]) => nextSteps(on(20, { verdict: 'inconclusive', exitCode: 4, checks }))[0];
    expect(step(out('cards.answers.getCard'))).toMatch(/^This run proves nothing\. Fix the reasons/);
    expect(step(check(), out('cards.answers.getCard'), out('fees.answers.getCardFees'))).toBe(
      '2 checks could not be judged: cards.answers.getCard, fees.answers.getCardFees. Fix the reasons listed under Checks, then run it again.',
    );
    const many = Array.from({ length: 9 }, (_, index) => out(`a.${index}`));
    expect(step(check(), ...many)).toMatch(
      /^9 checks could not be judged: a\.0, a\.1, a\.2, a\.3, a\.4 and 4 more\. Fix/,
    );
    expect(step()).toBe('Nothing was checked, so this run proves nothing.');
  });

  test('obstacles come before the limits of the policy', () => {
    const many = Array.from({ length: 9 }, () => allow);
    const text = renderText(on(20, { checks: [...many, missing] }));
    expect(text.indexOf('missing parameter')).toBeLessThan(text.indexOf('r: 9 cards'));
  });
});
