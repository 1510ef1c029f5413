import { describe, expect, test } from 'vitest';
import { ownFolder } from '../../src/contract/folder.ts';
import { type BaselineEntry, type CompletedRun, partByBaseline, staleEntries } from '../../src/judge/baseline.ts';
import { check, finding } from '../support/report-samples.ts';

const entry = (over: Partial<BaselineEntry> = {}): BaselineEntry => ({
  fingerprint: '00000000000000a1',
  reason: 'known, fixed in January',
  owner: 'team-cards',
  expires: '2026-12-31',
  rule: 'type-contradicted',
  operation: 'getCard',
  pointer: '/cardLimitDaily',
  checks: ['cards.shape.getCard'],
  parts: [],
  ...over,
});
const ended = (over: Partial<CompletedRun> = {}): CompletedRun => ({
  rules: ownFolder.rules,
  findings: [],
  checks: [check()],
  coverage: [],
  interrupted: false,
  ...over,
});
const stale = (entries: BaselineEntry[], over: Partial<CompletedRun>): string[] =>
  staleEntries({ entries }, ended(over)).map(({ fingerprint }) => fingerprint);

describe('accepted findings', () => {
  test('a finding with an accepted fingerprint is listed separately, with reason, owner and date', () => {
    const known = finding();
    const other = finding({ fingerprint: '00000000000000b2' });
    const parted = partByBaseline([known, other], { entries: [entry()] }, '2026-11-20');
    expect(parted.active).toEqual([other]);
    expect(parted.accepted).toEqual([
      {
        fingerprint: known.fingerprint,
        reason: 'known, fixed in January',
        owner: 'team-cards',
        expires: '2026-12-31',
        finding: known,
      },
    ]);
  });

  test('only the fingerprint decides: the rest of an entry may be wrong or absent', () => {
    const bare = entry({ rule: 'other', operation: 'getAccount', pointer: '/x', checks: [] });
    expect(partByBaseline([finding()], { entries: [bare] }, '2026-11-20').accepted).toHaveLength(1);
    const twin = finding({ fingerprint: '00000000000000b2' });
    expect(partByBaseline([twin], { entries: [entry()] }, '2026-11-20').accepted).toEqual([]);
  });

  test('an entry applies through its last day, and the finding is active from the next day', () => {
    const on = (today: string) => partByBaseline([finding()], { entries: [entry()] }, today);
    expect(on('2026-12-31').accepted).toHaveLength(1);
    expect(on('2027-01-01')).toMatchObject({ accepted: [], active: [{}], expired: [{ expires: '2026-12-31' }] });
  });
});

describe('stale entries', () => {
  test('an entry is stale if its check completed without the finding, passed or failed', () => {
    expect(stale([entry()], {})).toEqual(['00000000000000a1']);
    expect(stale([entry()], { checks: [check({ outcome: 'failed' })] })).toEqual(['00000000000000a1']);
    expect(staleEntries({ entries: [entry()] }, ended())[0]?.why).toContain('getCard at /cardLimitDaily is gone');
  });

  test('an entry is not stale while its finding exists, accepted or expired', () => {
    expect(stale([entry()], { findings: [finding()] })).toEqual([]);
    expect(stale([entry({ expires: '2020-01-01' })], { findings: [finding()] })).toEqual([]);
  });

  test.each(['skipped', 'inconclusive'] as const)('a check that is %s makes no entry stale', (outcome) => {
    expect(stale([entry()], { checks: [check({ outcome })] })).toEqual([]);
    const both = entry({ checks: ['cards.shape.getCard', 'cards.other'] });
    expect(stale([both], { checks: [check(), check({ id: 'cards.other', outcome })] })).toEqual([]);
  });

  test('an interrupted run and a missing check make no entry stale', () => {
    expect(stale([entry()], { interrupted: true })).toEqual([]);
    expect(stale([entry()], { checks: [] })).toEqual([]);
    expect(stale([entry({ checks: ['gone.check'] })], {})).toEqual([]);
  });

  test('a field without data in this run makes no entry stale, unless the finding is the missing field', () => {
    const coverage = [{ operationId: 'getCard', fields: [{ pointer: '/cardLimitDaily', seen: 0 }] }];
    expect(stale([entry()], { coverage })).toEqual([]);
    expect(stale([entry({ rule: 'required-missing' })], { coverage })).toHaveLength(1);
  });

  test('an entry without check names is stale once its operation, or the whole run, was checked', () => {
    const bare = entry({ checks: [] });
    const ofRun = entry({ checks: [], operation: null });
    const skipped = check({ outcome: 'skipped' });
    const other = check({ operationId: 'getClient', outcome: 'skipped' });
    const mockOnly = check({ kind: 'mock-only', outcome: 'skipped' });
    expect([stale([bare], { checks: [check(), mockOnly, other] }), stale([bare], { checks: [mockOnly] })]).toEqual([
      [bare.fingerprint],
      [],
    ]);
    expect(stale([bare], { checks: [check(), skipped] })).toEqual([bare.fingerprint]);
    expect(stale([bare], { checks: [check(), check({ outcome: 'inconclusive' })] })).toEqual([]);
    expect(stale([ofRun], { checks: [check(), mockOnly] })).toEqual([ofRun.fingerprint]);
    expect(stale([ofRun], { checks: [check(), other] })).toEqual([]);
  });
});
