import { expect, test } from 'vitest';
import { plan } from '../../../src/run/plan.ts';
import { record } from '../../../src/run/record.ts';
import { run } from '../run.ts';
import { CARD, CREDENTIALS, PARAMETERS, startSandbox } from '../sandbox.ts';

const { cardId: _, ...parameters } = PARAMETERS;
const bodies = { 'GET /wallet/api/customers/c-1/clients/cl-2/cards': { cards: [{ ...CARD, token: 'a-token' }] } };

test('a night without the id of a card reads the card that the list shows', async () => {
  const [report, sandbox] = await run({ parameters, bodies });
  expect(report.discovered).toEqual([{ parameter: 'cardId', from: 'listClientCards' }]);
  expect(report.checks.find(({ id }) => id === 'cards.answers.getCard')).toMatchObject({ outcome: 'passed' });
  expect(sandbox.seen.filter(({ method, path }) => method !== 'GET' && !/token$|fees$/.test(path))).toEqual([]);
});

test('no write gets the id of a card, even if writes are allowed', async () => {
  const host = ['127.0.0.1'];
  const [report, sandbox] = await run({
    ...{ parameters, bodies, allow: 'destructive', writesAllowedOn: host, expendable: ['k-4'] },
  });
  expect(report.discovered).toEqual([{ parameter: 'cardId', from: 'listClientCards' }]);
  const writes = sandbox.seen.filter(({ method }) => method !== 'GET');
  expect(writes.length).toBeGreaterThan(0);
  expect(writes.filter(({ path, body }) => path.includes('k-4') || body.includes('k-4'))).toEqual([]);
});

test('record learns an operation whose id only a list shows', async () => {
  await using sandbox = await startSandbox({ bodies });
  const options = { target: sandbox.url, credentials: CREDENTIALS, parameters, limits: { backoff: 5 }, samples: 1 };
  const { recording, missed } = await record(options);
  expect(missed.map(({ operationId }) => operationId)).not.toContain('getCard');
  expect(recording?.actions.map(({ operationId }) => operationId)).toContain('getCard');
  expect(recording?.text).not.toContain('k-4');
});

test('the plan names the list, and sends nothing', async () => {
  await using sandbox = await startSandbox();
  const rows = await plan({ target: sandbox.url, credentials: CREDENTIALS, parameters });
  const row = rows.find(({ checkId }) => checkId === 'cards.answers.getCard');
  expect(row?.target).toBe('/wallet/api/customers/c-1/cards/{cardId} ({cardId}: from listClientCards)');
  expect(sandbox.seen).toEqual([]);
});

test('a night without a currency checks the token with the currency of the document', async () => {
  const { currency: __, ...others } = PARAMETERS;
  const [report] = await run({ parameters: others });
  expect(report.checks.find(({ id }) => id === 'token.serves-many-calls')).toMatchObject({ outcome: 'passed' });
});
