import { expect, test } from 'vitest';
import { run } from './run.ts';
import { CARD, json } from './sandbox.ts';

test('a check that got over weather says so, also where it has an info finding', async () => {
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

test('D8: a card token in the name of a field, and an account number that is one, are in no finding', async () => {
  const token = 'ctk_9f8e7d6c5b4a39281706';
  const body = {
    [token]: 1,
    accounts: { [token]: { n: 1 } },
    31926819: { x: 1 },
    links: { [`x ${token}`]: 1 },
    ...CARD,
    token,
  };
  const [report] = await run({
    bodies: { 'GET /wallet/api/customers/c-1/cards/k-4': body },
    fault: ({ path }, response) => {
      if (!path.endsWith('/clients/cl-2/cards')) return false;
      response.writeHead(200, { 'content-type': `Text/${token.toUpperCase()}` }).end('x');
      return true;
    },
  });
  const text = JSON.stringify(report).toLowerCase();
  expect(report.findings.some(({ pointer }) => pointer.includes('[redacted]'))).toBe(true);
  expect(text).not.toContain(token);
  expect(text).not.toContain('31926819');
});
