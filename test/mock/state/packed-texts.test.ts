import { array, assert, nat, oneof, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { type Packed, PackedTexts } from '../../../src/mock/state/packed-texts.ts';

/** As long as a packed text may be. */
const LARGEST = 'ä'.repeat(4096);

test('packed texts are unpacked unchanged, in whatever order others are dropped', () => {
  const text = oneof(string({ unit: 'grapheme' }), string({ unit: 'grapheme', minLength: 1000, maxLength: 3000 }));
  assert(
    property(array(text, { maxLength: 200 }), array(nat(), { maxLength: 200 }), (texts, drops) => {
      const packed = new PackedTexts();
      const model = new Map<Packed, string>();
      const check = (): void => {
        for (const [place, one] of model) expect(packed.unpack(place)).toBe(one);
      };
      texts.forEach((one, index) => {
        const place = packed.pack(one);
        if (place === undefined) expect(one.length).toBeGreaterThan(LARGEST.length);
        else model.set(place, one);
        const drop = drops[index];
        const places = [...model.keys()];
        const dropped = drop === undefined ? undefined : places[drop % places.length];
        if (dropped === undefined) return;
        packed.drop(dropped);
        model.delete(dropped);
      });
      check();
    }),
    { numRuns: 50 },
  );
});

test('a text is packed up to 4,096 characters', () => {
  const packed = new PackedTexts();
  const places = Array.from({ length: 20 }, () => packed.pack(LARGEST) ?? expect.fail('it was not packed'));
  for (const place of places) expect(packed.unpack(place)).toBe(LARGEST);
  expect(packed.pack(`${LARGEST}ä`)).toBeUndefined();
});

test('packing uses the memory of dropped texts again', () => {
  const packed = new PackedTexts();
  const before = process.memoryUsage().arrayBuffers;
  for (let index = 0; index < 20_000; index += 1) packed.drop(packed.pack(LARGEST.slice(0, 3000)) ?? -1);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * 1024 * 1024);
});
