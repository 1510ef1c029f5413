import { expect, test } from 'vitest';
import { trackConvergence } from '../../src/learn/convergence.ts';

const pictureOf = (...values: readonly unknown[]) => {
  const convergence = trackConvergence();
  for (const value of values) {
    const sighting = { operationId: 'getCard', status: 200, type: 'application/json', json: { value }, empty: false };
    convergence.add(sighting, 'GET /card');
  }
  return { different: convergence.different, settled: convergence.settled };
};
const card = (nth: number, more: object) => ({ id: 'k', meta: { requestId: `r-${nth}`, generatedAt: nth }, ...more });

test('an answer that repeats its request and the current time is not a new record', () => {
  expect(pictureOf(card(1, {}), card(2, {}), card(3, {}))).toEqual({ different: 1, settled: true });
});

test('times inside list items distinguish records', () => {
  const items = [1, 2, 3].map((timestamp) => card(0, { items: [{ timestamp }] }));
  expect(pictureOf(...items)).toEqual({ different: 3, settled: false });
});
