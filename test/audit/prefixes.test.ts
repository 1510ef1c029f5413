import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeCaller } from '../../src/audit/judge-caller.ts';
import { loadContract } from '../../src/contract/load.ts';
import type { JournalEntry } from '../../src/journal/write.ts';
import { BAD_HABITS, GOOD_HABITS } from './habits.ts';
import { asClient, CARD, JournalBuilder } from './journal-builder.ts';

const contract = await loadContract();

function findingsOf(entries: readonly JournalEntry[]): string[] {
  const recordings = [{ entries, callers: 'one' as const }];
  return judgeCaller({ contract, recordings }).findings.map(({ rule, operationId }) => `${rule} ${operationId}`);
}

/** Quiet places, without an open call, refresh or pause: everything is answered, and ten seconds pass. */
function cutsOf(entries: readonly JournalEntry[]): number[] {
  const ends = entries.map(({ endedAt }) => Date.parse(endedAt));
  return entries.flatMap(({ startedAt }, index) => {
    const before = Math.max(Number.NEGATIVE_INFINITY, ...ends.slice(0, index));
    return index > 0 && Date.parse(startedAt) - before > 10_000 ? [index] : [];
  });
}

/** Rules that are not reported together with token-not-cached, according to their pages. */
const FOLLOWING = /^(?:refresh-not-shared|renewed-without-401) /;

function expectNoAcquittal(entries: readonly JournalEntry[]): void {
  const last = findingsOf(entries);
  const explained = last.some((finding) => finding.startsWith('token-not-cached'));
  for (const cut of cutsOf(entries)) {
    const lost = findingsOf(entries.slice(0, cut)).filter((finding) => !last.includes(finding));
    expect(lost.filter((finding) => !(explained && FOLLOWING.test(finding)))).toEqual([]);
  }
}

const bad = Object.values(BAD_HABITS).flatMap((habits) => Object.values(habits));
const scripts = [...bad, ...Object.values(GOOD_HABITS)];

describe('findings persist', () => {
  test('a finding at a quiet moment persists, for any sequence of habits', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...scripts), fc.integer({ min: 11_000, max: 100_000 })), {
          minLength: 2,
          maxLength: 5,
        }),
        (parts) => {
          const journal = new JournalBuilder(contract);
          for (const [script, pause] of parts) {
            script(journal);
            journal.pause(pause);
          }
          expectNoAcquittal(journal.entries());
        },
      ),
      { numRuns: Number(process.env.AUDIT_RUNS ?? 60), interruptAfterTimeLimit: 10_000 },
    );
  });

  test.each([1, 2, 3])('%i endless loops of one request in parallel are found', (loops) => {
    const journal = new JournalBuilder(contract);
    for (let i = 0; i < 80 * loops; i++) {
      const own = { connection: i % loops };
      journal.token({ at: i * 40, gives: `T${i}`, ...own });
      journal.call({ at: i * 40 + 25, takes: 40 * loops - 30, token: `T${i}`, status: 401, ...own });
    }
    const entries = journal.entries();
    for (const until of [110, entries.length]) {
      expect(findingsOf(entries.slice(0, until * loops))).toContain('refresh-loop getCard');
    }
  });

  test('a call beside a retry with an older token, or with one requested before it, continues no retry', () => {
    const journal = new JournalBuilder(contract);
    const wire = { takes: 0, status: 401 };
    for (const [index, gives] of ['A1', 'B1'].entries()) journal.token({ at: index, takes: 0, gives });
    journal.call({ at: 700, token: 'B1', ...wire }).call({ at: 701, token: 'A1', ...wire });
    journal.token({ at: 701, takes: 0, gives: 'B2' }).token({ at: 702, takes: 0, gives: 'A2' });
    journal.call({ at: 702, token: 'B2', ...wire }).call({ at: 702, token: 'A2', ...wire });
    expect(findingsOf(journal.entries())).not.toContain('retried-more-than-once getCard');
  });

  test('sixty good calls do not excuse a rejected token that was sent again', () => {
    const journal = new JournalBuilder(contract);
    journal.token({ at: 0, gives: 'T1' }).call({ at: 50, status: 401 }).call({ at: 80, status: 401 });
    journal.token({ at: 120, gives: 'T2' });
    for (let i = 0; i < 60; i++) journal.call({ at: 200 + i * 50, token: 'T2', path: i % 2 ? CARD : `${CARD}2` });
    expect(findingsOf(journal.entries())).toEqual(['retried-with-dead-token getCard']);
  });

  test('the same call of another client, made a minute later, does not excuse a missing retry', () => {
    const journal = new JournalBuilder(contract);
    const others = [1, 2].map((number) => ({ connection: number, headers: asClient(`client-${number}`) }));
    journal.token({ at: 0, gives: 'T1' }).call({ at: 50, status: 401 });
    expect(findingsOf(journal.entries())).toEqual(['unauthorized-not-retried getCard']);
    for (const [index, other] of others.entries()) {
      journal.token({ at: 60_000 + index, gives: `C${index}`, ...other });
      journal.call({ at: 60_100 + index, token: `C${index}`, connection: other.connection });
    }
    expect(findingsOf(journal.entries())).toEqual(['unauthorized-not-retried getCard']);
  });
});
