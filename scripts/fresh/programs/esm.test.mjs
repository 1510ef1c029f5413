import { startMock } from 'banking-api-contract';
import { createTokenProvider, withToken } from 'banking-api-contract/client';
import { Card } from 'banking-api-contract/validators/card';

test('jest, as an ES module', async () => {
  expect(Card.is({})).toBe(true);
  const mock = await startMock();
  const api = withToken(fetch, createTokenProvider({ baseUrl: mock.url, ...mock.credentials }));
  expect((await api(`${mock.url}/wallet/api/customers/cust-1001/cards/card-4001`)).status).toBe(200);
  await mock.close();
});
