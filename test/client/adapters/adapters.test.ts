import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { request, fetch as undiciFetch } from 'undici';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import type { Card } from '../../../generated/validators/types.ts';
import { createTokenProvider, type TokenProvider } from '../../../src/client/client.ts';
import { ApiServer } from '../api-server.ts';
import * as axios from './axios.ts';
import * as got from './got.ts';
import * as ky from './ky.ts';
import * as openapiFetch from './openapi-fetch.ts';
import * as undici from './undici.ts';

let server: ApiServer;
let elsewhere: ApiServer;
let provider: TokenProvider;
beforeEach(async () => {
  server = await new ApiServer().listen();
  elsewhere = await new ApiServer().listen();
  provider = createTokenProvider({ baseUrl: server.url, username: 'u', password: 'p' });
});
afterEach(async () => {
  await server.close();
  await elsewhere.close();
});

/** The result of a POST with each library: status and body, even if the library would throw. */
type Send = (path: string, body: string) => Promise<{ status: number; text: string }>;
const PATH = '/wallet/api/customers/{customerId}/cards';

const LIBRARIES: Record<string, () => Send> = {
  ky: () => {
    const api = ky.createApi(server.url, provider);
    return async (path, body) => {
      const response = await api.post(path.slice(1), { body, throwHttpErrors: false, retry: 0 });
      return { status: response.status, text: await response.text() };
    };
  },
  axios: () => {
    const api = axios.createApi(server.url, provider);
    return async (path, body) => {
      const response = await api.post<string>(path, body, { validateStatus: null, responseType: 'text' });
      return { status: response.status, text: response.data };
    };
  },
  got: () => {
    const api = got.createApi(server.url, provider);
    return async (path, body) => {
      const response = await api.post(path.slice(1), { body, throwHttpErrors: false });
      return { status: response.statusCode, text: response.body };
    };
  },
  'openapi-fetch': () => {
    const api = openapiFetch.createApi(server.url, provider);
    return async (path, body) => {
      const customerId = path.split('/')[4] ?? '';
      const { response, data, error } = await api.POST(PATH, {
        params: { path: { customerId } },
        body: body as never,
        bodySerializer: (text) => text as unknown as string,
        parseAs: 'text',
      });
      return { status: response.status, text: String(data ?? error) };
    };
  },
  undici: () => {
    const dispatcher = undici.createAgent(provider);
    return async (path, body) => {
      const response = await request(`${server.url}${path}`, { dispatcher, method: 'POST', body });
      return { status: response.statusCode, text: await response.body.text() };
    };
  },
};
const CARDS = PATH.replace('{customerId}', 'c-1');

describe.each(Object.keys(LIBRARIES))('%s', (name) => {
  const open = (): Send => (LIBRARIES[name] as () => Send)();

  it('the adapter sends the bearer token', async () => {
    expect(await open()(CARDS, 'a body')).toEqual({ status: 200, text: 'POST a body' });
    expect(server.seen.map(({ token }) => token)).toEqual(['token-1']);
  });

  it('a 401 gets a new token and repeats the request once', async () => {
    const send = open();
    await send(CARDS, 'first');
    server.revoke();
    expect(await send(CARDS, 'second')).toEqual({ status: 200, text: 'POST second' });
    expect(server.tokenRequests).toBe(2);
    expect(server.seen.map(({ token, body }) => [token, body])).toEqual([
      ['token-1', 'first'],
      ['token-1', 'second'],
      ['token-2', 'second'],
    ]);
  });

  it('the 401 is returned if the token endpoint issues the rejected token again', async () => {
    server.token = (_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end('{"access_token":"token-x","token_type":"bearer","expires_in":3600}');
    };
    expect(await open()(CARDS, 'x')).toEqual({ status: 401, text: 'not accepted' });
    expect(server.seen).toHaveLength(1);
  });

  it('a second 401 is returned unchanged', async () => {
    server.api = (_, response) => void response.writeHead(401).end('never');
    expect(await open()(CARDS, 'x')).toEqual({ status: 401, text: 'never' });
    expect(server.seen).toHaveLength(2);
    expect(server.tokenRequests).toBe(2);
  });

  it('T2: many parallel 401s for one token cost one token request', async () => {
    const send = open();
    await send(CARDS, 'first');
    server.revoke();
    const bodies = Array.from({ length: 20 }, (_, index) => `body ${index}`);
    const answers = await Promise.all(bodies.map((body) => send(CARDS, body)));
    expect(answers.map(({ text }) => text)).toEqual(bodies.map((body) => `POST ${body}`));
    expect(server.tokenRequests).toBe(2);
  });

  it('T1: many parallel first calls cost one token request', async () => {
    const send = open();
    await Promise.all(Array.from({ length: 20 }, () => send(CARDS, 'x')));
    expect(server.tokenRequests).toBe(1);
  });

  it('T5: a 403 does not refresh the token', async () => {
    server.api = (_, response) => void response.writeHead(403).end('no');
    expect((await open()(CARDS, 'x')).status).toBe(403);
    expect(server.tokenRequests).toBe(1);
  });

  it.each([200, 401])(
    'S26: the token never goes to another origin, even by a redirect to one that answers %i',
    async (status) => {
      elsewhere.api = (_, response) => void response.writeHead(status).end('elsewhere');
      server.api = (_, response) => void response.writeHead(302, { location: `${elsewhere.url}/there` }).end();
      await open()(CARDS, 'x').catch(() => {});
      for (const { headers } of elsewhere.seen) expect(headers.authorization).toBeUndefined();
      expect(server.tokenRequests).toBe(1);
    },
  );
});

