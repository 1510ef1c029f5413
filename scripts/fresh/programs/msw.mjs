import { createTokenProvider, withToken } from 'banking-api-contract/client';
import { handlers } from 'banking-api-contract/msw';
import { setupServer } from 'msw/node';

const baseUrl = 'https://sandbox.bank.example/v1';
const server = setupServer(...handlers({ baseUrl }));
server.listen({ onUnhandledRequest: 'bypass' });
const provider = createTokenProvider({ baseUrl, username: 'sandbox', password: 'sandbox-secret' });
const answer = await withToken(fetch, provider)(`${baseUrl}/wallet/api/customers/cust-1001/cards/card-4001`);
if (answer.status !== 200) throw new Error(`the handlers answered ${answer.status}`);
// for a form with an explicit type, every header field arrives
const basic = { authorization: `Basic ${btoa('sandbox:sandbox-secret')}` };
const form = new URLSearchParams({ grant_type: 'client_credentials' });
const token = await fetch(`${baseUrl}/iam/oauth/token`, { method: 'POST', headers: basic, body: form });
if (token.status !== 200) throw new Error(`a form of the program's own got ${token.status}`);
const unknown = await fetch(`${baseUrl}/nowhere?x=1`);
if (unknown.status !== 404) throw new Error(`an unknown path got ${unknown.status}`);
// requests outside of the base go to the network and fail there
for (const other of ['http://127.0.0.1:9/v1/x', 'https://127.0.0.1:9/v11']) {
  const answer = await fetch(other).catch(() => null);
  if (answer !== null) throw new Error(`${other} got ${answer.status}`);
}
server.close();
