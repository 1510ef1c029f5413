import { createTokenProvider, withToken } from 'banking-api-contract/client';
import { handlers } from 'banking-api-contract/msw';
import { setupServer } from 'msw/node';

const baseUrl = 'https://sandbox.bank.example/v1';
const server = setupServer(...handlers({ baseUrl }));
server.listen({ onUnhandledRequest: 'bypass' });
const provider = createTokenProvider({ baseUrl, username: 'sandbox', password: 'sandbox-secret' });
const answer = await withToken(fetch, provider)(`${baseUrl}/wallet/api/customers/cust-1001/cards/card-4001`);
if (answer.status !== 200) throw new Error(`the handlers answered ${answer.status}`);
const unknown = await fetch(`${baseUrl}/nowhere?x=1`);
if (unknown.status !== 404) throw new Error(`an unknown path got ${unknown.status}`);
// what is not below the base goes to the network, where nobody answers
for (const other of ['http://127.0.0.1:9/v1/x', 'https://127.0.0.1:9/v11']) {
  const answer = await fetch(other).catch(() => null);
  if (answer !== null) throw new Error(`${other} got ${answer.status}`);
}
server.close();
