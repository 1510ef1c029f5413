import { expect, test } from 'vitest';
import { judgeCaller, judgeCallerInSlices } from '../../src/audit/judge-caller.ts';
import { loadContract } from '../../src/contract/load.ts';
import type { JournalEntry } from '../../src/journal/write.ts';
import { type CallOptions, JournalBuilder, type TokenOptions } from './journal-builder.ts';

const contract = await loadContract();

type Step = ({ call: CallOptions } | { token: TokenOptions })[];
const cardPath = (index: number): string => `/wallet/api/customers/c1/cards/k${index}`;

/** One step of each kind of random traffic; `index` counts the steps. */
const TRAFFIC: Record<string, (index: number) => Step> = {
  'rejected and retried': (index) => [
    { call: { at: index * 30, takes: 5, token: `T${index}`, status: 401 } },
    { token: { at: index * 30 + 8, takes: 5, gives: `T${index + 1}` } },
    { call: { at: index * 30 + 15, takes: 5, token: `T${index + 1}` } },
  ],
  'rejected and never retried': (index) => [{ call: { at: index, takes: 5, status: 401 } }],
  'repeatedly rejected retries': (index) => [
    { token: { at: index * 10, takes: 3, gives: `T${index}` } },
    { call: { at: index * 10 + 5, takes: 3, token: `T${index}`, status: 401 } },
  ],
  'a token for each call': (index) => [
    { token: { at: index * 30, takes: 5, gives: `T${index}` } },
    { call: { at: index * 30 + 10, takes: 5, token: `T${index}`, path: cardPath(index) } },
  ],
  'a connection for each call': (index) => [
    { call: { at: index * 10, takes: 5, path: cardPath(index), connection: index } },
  ],
  'many programs with different names': (index) => [
    { token: { at: index * 5, takes: 5, gives: `T${index}`, connection: index, agent: `a${index}` } },
    { call: { at: index * 5 + 10, takes: 50, token: `T${index}`, connection: index, agent: `a${index}` } },
  ],
  'a failing token endpoint': (index) => [
    { token: { at: index * 10, takes: 5, ...(index === 0 ? { gives: 'T1', expiresIn: 60 } : { status: 503 }) } },
    { call: { at: index * 10 + 6, takes: 3 } },
  ],
  'a repetitive token endpoint': (index) => [
    { token: { at: index * 10, takes: 5, gives: 'T1' } },
    { call: { at: index * 10 + 6, takes: 3 } },
  ],
  'threads that are rejected together': (index) =>
    Array.from({ length: 20 }, (_, thread): Step => {
      const at = index * 2000;
      const token = thread === 0 ? `R${index + 1}` : `X${index}-${thread}`;
      return [
        { call: { at: at + (thread % 7), takes: 50, token: `R${index}`, status: 401, connection: thread } },
        { token: { at: at + 60 + (thread % 11), takes: 20, gives: token, connection: thread } },
        { call: { at: at + 100 + (thread % 5), takes: 30, token, connection: thread } },
      ];
    }).flat(),
};

function journalOf(step: (index: number) => Step, exchanges: number): JournalEntry[] {
  const builder = new JournalBuilder(contract);
  let made = 0;
  for (let index = 0; made < exchanges; index += 1) {
    for (const one of step(index)) {
      if ('call' in one) builder.call(one.call);
      else builder.token(one.token);
      made += 1;
    }
  }
  return builder.entries();
}

/** In microseconds. Best of six, because the collector cleans up after other tests of this process, too. */
function cpuOf(entries: readonly JournalEntry[]): number {
  let best = Infinity;
  for (let round = 0; round < 6; round += 1) {
    const started = process.cpuUsage();
    judgeCaller({ contract, recordings: [{ entries }] });
    const { user, system } = process.cpuUsage(started);
    best = Math.min(best, user + system);
  }
  return best;
}

test.each(Object.entries(TRAFFIC))('%s: a journal is judged in linear time', (_, step) => {
  const few = cpuOf(journalOf(step, 600));
  expect(cpuOf(journalOf(step, 6000)) / Math.max(few, 5_000)).toBeLessThan(30);
});

test('an interrupted audit reports its findings and the rules that were not checked', async () => {
  const entries = journalOf(() => [{ call: { at: 0, takes: 5, status: 401 } }], 20_000);
  const interruption = new AbortController();
  setTimeout(() => interruption.abort(), 0);
  const audited = await judgeCallerInSlices({ contract, recordings: [{ entries }] }, interruption.signal);
  expect(audited.notes).toEqual([expect.stringMatching(/^Interrupted: \d+ of \d+ rules were not checked\.$/)]);
  expect(audited.rules.at(-1)).toEqual({
    rule: 'write-done-twice',
    outcome: 'not-exercised',
    evidence: 'interrupted before it was judged',
  });
});
