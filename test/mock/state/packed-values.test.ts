import { array, assert, jsonValue, nat, oneof, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { type Packed, PackedValues } from '../../../src/mock/state/packed-values.ts';

/** The text whose JSON is as long as a packed value may be. */
const LARGEST = 'ä'.repeat(4094);

test('packed values are unpacked unchanged, in whatever order others are dropped', () => {
  const value = oneof(jsonValue(), string({ unit: 'grapheme', minLength: 1000, maxLength: 3000 }));
  assert(
    property(array(value, { maxLength: 200 }), array(nat(), { maxLength: 200 }), (values, drops) => {
      const packed = new PackedValues();
      const model = new Map<Packed, string>();
      const check = (): void => {
        for (const [place, json] of model) expect(JSON.stringify(packed.unpack(place))).toBe(json);
      };
      values.forEach((one, index) => {
        const json = JSON.stringify(one);
        const place = packed.pack(one);
        if (place === undefined) expect(json.length).toBeGreaterThan(LARGEST.length);
        else model.set(place, json);
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

test('a value is packed up to 4,096 characters of JSON', () => {
  const packed = new PackedValues();
  const places = Array.from({ length: 20 }, () => packed.pack(LARGEST) ?? expect.fail('it was not packed'));
  for (const place of places) expect(packed.unpack(place)).toBe(LARGEST);
  expect(packed.pack(`${LARGEST}ä`)).toBeUndefined();
});

test('packing uses the memory of dropped values again', () => {
  const packed = new PackedValues();
  const before = process.memoryUsage().arrayBuffers;
  for (let index = 0; index < 20_000; index += 1) packed.drop(packed.pack(LARGEST.slice(0, 3000)) ?? -1);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10 * 1024 * 1024);
});
