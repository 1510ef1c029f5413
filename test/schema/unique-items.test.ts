import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compilerOf } from '../../src/schema/ajv.ts';

const schema = { type: 'array', uniqueItems: true };
const ours = compilerOf({ schema })('/schema');

test('equal items are found as by Ajv, also if their members have another order', () => {
  const stock = new Ajv2020().compile(schema);
  // Ajv calls members with these names as methods.
  const isPlain = (items: readonly unknown[]): boolean =>
    !/"(?:valueOf|toString|constructor)"/.test(JSON.stringify(items));
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ maxDepth: 2 })).filter(isPlain), (items) => {
      const list = JSON.parse(JSON.stringify(items)) as unknown[];
      expect(ours(list)).toBe(stock(list));
    }),
  );
  expect(ours([{ a: 1, b: [{ c: 2, d: 3 }] }, 1, { b: [{ d: 3, c: 2 }], a: 1 }])).toBe(false);
  expect(ours.errors).toMatchObject([
    {
      keyword: 'uniqueItems',
      instancePath: '',
      params: { i: 2, j: 0 },
      message: 'must NOT have duplicate items (items ## 0 and 2 are identical)',
    },
  ]);
  expect(compilerOf({ schema: { uniqueItems: false } })('/schema')([1, 1])).toBe(true);
});

test('F2: unique items need linear time', () => {
  const timeOf = (count: number): number => {
    const items = Array.from({ length: count }, (_, index) => ({ index }));
    const start = performance.now();
    expect(ours(items)).toBe(true);
    return performance.now() - start;
  };
  // the least of five: another process may take a part of any time
  const leastOf = (count: number): number => Math.min(...Array.from({ length: 5 }, () => timeOf(count)));
  leastOf(10_000);
  expect(leastOf(80_000)).toBeLessThan(leastOf(10_000) * 30);
});
