import { describe, expect, test } from 'vitest';
import { shapeOf } from '../../contracts/support/shape.ts';
import { compileSchema } from '../../src/files/schema.ts';

const FEES = {
  fees: [
    { name: 'a', amount: 1, per: null },
    { name: 'b', amount: null, tiers: [{ from: 1 }] },
  ],
  more: [],
};

/** The places where an answer does not have the shape of another, with the reasons. */
async function differences(answer: unknown, of: unknown = FEES): Promise<string[]> {
  const problems = (await compileSchema({ ...shapeOf(of) }))(answer);
  return problems.map(({ pointer, message }) => `${pointer}: ${message}`);
}

describe('shapeOf', () => {
  test.each([
    ['the same answer', FEES],
    ['items of a list without their optional fields', { fees: [{ name: 'c' }, { amount: 2 }], more: [] }],
    ['other items in a list that was empty', { ...FEES, more: [1, 'x'] }],
    ['null anywhere', { fees: null, more: [] }],
  ])('a shape accepts %s', async (_, answer) => {
    expect(await differences(answer)).toEqual([]);
  });

  test.each([
    ['/fees/1/amount', { fees: [{ amount: 1 }, { amount: '2' }] }],
    ['/fees/0/name', { fees: [{ name: 7, tiers: [{ from: 2 }] }] }],
    ['/fees/0/tiers/0/from', { fees: [{ tiers: [{ from: {} }] }] }],
    ['/fees', { fees: { name: 'a' } }],
  ])('a shape names %s if the type there is another', async (pointer, answer) => {
    expect(await differences(answer)).toEqual([expect.stringMatching(`^${pointer}: `)]);
  });

  test('a list with values of several types accepts each of them', async () => {
    expect(await differences({ ids: ['x', 2, [3]] }, { ids: [1, 'a', [1]] })).toEqual([]);
    expect(await differences({ ids: [true] }, { ids: [1, 'a', [1]] })).toHaveLength(1);
  });

  test('a text has no shape', () => {
    expect(shapeOf('x')).toEqual({});
  });
});
