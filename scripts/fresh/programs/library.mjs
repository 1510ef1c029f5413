import { createTokenProvider, startMock, withToken } from 'banking-api-contract';
import { Card } from 'banking-api-contract/validators';

if (!Card.is({}) || Card.is({ token: 1 })) throw new Error('the validators do not judge');
const mock = await startMock();
const provider = createTokenProvider({ baseUrl: mock.url, ...mock.credentials });
const answer = await withToken(fetch, provider)(`${mock.url}/wallet/api/customers/cust-1001/cards/card-4001`);
if (answer.status !== 200) throw new Error(`the mock answered ${answer.status}`);
await mock.close();
