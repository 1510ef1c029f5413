import { describe, expect, test } from 'vitest';
import type { CallersAre } from '../../src/audit/callers.ts';
import { type Audited, judgeCaller } from '../../src/audit/judge-caller.ts';
import { loadContract } from '../../src/contract/load.ts';
import { BAD_HABITS, DOUBTFUL, GOOD_HABITS, type Habit } from './habits.ts';
import { CARD, JournalBuilder } from './journal-builder.ts';

const contract = await loadContract();

function audit({ script }: Omit<Habit, 'rule'>, callers?: CallersAre): Audited {
  const journal = new JournalBuilder(contract);
  script(journal);
  return judgeCaller({ contract, recordings: [{ entries: journal.entries(), ...(callers && { callers }) }] });
}

describe('a bad habit is found by its rule and no other', () => {
  for (const habit of BAD_HABITS) {
    test(`${habit.rule}: ${habit.name}`, () => {
      const { findings, rules } = audit(habit);
      expect(findings.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([
        expect.stringContaining(`${habit.rule}: `),
      ]);
      expect(rules.filter(({ outcome }) => outcome === 'broken').map(({ rule }) => rule)).toEqual([habit.rule]);
      for (const { exchanges, message } of findings) {
        expect(exchanges.length).toBeGreaterThan(0);
        expect(message).toMatch(/#\d+ at \d\d:\d\d:\d\d\.\d{3}/);
        expect(message).not.toMatch(/sandbox-secret|eyJ|DE02/);
      }
    });
  }
});

describe('what only looks like a bad habit gives no finding', () => {
  for (const habit of GOOD_HABITS) {
    test(habit.name, () => {
      expect(audit(habit).findings.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
    });
  }
});

describe('parts that look alike and ask for a token at the same moment', () => {
  for (const habit of DOUBTFUL) {
    test(`${habit.name}: one warning that says so; the user decides`, () => {
      const { findings, callers } = audit(habit);
      const [finding, ...more] = findings;
      expect(more).toEqual([]);
      expect(finding).toMatchObject({ rule: 'refresh-not-shared', severity: 'warning' });
      const number = callers.length;
      expect(finding?.message).toContain(
        `${number} token requests with the same credentials and the same user agent, from the same address, at the same moment: one program without a shared token, or ${number} programs.`,
      );
      expect(finding?.message).toContain('test #1, test #2');
      expect(audit(habit, 'by-connection').findings).toEqual([]);
      const one = audit(habit, 'one');
      expect(one.callers).toHaveLength(1);
      expect(one.findings[0]).toMatchObject({ rule: 'refresh-not-shared', actual: 'token requests at once' });
    });
  }

  test('programs of other names are several', () => {
    const programs = (j: JournalBuilder): void => {
      for (let p = 0; p < 4; p++) {
        const wire = { connection: p, agent: `program-${p}` };
        j.token({ at: p, gives: `P${p}`, ...wire }).call({ at: 50 + p, token: `P${p}`, ...wire });
      }
    };
    const { findings, callers } = audit({ name: '', script: programs });
    expect(findings).toEqual([]);
    expect(callers).toEqual([0, 1, 2, 3].map((p) => ({ name: `program-${p}`, connections: 1, exchanges: 2 })));
  });
});

describe('the score card', () => {
  const outcomeOf = (audited: Audited, id: string): unknown[] => {
    const { outcome, evidence } = audited.rules.find(({ rule }) => rule === id) ?? {};
    return [outcome, evidence];
  };

  test('says what each row rests on', () => {
    const audited = audit({
      name: '',
      script(j) {
        j.token({ at: 0, gives: 'T0' });
        for (let i = 0; i < 3; i++) {
          j.call({ at: 50 + i * 200, token: `T${i}`, status: 401 });
          j.token({ at: 100 + i * 200, gives: `T${i + 1}` }).call({ at: 150 + i * 200, token: `T${i + 1}` });
        }
      },
    });
    expect(audited.findings).toEqual([]);
    expect(outcomeOf(audited, 'unauthorized-not-retried')).toEqual(['kept', '3 refusals seen, 3 retried']);
    expect(outcomeOf(audited, 'token-missing')).toEqual(['kept', '6 calls, 6 with a bearer token']);
    expect(outcomeOf(audited, 'refresh-loop')).toEqual(['not-exercised', '']);
  });

  test('the same call made anew, after others, is no retry; nor is the token left that is sent next', () => {
    const audited = audit({
      name: '',
      script(j) {
        j.token({ at: 0, gives: 'T1' }).call({ at: 50, status: 401 });
        j.token({ at: 100, gives: 'T2' }).call({ at: 150, path: `${CARD}2` });
        for (let i = 0; i < 4; i++) j.call({ at: 200 + i * 50, token: 'T2', path: i === 3 ? CARD : `${CARD}${i}` });
      },
    });
    expect(audited.findings).toEqual([]);
    expect(outcomeOf(audited, 'unauthorized-not-retried')).toEqual(['not-exercised', '1 refusal seen, 0 retried']);
    expect(outcomeOf(audited, 'retried-with-dead-token')[0]).toBe('not-exercised');
  });

  test('a pause is one that was made: calls that go on, and an end of all calls, show none', () => {
    const limited = (...at: number[]): Audited =>
      audit({
        name: '',
        script(j) {
          j.token({ at: 0, gives: 'T1' });
          for (const each of at) j.call({ at: each, status: 429, answers: [['retry-after', '1']] });
        },
      });
    expect(outcomeOf(limited(50, 100, 150), 'rate-limit-ignored')).toEqual([
      'not-exercised',
      '3 answers of 429, 0 heeded',
    ]);
    expect(outcomeOf(limited(50, 1_200), 'rate-limit-ignored')).toEqual(['kept', '2 answers of 429, 1 heeded']);
    const failing = (...at: number[]): Audited =>
      audit({ name: '', script: (j) => at.map((each) => j.token({ at: each, status: 503 })) });
    expect(outcomeOf(failing(0, 30, 60), 'token-endpoint-hammered')[0]).toBe('not-exercised');
    expect(outcomeOf(failing(0, 300), 'token-endpoint-hammered')[0]).toBe('kept');
  });

  test('a renewal when the token may have expired is none in time', () => {
    const renewedAt = (at: number): Audited =>
      audit({
        name: '',
        script(j) {
          // its response is read late, so that its program takes it for good for longer than it is
          j.token({ at: 0, gives: 'T1', expiresIn: 600 }).call({ at: 4_000 });
          j.token({ at, gives: 'T2' }).call({ at: at + 50, token: 'T2' });
        },
      });
    expect(outcomeOf(renewedAt(560_000), 'token-not-renewed-in-time')[0]).toBe('kept');
    expect(outcomeOf(renewedAt(600_020), 'token-not-renewed-in-time')).toEqual(['not-exercised', '']);
  });

  test('kept is never said without evidence, whatever the habit', () => {
    for (const habit of [...BAD_HABITS, ...GOOD_HABITS, ...DOUBTFUL]) {
      for (const { rule, outcome, evidence } of audit(habit).rules) {
        if (outcome === 'kept') expect(`${habit.name}: ${rule}: ${evidence}`).toMatch(/: \d+ .*, [1-9]\d* /);
        if (outcome === 'broken') expect(`${habit.name}: ${rule}: ${evidence}`).toMatch(/: \d+ /);
      }
    }
  });
});

test('several calls with four sendings each are retried more than once, and no loop', () => {
  const { findings } = audit({
    name: '',
    script(j) {
      for (let i = 0; i < 24; i++) {
        j.token({ at: i * 40, gives: `T${i}` }).call({ at: i * 40 + 20, takes: 10, token: `T${i}`, status: 401 });
      }
    },
  });
  expect(findings.map(({ rule }) => rule)).toEqual(['retried-more-than-once']);
});

test('an endless loop is found beside another one of the same request', () => {
  const { findings } = audit({
    name: '',
    script(j) {
      for (let i = 0; i < 120; i++) {
        const own = { connection: i % 2, agent: 'test' };
        j.token({ at: i * 50, gives: `T${i}`, ...own }).call({ at: i * 50 + 25, token: `T${i}`, status: 401, ...own });
      }
    },
  });
  expect(findings.map(({ rule }) => rule)).toContain('refresh-loop');
});
