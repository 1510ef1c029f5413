import { expect, test } from 'vitest';
import { run } from './run.ts';
import { CARD, json } from './sandbox.ts';

test('a check that passed after a transient failure reports it, even with an info finding', async () => {
  let hits = 0;
  const [report] = await run({
    bodies: { 'GET /wallet/api/customers/c-1/cards/k-4': { ...CARD, colour: 'blue' } },
    fault: ({ path, authorization }, response) => {
      if (!path.endsWith('/cards/k-4') || !authorization.startsWith('Bearer ey')) return false;
      hits += 1;
      if (hits === 1) json(response, 503, {});
      return hits === 1;
    },
  });
  const check = report.checks.find(({ id }) => id === 'cards.answers.getCard');
  expect([check?.outcome, report.exitCode]).toEqual(['passed', 0]);
  expect(check?.reason).toMatch(/^info: undocumented-field.*, answered after 503$/);
});
