import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { judge } from '../../src/judge/judge.ts';
import { makeRecording } from '../../src/learn/recording.ts';
import { gather, sightingsOf } from '../../src/learn/sightings.ts';
import type { Call } from '../../src/model/call.ts';
import { call } from '../judge/calls.ts';

let state = 1;
/** The same numbers in every run of the test. */
function below(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648;
  return Math.floor((state / 2147483648) * limit);
}
const id = (): string => `${'abcdef'[below(6)]}${below(1e9).toString(36)}`;
const many = <T>(most: number, make: () => T): T[] => Array.from({ length: below(most) }, make);

function card(): object {
  const optional = below(2) === 0 ? { token: id(), note: id() } : {};
  return {
    ...optional,
    id: id(),
    cardProgramme: id(),
    cardLimitDaily: below(1000),
    alias: below(3) === 0 ? null : id(),
    balance: below(10) / (below(2) === 0 ? 1 : 4),
    opened: `202${below(9)}-0${1 + below(8)}-1${below(9)}`,
    accounts: Object.fromEntries(many(4, () => [`acc-${1000 + below(8999)}`, { balance: below(100) / 8 }])),
    tags: many(3, id),
  };
}

function answers(): Call[] {
  const one = (): Call => call('getCard', { json: card() });
  const list = (): Call => call('listClientCards', { json: { page: below(9), cards: many(6, card) } });
  return [one(), one(), one(), list(), list()];
}

test('no false alarm in 100 runs of an unchanged target whose data vary', async () => {
  const seen = Array.from({ length: 4 }, answers).flat();
  const { text } = makeRecording(await loadContract(), gather(sightingsOf(seen)));
  const contract = await loadContract({ overlays: [{ file: 'recording.yaml', text }] });
  for (let run = 0; run < 100; run += 1) {
    const { findings } = judge({ contract, calls: answers(), redact: (one) => one });
    expect(findings).toEqual([]);
  }
});
