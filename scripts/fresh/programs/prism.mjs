import { createTokenProvider, startMock, withToken } from 'banking-api-contract';

const mock = await startMock();
const api = withToken(fetch, createTokenProvider({ baseUrl: mock.url, ...mock.credentials }));
const answer = await api(`${mock.url}/wallet/api/customers/cust-1001/cards/card-4001`, {
  headers: { prefer: 'dynamic=true' },
});
if (answer.status !== 200) throw new Error(`Prism answered ${answer.status}: ${await answer.text()}`);
await mock.close();
