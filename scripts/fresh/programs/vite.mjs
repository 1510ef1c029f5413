// The dev server answers by the mock, and its own pages get a token.
import assert from 'node:assert/strict';
import { bankingMock } from 'banking-api-contract/vite';
import { createServer } from 'vite';

const plugins = [bankingMock({ token: true })];
const server = await createServer({
  configFile: false,
  logLevel: 'error',
  plugins,
  server: { port: 0, host: '127.0.0.1' },
});
await server.listen();
const accounts = `${server.resolvedUrls.local[0]}wallet/api/customers/c/accounts`;
assert.equal((await fetch(accounts)).status, 401);
assert.equal((await fetch(accounts, { headers: { 'sec-fetch-site': 'same-origin' } })).status, 200);
await server.close();
