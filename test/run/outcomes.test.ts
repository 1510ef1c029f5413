import { expect, test } from 'vitest';
import { found, run } from './run.ts';
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

test('D2: calls without a token that fail in passing leave no finding', async () => {
  const failed: string[] = [];
  const [report] = await run({
    fault: ({ path, authorization }, response) => {
      if (!path.endsWith('/cards/k-4') || authorization !== '' || failed.length === 3) return false;
      failed.push(path);
      return json(response, 503, {});
    },
  });
  const check = report.checks.find(({ id }) => id === 'unauthorised.no-token.getCard');
  expect([failed.length, found(report), report.exitCode]).toEqual([3, [], 0]);
  expect(check).toMatchObject({ outcome: 'passed', reason: expect.stringMatching(/^status 503, gone/) });
});
