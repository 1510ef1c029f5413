import { afterEach, expect, test } from 'vitest';
import { createReading, exchange, exchanges, forget, hear } from '../../page/exchanges.ts';
import type { JournalEntry } from '../../src/journal/entry.ts';

const MIB = 1024 * 1024;
afterEach(forget);

function entryOf(seq: number): JournalEntry {
  const body = { kind: 'text', bytes: 3, state: 'complete', text: 'abc' } as const;
  return {
    ...{ seq, method: 'GET', path: '/things', operationId: 'things', connection: 1, failure: null, token: null },
    ...{ startedAt: '2026-01-01T00:00:00.000Z', endedAt: '2026-01-01T00:00:00.001Z' },
    request: { headers: [], body: null },
    response: { status: 200, headers: [], body },
  } as unknown as JournalEntry;
}

function kindsOfBodies(): (string | undefined)[] {
  return exchanges().map(({ entry }) => entry.response?.body?.kind);
}

test('a page that is open all day leaves out the bodies of the oldest, and forgets none of the exchanges', () => {
  hear([1, 2, 3, 4, 5].map((seq) => [entryOf(seq), 30 * MIB]));
  expect(kindsOfBodies()).toEqual(['omitted', 'omitted', 'omitted', 'text', 'text']);
  expect(exchange(1)?.entry.response?.body?.bytes).toBe(3);
  hear([[entryOf(6), 30 * MIB]]);
  expect(kindsOfBodies()).toEqual(['omitted', 'omitted', 'omitted', 'omitted', 'text', 'text']);
  forget();
  hear([1, 2].map((seq) => [entryOf(seq), 30 * MIB]));
  expect(kindsOfBodies()).toEqual(['text', 'text']);
});

test('the newest exchange keeps its bodies, however large they are', () => {
  hear([[entryOf(1), 1]]);
  hear([[entryOf(2), 500 * MIB]]);
  expect(kindsOfBodies()).toEqual(['omitted', 'text']);
});

test('beyond as many exchanges as it remembers the page forgets the oldest, and their bodies count no more', () => {
  const read = createReading();
  hear(Array.from({ length: 20_010 }, (_, index) => [entryOf(index + 1), 3_000]));
  expect(exchanges()).toHaveLength(20_000);
  expect(exchange(10)).toBeUndefined();
  expect(kindsOfBodies()).not.toContain('omitted');
  expect(read(false, () => {})).toHaveLength(20_000);
});
