import { createRequire } from 'node:module';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BaseFetch, createTokenProvider, withToken } from '../../src/client/client.ts';
import { ApiServer } from './api-server.ts';

/** Its bodies are Node streams, without `cancel` and `getReader`. */
const base = createRequire(import.meta.url)('node-fetch') as BaseFetch;
let server: ApiServer;
beforeEach(async () => {
  server = await new ApiServer().listen();
});
afterEach(() => server.close());

const open = () => {
  const provider = createTokenProvider({ baseUrl: server.url, username: 'u', password: 'p', retries: 0, fetch: base });
  return withToken(base, provider);
};

it('node-fetch completes a call, a 401 and its retry', async () => {
  const api = open();
  expect(await (await api(`${server.url}/x`, { method: 'POST', body: 'one' })).text()).toBe('POST one');
  server.revoke();
  expect(await (await api(`${server.url}/x`, { method: 'POST', body: 'two' })).text()).toBe('POST two');
  expect(server.tokenRequests).toBe(2);
  expect(server.seen.map(({ token }) => token)).toEqual(['token-1', 'token-1', 'token-2']);
});

it('node-fetch reports failures of the token endpoint', async () => {
  const answers: [(response: import('node:http').ServerResponse) => void, object][] = [
    [(response) => response.writeHead(503).end('down'), { code: 'refused', status: 503 }],
    [(response) => response.writeHead(302, { location: 'https://evil.example/' }).end(), { code: 'redirected' }],
    [
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"access');
        setTimeout(() => response.destroy(), 20);
      },
      { code: 'cut' },
    ],
    [(response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'), { code: 'malformed' }],
  ];
  for (const [answer, error] of answers) {
    server.token = (_, response) => answer(response);
    await expect(open()(`${server.url}/x`)).rejects.toMatchObject(error);
  }
});

it('node-fetch follows a redirect with the token', async () => {
  const api = open();
  server.api = (seen, response) =>
    seen.path === '/x' ? response.writeHead(307, { location: '/y' }).end() : response.end(seen.path);
  expect(await (await api(`${server.url}/x`)).text()).toBe('/y');
});
