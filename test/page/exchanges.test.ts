import { afterEach, expect, test } from 'vitest';
import { exchange, exchanges, forget, hear, missing, total } from '../../page/exchanges.ts';
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
  hear([1, 2, 3, 4, 5].map((seq) => [entryOf(seq), 30 * MIB, seq]));
  expect(sequences()).toEqual([4, 5]);
  expect(exchange(1)).toBeUndefined();
  hear([[entryOf(6), 500 * MIB, 6]]);
  expect(sequences()).toEqual([6]);
  hear(Array.from({ length: 20_010 }, (_, index) => [entryOf(index + 7), 3_000, index + 7]));
  expect(exchanges()).toHaveLength(20_000);
});

test('the page counts the exchanges that it or the mock dropped, until it starts again', () => {
  hear([
    [entryOf(1), 30 * MIB, 1],
    [entryOf(9), 500 * MIB, 9],
  ]);
  expect(total()).toBe(9);
  expect(missing()).toBe(', 8 not kept');
  forget();
  expect(total()).toBe(0);
  expect(missing()).toBe('');
});

test('the page sorts exchanges that come after newer ones', () => {
  hear([8, 9].map((seq) => [entryOf(seq), 10, seq]));
  hear([6, 7, 9].map((seq) => [entryOf(seq), 10, seq]));
  expect(sequences()).toEqual([6, 7, 8, 9]);
  expect(total()).toBe(9);
});
