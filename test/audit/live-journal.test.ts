import { describe, expect, test } from 'vitest';
import { type Audited, judgeCaller } from '../../src/audit/judge-caller.ts';
import { loadContract } from '../../src/contract/load.ts';
import { judgeSettled } from '../../src/drive/live-journal.ts';
import type { JournalEntry } from '../../src/journal/write.ts';
import { CARD, JournalBuilder } from './journal-builder.ts';

const contract = await loadContract();

const START = Date.parse('2026-03-01T10:00:00.000Z');
type Script = (journal: JournalBuilder) => unknown;

function entriesOf(script: Script): JournalEntry[] {
  const journal = new JournalBuilder(contract);
  script(journal);
  return journal.entries();
}

const gaveUp: Script = (j) => j.token({ at: 0, gives: 'T1' }).call({ at: 50, status: 401 });

/** Judged at this many milliseconds of the journal's clock. */
function judgedAt(at: number, script: Script): Audited {
  return judgeCaller({ contract, recordings: [{ entries: entriesOf(script), readAt: START + at }] });
}
const found = ({ findings }: Audited): string[] => findings.map(({ rule }) => rule);

describe('a growing journal', () => {
  test('a missing retry is neither a finding nor kept while it may still come', () => {
    const audited = judgedAt(3_000, gaveUp);
    expect(found(audited)).toEqual([]);
    expect(audited.open).toBe(true);
    expect(audited.rules.find(({ rule }) => rule === 'unauthorized-not-retried')).toEqual({
      rule: 'unauthorized-not-retried',
      outcome: 'undecided',
      evidence: '1 response of 401, 0 retried; needs a 401 whose call is sent again with a new token',
    });
  });

  test("a growing journal is judged at its own clock's time, not at its last exchange", () => {
    const audited = judgedAt(20_000, gaveUp);
    expect(found(audited)).toEqual(['unauthorized-not-retried']);
    expect(audited.open).toBe(false);
    const closed = judgeCaller({ contract, recordings: [{ entries: entriesOf(gaveUp) }] });
    expect(found(closed)).toEqual(found(audited));
  });

  test('a retry that arrives is evidence', () => {
    const audited = judgedAt(600, (j) => gaveUp(j) && j.token({ at: 200, gives: 'T2' }).call({ at: 400, token: 'T2' }));
    expect(found(audited)).toEqual([]);
    expect(audited.open).toBe(false);
  });
});

describe('judgeSettled', () => {
  /** A journal read at virtual times: its entries, and the time of its clock. */
  async function settle(
    reads: (at: number) => { script: Script; now: number },
  ): Promise<{ audited: Audited; at: number }> {
    let at = 0;
    const audited = await judgeSettled({
      read: async () => {
        const { script, now } = reads(at);
        return { entries: entriesOf(script), now: START + now };
      },
      judge: async (recording) => judgeCaller({ contract, recordings: [recording] }),
      sleep: async (ms) => {
        at += ms;
      },
      monotonic: () => at,
      signal: new AbortController().signal,
    });
    return { audited, at };
  }

  test('judgeSettled does not wait if no question is open', async () => {
    const { audited, at } = await settle(() => ({ script: gaveUp, now: 60_000 }));
    expect([found(audited), at]).toEqual([['unauthorized-not-retried'], 0]);
  });

  test('judgeSettled waits until a retry would have arrived', async () => {
    const { audited, at } = await settle((time) => ({ script: gaveUp, now: 100 + time }));
    expect(found(audited)).toEqual(['unauthorized-not-retried']);
    expect(at).toBeLessThanOrEqual(11_000);
  });

  test('judgeSettled also ends if the clock of the journal stands still or is behind', async () => {
    const { audited, at } = await settle(() => ({ script: gaveUp, now: -3_600_000 }));
    expect(found(audited)).toEqual(['unauthorized-not-retried']);
    expect(at).toBeLessThanOrEqual(11_000);
  });

  test('judgeSettled waits as long if the clock of the mock was moved by a day and back', async () => {
    const moved: Script = (j) => {
      const day = 24 * 3_600_000;
      j.token({ at: 0, gives: 'T1' }).moveClock(day).call({ at: 20 }).moveClock(-day).call({ at: 50, status: 401 });
    };
    expect((await settle(() => ({ script: moved, now: 100 }))).at).toBeGreaterThan(8_000);
    expect((await settle(() => ({ script: moved, now: 60_000 }))).at).toBe(0);
  });

  test('judgeSettled finds a late retry and reports no finding', async () => {
    const retried: Script = (j) =>
      gaveUp(j) && j.token({ at: 60, takes: 4_000, gives: 'T2' }).call({ at: 4_100, token: 'T2' });
    const { audited, at } = await settle((time) => ({ script: time < 4_200 ? gaveUp : retried, now: 100 + time }));
    expect(found(audited)).toEqual([]);
    expect(audited.rules.find(({ rule }) => rule === 'unauthorized-not-retried')?.outcome).toBe('kept');
    expect(at).toBeLessThan(6_000);
  });

  test('judgeSettled ends for a journal that never stops growing', async () => {
    let calls = 0;
    const { audited, at } = await settle((time) => {
      calls += 1;
      const number = calls;
      return {
        now: 100 + time,
        script: (j) => {
          for (let i = 0; i < number; i++) {
            j.token({ at: i * 1_000, gives: `T${i}` }).call({
              at: i * 1_000 + 50,
              token: `T${i}`,
              status: 401,
              path: `${CARD}${i}`,
              agent: `a${i}`,
              connection: i,
            });
          }
        },
      };
    });
    expect(audited.open).toBe(true);
    expect(at).toBeLessThanOrEqual(12_000);
  });
});
