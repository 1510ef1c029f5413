// The parts that also run on an older Node: validators and client.
import { createServer } from 'node:http';
import { createTokenProvider, withToken } from 'banking-api-contract/client';
import { IssueNewCardRequest } from 'banking-api-contract/validators/issue-new-card-request';

const server = createServer(({ url }, response) => {
  const token = { access_token: 'a.b.c', token_type: 'bearer', expires_in: 3599, scope: '', jti: 'j' };
  response.setHeader('content-type', 'application/json').end(JSON.stringify(url === '/iam/oauth/token' ? token : {}));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const baseUrl = `http://127.0.0.1:${server.address().port}`;
const api = withToken(fetch, createTokenProvider({ baseUrl, username: 'u', password: 'p' }));
const answer = await api(`${baseUrl}/anything`);
if (answer.status !== 200) throw new Error(`the server answered ${answer.status}`);
if (IssueNewCardRequest.forCurrency('GBP').is({ cardLimitDaily: 100_001 })) throw new Error('no limit');
server.closeAllConnections();
server.close();
