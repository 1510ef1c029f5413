import { array, assert, constant, nat, oneof, property, record, string } from 'fast-check';
import { expect, test } from 'vitest';
import { RecordRing, type RingRecord } from '../../../src/mock/message/ring.ts';

const MOST = 5;
const part = oneof(
  constant(null),
  nat(300_000).map((size) => Buffer.alloc(size, size)),
);
const records = record({ text: string({ unit: 'grapheme', minLength: 1 }), one: part, other: part });

test('a ring returns its newest records in order, whatever their sizes, even after a clear', () => {
  assert(
    property(array(records, { maxLength: 20 }), nat(20), (pushed, clearedAt) => {
      const ring = new RecordRing(MOST, 600_000);
      const model: RingRecord[] = [];
      pushed.forEach(({ text, one, other }, index) => {
        if (index === clearedAt) {
          ring.clear();
          model.fill({ text: '', parts: [null, null] });
          expect(ring.first).toBe(ring.end);
        }
        ring.push(text, [one, other]);
        model.push({ text, parts: [one, other] });
        expect(ring.end).toBe(model.length);
        expect(ring.end - ring.first).toBeGreaterThan(0);
        expect(ring.end - ring.first).toBeLessThanOrEqual(MOST);
        for (let number = ring.first; number < ring.end; number += 1) {
          // faster than a deep comparison of large buffers
          const { text: found, parts } = ring.at(number) ?? { text: '', parts: [] };
          const wanted = model[number];
          expect(found).toBe(wanted?.text);
          expect(
            parts.every((bytes, at) => bytes?.equals(wanted?.parts[at] ?? Buffer.of(1)) ?? !wanted?.parts[at]),
          ).toBe(true);
        }
        expect([ring.at(ring.first - 1), ring.at(ring.end)]).toEqual([undefined, undefined]);
      });
    }),
    { numRuns: 60 },
  );
});

test('a ring of small records keeps as many as its limit allows', () => {
  const ring = new RecordRing(1_000, 16 * 1024 * 1024);
  for (let index = 0; index < 2_500; index += 1)
    ring.push(`record ${index} ${'ä'.repeat(500)}`, [Buffer.from([index % 256]), null]);
  expect(ring.end - ring.first).toBe(1_000);
  expect(ring.at(ring.first)?.text).toMatch(/^record 1500 ä+$/);
  expect(ring.at(2_499)?.parts).toEqual([Buffer.from([2_499 % 256]), null]);
});
