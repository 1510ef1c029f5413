import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { learnableCalls } from '../../src/learn/learnable-calls.ts';
import { makeRecording } from '../../src/learn/recording.ts';
import { gather, sightingsOf } from '../../src/learn/sightings.ts';
import type { Call } from '../../src/model/call.ts';
import { call } from '../judge/calls.ts';

const bare = await loadContract();

const GOOD: Readonly<Record<string, unknown>> = {
  getCard: { cardDesign: 'a', holder: { name: 'x' } },
  listClientCards: { cards: [{ cardDesign: 'a' }] },
  getCardFees: { fees: [{ name: 'a', amount: 1 }] },
  getAccountFees: { fees: [{ name: 'b', amount: 2 }] },
};
const good = (): Call[] => Object.entries(GOOD).map(([id, json]) => call(id, { json }));
const FEES = ['getCardFees', 'getAccountFees'];
const notices = (ids: readonly string[]): Call[] => ids.map((id) => call(id, { json: { status: 'maintenance', id } }));

describe('answers of an outage are not learned', () => {
  test('a notice during a recording is not learned', () => {
    const first = good();
    const all = [...first, ...notices(Object.keys(GOOD))];
    const { calls, leftOut, unanswered } = learnableCalls(all, bare);
    expect(calls).toEqual(first);
    expect([...leftOut.keys()]).toEqual(Object.keys(GOOD));
    expect([...leftOut.values()][0]).toMatch(/return the same answer/);
    expect([...unanswered]).toEqual([]);
  });

  test.each([
    ['a notice', { json: { status: 'maintenance' } }],
    ['nothing', { text: '' }],
    ['a text', { text: 'OK', type: 'text/plain' }],
  ])('%s from reads with an undocumented payload is not learned', (_, answer) => {
    const { calls, unanswered } = learnableCalls(
      FEES.map((id) => call(id, answer)),
      bare,
    );
    expect(calls).toEqual([]);
    expect([...unanswered]).toEqual(FEES);
  });

  test("a gateway's 404 for every call is not learned, nor a single 404 followed by success", () => {
    const gone = Object.keys(GOOD).map((id) => call(id, { status: 404, json: { message: 'no Route matched' } }));
    expect(learnableCalls(gone, bare).calls).toEqual([]);
    const once = call('getCard', { status: 404, json: {} });
    const rest = good();
    expect(learnableCalls([once, ...rest], bare).calls).toEqual(rest);
  });

  test('a notice that contradicts only an earlier recording is not learned', async () => {
    const { text } = makeRecording(bare, gather(sightingsOf(good())));
    const known = await loadContract({ overlays: [{ file: 'recording.yaml', text }] });
    const list = ['listClientCards', 'getCardFees'].map((id) => call(id, { json: { notice: { text: 'closed' } } }));
    const first = call('getCard', { json: GOOD.getCard });
    expect(learnableCalls([first, ...list], known).calls).toEqual([first]);
  });

  test('normal answers are learned: two payloads, empty lists, rejections of one operation', () => {
    const calls = [
      call('getTransactionFees', { status: 403, json: { error: 'not entitled' } }),
      ...good(),
      call('getCardFeesDeprecated', { json: GOOD.getCardFees }),
      call('suspendCard', { json: { result: 'OK' } }),
      call('activateCard', { json: { result: 'OK' } }),
    ];
    expect(learnableCalls(calls, bare)).toMatchObject({ calls, leftOut: new Map() });
    const lists = FEES.map((id) => call(id, { json: { fees: [], total: 0 } }));
    expect(learnableCalls(lists, bare).calls).toEqual(lists);
  });
});

test('a fresh recording keeps operations that gave no answer of their own', () => {
  const over = makeRecording(bare, gather(sightingsOf(good()))).text;
  const seen = gather(sightingsOf(good().slice(0, 2)));
  const ids = (text: string): string[] => Object.keys(GOOD).filter((id) => text.includes(`(${id})`));
  const anew = makeRecording(bare, seen, { over, fresh: true, kept: new Set(['getCardFees']) });
  expect(ids(anew.text)).toEqual(['getCard', 'listClientCards', 'getCardFees']);
});
