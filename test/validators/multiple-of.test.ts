import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isMultipleOf } from '../../src/validators/multiple-of.ts';

test('each amount of cents up to 100.00 is a multiple of 0.01, and none with a tenth of a cent is', () => {
  const amounts = Array.from({ length: 10_000 }, (_, cents) => {
    return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
  });
  expect(amounts.map(Number).filter((amount) => !isMultipleOf(amount, 0.01))).toEqual([]);
  expect(amounts.map((amount) => Number(`${amount}1`)).filter((amount) => isMultipleOf(amount, 0.01))).toEqual([]);
});

test.each<[value: number, divisor: number, holds: boolean]>([
  [0.3, 0.1, true],
  [-4.35, 0.01, true],
  [1.1e-7, 1e-8, true],
  [1.15e-7, 1e-8, false],
  [123_456_789_012.34, 0.01, true],
  [2 ** 53 + 2, 2, true],
  [1e308, 0.123456789, false],
  [1e308, 0.5, true],
  [5e-324, 5e-324, true],
  [4.5, 1.5, true],
  [0, 0.01, true],
  [7, 2, false],
])('%d as a multiple of %d: %s', (value, divisor, holds) => {
  expect(isMultipleOf(value, divisor)).toBe(holds);
});

test('a number with n decimals is a multiple of the unit of its last decimal', () => {
  const decimals = fc.tuple(fc.maxSafeInteger(), fc.integer({ min: 0, max: 20 }));
  fc.assert(fc.property(decimals, ([digits, n]) => isMultipleOf(Number(`${digits}e-${n}`), Number(`1e-${n}`))));
});
