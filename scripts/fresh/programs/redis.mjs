import { createTokenProvider, startMock, withToken } from 'banking-api-contract';

const seen = [];
for (const method of ['GET', 'DELETE', 'GET']) {
  const mock = await startMock({ store: process.env.STORE });
  const api = withToken(fetch, createTokenProvider({ baseUrl: mock.url, ...mock.credentials }));
  const { status } = await api(`${mock.url}/wallet/api/customers/cust-1001/cards/card-4001`, { method });
  seen.push(status);
  await mock.close();
}
if (String(seen) !== '200,200,404') throw new Error(`the store remembered otherwise: ${seen}`);