describe('undici', () => {
  it('the fetch of undici works as well, with headers in every form', async () => {
    const dispatcher = undici.createAgent(provider);
    const url = `${server.url}/x`;
    await (await undiciFetch(url, { dispatcher, headers: { 'x-a': '1', authorization: 'mine' } })).text();
    for (const headers of [
      ['x-a', '1', 'Authorization', 'mine'],
      { 'x-a': ['1'], Authorization: 'mine' },
      new Map([['x-a', '1']]),
    ]) {
      await (await request(url, { dispatcher, headers: headers as never })).body.text();
    }
    expect(server.seen.map(({ token, headers }) => [token, headers['x-a']])).toEqual(Array(4).fill(['token-1', '1']));
  });

  it('a stream is not sent twice', async () => {
    const dispatcher = undici.createAgent(provider);
    await provider.getToken();
    server.revoke();
    const body = Readable.from(['once']);
    const response = await request(`${server.url}/x`, { dispatcher, method: 'POST', body });
    expect([response.statusCode, await response.body.text()]).toEqual([401, 'not accepted']);
    expect(server.seen).toHaveLength(1);
    const next = await request(`${server.url}/x`, { dispatcher, method: 'POST', body: Readable.from(['once']) });
    expect(next.statusCode).toBe(200);
  });

  it('T10: an aborted call does not wait for its token', async () => {
    const abort = new AbortController();
    server.token = () => abort.abort(new Error('enough'));
    const dispatcher = undici.createAgent(provider);
    await expect(request(`${server.url}/x`, { dispatcher, signal: abort.signal })).rejects.toThrow('enough');
  });

  it('undici reports a failure of the token endpoint', async () => {
    server.token = (_, response) => void response.writeHead(401).end();
    const dispatcher = undici.createAgent(provider);
    await expect(request(`${server.url}/x`, { dispatcher })).rejects.toMatchObject({ code: 'refused' });
  });
});

it('after the 401 of a stream, the next request of got has a new token', async () => {
  const api = got.createApi(server.url, provider);
  await provider.getToken();
  server.revoke();
  const read = async (): Promise<string> => (await api.stream('x').toArray()).join('');
  await expect(read()).rejects.toMatchObject({ response: { statusCode: 401 } });
  expect(await read()).toBe('GET ');
  expect(server.tokenRequests).toBe(2);
});

it('S26: got sends no token to an origin that starts like the right one', async () => {
  const { port } = new URL(server.url);
  const other = createTokenProvider({
    baseUrl: `http://127.0.0.1:${port.slice(0, -1)}`,
    username: 'u',
    password: 'p',
  });
  await got.createApi(server.url, other).get('x', { throwHttpErrors: false });
  expect(server.seen[0]?.token).toBeUndefined();
});

it('openapi-fetch has the types of the reference', () => {
  const api = openapiFetch.createApi(server.url, provider);
  const read = () =>
    api.GET('/wallet/api/customers/{customerId}/cards/{cardId}', {
      params: { path: { customerId: 'c', cardId: 'k' } },
    });
  expectTypeOf<Awaited<ReturnType<typeof read>>['data']>().toEqualTypeOf<Card | undefined>();
  // @ts-expect-error a path that is no operation
  () => api.GET('/wallet/api/customers/{customerId}/loans', {});
  // @ts-expect-error another method than the documented one
  () => api.DELETE('/billing/api/customers/{customerId}/clients/{clientId}/transactions/fees', {});
  // @ts-expect-error a parameter is missing
  () => api.GET('/wallet/api/customers/{customerId}/cards/{cardId}', { params: { path: { customerId: 'c' } } });
});

const page = readFileSync(new URL('../../../docs/client.md', import.meta.url), 'utf8');
it.each(Object.keys(LIBRARIES))('the docs show the tested adapter for %s', (name) => {
  const code = readFileSync(new URL(`./${name}.ts`, import.meta.url), 'utf8');
  const [, expression = ''] = /=>\s+(.*);\n$/.exec(code) ?? [];
  const row = page.split('\n').find((line) => line.startsWith(`| ${name} `));
  expect(expression).toContain('bearer(provider)');
  expect(row).toContain(`| \`banking-api-contract/client/${name}\` | \`${expression}\``);
});
