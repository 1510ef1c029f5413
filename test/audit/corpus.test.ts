import { beforeAll, describe, expect, test } from 'vitest';
import { type Audited, judgeCaller } from '../../src/audit/judge-caller.ts';
import type { Contract } from '../../src/spec/contract.ts';
import { loadContract } from '../../src/spec/load.ts';
import { BAD_HABITS, GOOD_HABITS, type Habit } from './habits.ts';
import { JournalBuilder } from './journal-builder.ts';

let contract: Contract;
beforeAll(async () => {
  contract = await loadContract();
});

function audit({ script }: Omit<Habit, 'rule'>, single = false): Audited {
  const journal = new JournalBuilder(contract);
  script(journal);
  return judgeCaller({ contract, recordings: [{ entries: journal.entries(), single }] });
}

describe('a bad habit is found by its rule and no other', () => {
  for (const habit of BAD_HABITS) {
    test(`${habit.rule}: ${habit.name}`, () => {
      const { findings, rules } = audit(habit);
      expect(findings.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([
        expect.stringContaining(`${habit.rule}: `),
      ]);
      expect(rules.filter(({ outcome }) => outcome === 'broken')).toEqual([{ rule: habit.rule, outcome: 'broken' }]);
      for (const { exchanges, message } of findings) {
        expect(exchanges.length).toBeGreaterThan(0);
        expect(message).toMatch(/#\d+ at \d\d:\d\d:\d\d\.\d{3}/);
        expect(message).not.toMatch(/sandbox-secret|eyJ|DE02/);
      }
    });
  }

  test('at least twenty of them', () => {
    expect(BAD_HABITS.length).toBeGreaterThanOrEqual(20);
  });
});

describe('what only looks like a bad habit gives no finding', () => {
  for (const habit of GOOD_HABITS) {
    test(habit.name, () => {
      expect(audit(habit).findings.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
    });
  }
});
