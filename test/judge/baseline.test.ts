import { describe, expect, test } from 'vitest';
import { ownFolder } from '../../src/contract/folder.ts';
import { type BaselineEntry, type Ended, partByBaseline, staleEntries } from '../../src/judge/baseline.ts';
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
  ...over,
});
const ended = (over: Partial<Ended> = {}): Ended => ({
  rules: ownFolder.rules,
  findings: [],
  checks: [check()],
  coverage: [],
  interrupted: false,
  ...over,
});
const stale = (entries: BaselineEntry[], over: Partial<Ended>): string[] =>
  staleEntries({ entries }, ended(over)).map(({ fingerprint }) => fingerprint);

describe('what a baseline accepts', () => {
  test('a finding with an accepted fingerprint is set apart, with reason, owner and date', () => {
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

  test('the fingerprint alone decides: the rest of an entry may be wrong or absent', () => {
    const bare = entry({ rule: 'other', operation: 'getAccount', pointer: '/x', checks: [] });
    expect(partByBaseline([finding()], { entries: [bare] }, '2026-11-20').accepted).toHaveLength(1);
    const twin = finding({ fingerprint: '00000000000000b2' });
    expect(partByBaseline([twin], { entries: [entry()] }, '2026-11-20').accepted).toEqual([]);
  });

  test('an entry holds through its last day and is an active finding from the next', () => {
    const on = (today: string) => partByBaseline([finding()], { entries: [entry()] }, today);
    expect(on('2026-12-31').accepted).toHaveLength(1);
    expect(on('2027-01-01')).toMatchObject({ accepted: [], active: [{}], expired: [{ expires: '2026-12-31' }] });
  });
});

describe('what is stale', () => {
  test('an entry whose check ran to an end without the finding, passed or failed', () => {
    expect(stale([entry()], {})).toEqual(['00000000000000a1']);
    expect(stale([entry()], { checks: [check({ outcome: 'failed' })] })).toEqual(['00000000000000a1']);
    expect(staleEntries({ entries: [entry()] }, ended())[0]?.why).toContain('getCard at /cardLimitDaily is gone');
  });

  test('nothing whose finding is still there, accepted or past its date', () => {
    expect(stale([entry()], { findings: [finding()] })).toEqual([]);
    expect(stale([entry({ expires: '2020-01-01' })], { findings: [finding()] })).toEqual([]);
  });

  test.each(['skipped', 'inconclusive'] as const)('a check that is %s makes nothing stale', (outcome) => {
    expect(stale([entry()], { checks: [check({ outcome })] })).toEqual([]);
    const both = entry({ checks: ['cards.shape.getCard', 'cards.other'] });
    expect(stale([both], { checks: [check(), check({ id: 'cards.other', outcome })] })).toEqual([]);
  });

  test('an interrupted run and a check that is not there make nothing stale', () => {
    expect(stale([entry()], { interrupted: true })).toEqual([]);
    expect(stale([entry()], { checks: [] })).toEqual([]);
    expect(stale([entry({ checks: ['gone.check'] })], {})).toEqual([]);
  });

  test('a field that no answer had this time makes nothing stale, unless it is the missing one', () => {
    const coverage = [{ operationId: 'getCard', fields: [{ pointer: '/cardLimitDaily', seen: 0 }] }];
    expect(stale([entry()], { coverage })).toEqual([]);
    expect(stale([entry({ rule: 'required-missing' })], { coverage })).toHaveLength(1);
  });

  describe('an entry without the names of its checks', () => {
    const bare = (over: Partial<BaselineEntry> = {}): BaselineEntry => entry({ checks: [], ...over });
    const answers = check({ id: 'cards.answers.getCard' });
    const refused = check({ id: 'unauthorised.missing-token.getCard' });
    const skipped = [
      check({ id: 'cards.token-only-physical', outcome: 'skipped' }),
      check({ id: 'fees.other-method.getCard', kind: 'probe', outcome: 'skipped' }),
      check({ id: 'unauthorised.single-flight', kind: 'mock-only', outcome: 'skipped' }),
    ];

    test('is stale where a check of its operation that shows it ran to an end, whatever was skipped beside it', () => {
      expect(stale([bare()], { checks: [answers, ...skipped] })).toHaveLength(1);
      expect(stale([bare()], { checks: [check({ operationId: 'getClient' }), ...skipped] })).toEqual([]);
      expect(stale([bare()], { checks: [check({ outcome: 'skipped' }), refused] })).toEqual([]);
      expect(stale([bare({ rule: null })], { checks: [answers, ...skipped] })).toHaveLength(1);
    });

    test('is not stale where a check of its operation is unclear', () => {
      const unclear = check({ id: 'cards.other.getCard', outcome: 'inconclusive' });
      expect(stale([bare()], { checks: [answers, unclear] })).toEqual([]);
      expect(stale([bare()], { checks: [answers, { ...unclear, operationId: 'getClient' }] })).toHaveLength(1);
    });

    test('of a rule that a call of its own shows waits for that one', () => {
      for (const rule of ['method-not-refused', 'card-token-not-physical', 'contract-check-failed']) {
        expect([rule, stale([bare({ rule })], { checks: [answers, refused, ...skipped] })]).toEqual([rule, []]);
      }
      expect(stale([bare({ rule: 'token-not-refused' })], { checks: [refused, ...skipped] })).toHaveLength(1);
      expect(stale([bare({ rule: 'token-not-refused' })], { checks: [answers, ...skipped] })).toEqual([]);
    });

    test('and without an operation is about the run: any skipped check may have been the one', () => {
      const nameless = bare({ operation: null, rule: null });
      expect(stale([nameless], { checks: [answers, refused] })).toHaveLength(1);
      expect(stale([nameless], { checks: [answers, ...skipped] })).toEqual([]);
      const tls = bare({ operation: null, rule: 'tls-not-verified', pointer: null });
      expect(stale([tls], { checks: [answers, ...skipped] })).toHaveLength(1);
    });
  });
});
