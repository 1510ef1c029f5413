import { afterEach, expect, test } from 'vitest';
import { dropped, exchange, exchanges, forget, hear } from '../../page/exchanges.ts';
import type { JournalEntry } from '../../src/journal/entry.ts';

const MIB = 1024 * 1024;
afterEach(forget);

function entryOf(seq: number): JournalEntry {
  const body = { kind: 'text', bytes: 3, state: 'complete', text: 'abc' } as const;
  return {
    ...{ seq, method: 'GET', path: '/things', operationId: 'things', response: { status: 200, headers: [], body } },
  } as unknown as JournalEntry;
}

function sequences(): readonly number[] {
  return exchanges().map(({ entry }) => entry.seq);
}

test('a page that stays open drops the oldest exchanges, by size and by number', () => {
  hear([1, 2, 3, 4, 5].map((seq) => [entryOf(seq), 30 * MIB, 0]));
  expect(sequences()).toEqual([4, 5]);
  expect(exchange(1)).toBeUndefined();
  hear([[entryOf(6), 500 * MIB, 0]]);
  expect(sequences()).toEqual([6]);
  hear(Array.from({ length: 20_010 }, (_, index) => [entryOf(index + 7), 3_000, 0]));
  expect(exchanges()).toHaveLength(20_000);
});

test('the page counts the exchanges that it or the mock dropped, until it starts again', () => {
  hear([
    [entryOf(1), 30 * MIB, 0],
    [entryOf(9), 500 * MIB, 7],
  ]);
  expect(dropped()).toBe(8);
  forget();
  expect(dropped()).toBe(0);
});
