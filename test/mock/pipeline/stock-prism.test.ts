import { afterAll, expect, test } from 'vitest';
import { startStockPrism } from '../../../bench/prism-mock.ts';
import { plan } from '../support/compiled.ts';
import { PHYSICAL_CARD_ID } from '../support/ids.ts';

const prism = await startStockPrism();
afterAll(() => prism.close());

const CARD = `/wallet/api/customers/c/cards/${PHYSICAL_CARD_ID}`;

test('the stock prism mock runs the bundle of spec and assumptions, and gives our answers', async () => {
  const reply = await fetch(`${prism.url}${CARD}`, { headers: { authorization: 'Bearer any' } });
  expect(reply.status).toBe(200);
  const ours = plan.operations.find(({ operationId }) => operationId === 'getCard')?.response.media[0]?.examples[0];
  expect(await reply.json()).toEqual(JSON.parse(ours?.body ?? '{}'));
});

test('stock Prism answers a request without a token with the documented 401', async () => {
  expect((await fetch(`${prism.url}${CARD}`)).status).toBe(401);
});

test('stock Prism accepts the documented token request', async () => {
  const reply = await fetch(`${prism.url}/iam/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('a:b')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  expect(reply.status).toBe(200);
});
