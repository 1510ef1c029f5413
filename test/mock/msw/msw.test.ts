import { bypass } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { handlers } from '../../../src/mock/msw/handlers.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import type { Exchange } from '../../../src/model/exchange.ts';
import { basic, FORM } from '../support/client.ts';

const BASE = 'https://sandbox.bank.example/gateway';
const CARD = '/wallet/api/customers/cust-1001/cards/card-4001';
const told: Exchange[] = [];
const server = setupServer(...handlers({ baseUrl: BASE, onExchange: (exchange) => told.push(exchange) }));

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterAll(() => server.close());

function askToken(base = BASE): Promise<Response> {
  return fetch(`${base}/iam/oauth/token`, {
    method: 'POST',
    headers: { authorization: basic('sandbox', 'sandbox-secret'), 'content-type': FORM },
    body: 'grant_type=client_credentials',
  });
}

async function tokenAt(base: string): Promise<string | undefined> {
  return ((await (await askToken(base)).json()) as Record<string, string>).access_token;
}

describe('handlers for MSW, in Node', () => {
  test('the handlers answer a program at its usual API address, as the mock does', async () => {
    const token = await askToken();
    expect([token.status, token.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const { access_token: value } = (await token.json()) as { access_token: string };
    const headers = { authorization: `Bearer ${value}` };
    const card = await fetch(`${BASE}${CARD}?a=b`, { headers });
    expect([card.status, card.headers.get('x-mock-provenance')]).toEqual([200, 'assumed']);
    expect(await card.json()).toMatchObject({ cardId: 'card-4001' });
    const statuses = await Promise.all([
      fetch(`${BASE}${CARD}`).then(({ status }) => status),
      fetch(`${BASE}${CARD}`, { method: 'PATCH', headers }).then(({ status }) => status),
      fetch(`${BASE}/nowhere`, { headers }).then(({ status }) => status),
      fetch(`${BASE}${CARD}`, { method: 'HEAD', headers }).then(({ status }) => status),
    ]);
    expect(statuses).toEqual([401, 405, 404, 200]);
    const refused = await fetch(`${BASE}/wallet/api/customers/cust-1001/cards`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"currency":"GBP","cardLimitDaily":100001}',
    });
    expect([refused.status, refused.headers.get('content-type')]).toEqual([422, 'application/problem+json']);
    expect(told.slice(0, 2).map(({ operationId, request }) => [operationId, request.target])).toEqual([
      ['getToken', '/iam/oauth/token'],
      ['getCard', `${CARD}?a=b`],
    ]);
  });

  test('the handlers ignore every other address', async () => {
    await expect(fetch('https://elsewhere.example/gateway/iam/oauth/token')).rejects.toThrow();
    await expect(fetch('https://sandbox.bank.example/gatewayx')).rejects.toThrow();
  });

  test('the handlers use the mock of the test, so the test can end its tokens', async () => {
    await using mock = await startMock({ listen: false });
    server.use(...handlers({ baseUrl: 'https://other.example', mock }));
    const value = await tokenAt('https://other.example');
    const ask = async (): Promise<number> =>
      (await fetch(`https://other.example${CARD}`, { headers: { authorization: `Bearer ${value}` } })).status;
    expect(await ask()).toBe(200);
    mock.tokens.revokeAll();
    expect([await ask(), mock.tokens.issued]).toEqual([401, 1]);
  });

  test('the handlers forward requests to a mock that runs elsewhere', async () => {
    await using there = await startMock();
    const forward = async (request: Request): Promise<Response> => {
      const { pathname, search } = new URL(request.url);
      return fetch(bypass(new Request(`${there.url}${pathname}${search}`, request)));
    };
    server.use(...handlers({ baseUrl: 'https://forwarded.example/v1', mock: { fetch: forward } }));
    expect((await askToken('https://forwarded.example/v1')).status).toBe(200);
    expect(there.tokens.issued).toBe(1);
  });

  test('M11: the handlers turn a connection that a scenario ends into a network error', async () => {
    const headers = { 'x-mock-scenario': 'connection-reset' };
    await expect(fetch(`${BASE}${CARD}`, { headers })).rejects.toThrow(TypeError);
  });

  test('the handle rejects an unknown scenario, and options that exclude each other', async () => {
    const options = { baseUrl: BASE };
    await expect(handlers({ ...options, scenarios: ['rate-limitd'] }).mock).rejects.toThrow(
      /Did you mean rate-limited/,
    );
    await expect(handlers({ ...options, strict: true, lenient: true }).mock).rejects.toThrow(/strict or lenient/);
  });

  test('the handle gives access to scenarios, clock, tokens and journal', async () => {
    const api = handlers({ baseUrl: 'https://handled.example/v1', scenarios: ['unauthorized-once'] });
    server.use(...api);
    const mock = await api.mock;
    const value = await tokenAt('https://handled.example/v1');
    const ask = async (): Promise<number> =>
      (await fetch(`https://handled.example/v1${CARD}`, { headers: { authorization: `Bearer ${value}` } })).status;
    expect([await ask(), await ask()]).toEqual([401, 200]);
    using _scenario = await mock.scenario('rate-limited-always');
    expect(await ask()).toBe(429);
    _scenario.dispose();
    mock.clock.advance(7200);
    expect(await ask()).toBe(401);
    const statuses = mock.journal.entries({ operationId: 'getCard' }).map(({ response }) => response?.status);
    expect(statuses).toEqual([401, 200, 429, 401]);
    const given = { fetch: mock.fetch, mine: true };
    expect(await handlers({ baseUrl: BASE, mock: given }).mock).toBe(given);
  });

  test('the handlers serve the control API below their base URL, even with an Origin header', async () => {
    const api = handlers({ baseUrl: 'https://controlled.example/v1' });
    server.use(...api);
    const control = (method: string, path: string, body?: unknown): Promise<Response> =>
      fetch(`https://controlled.example/v1/__mock${path}`, {
        method,
        headers: { origin: 'https://app.example', ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    expect((await control('POST', '/scenarios/active', { name: 'server-errors' })).status).toBe(201);
    expect(await (await control('GET', '/health')).json()).toMatchObject({
      status: 'ok',
      url: 'https://controlled.example/v1',
      scenarios: ['server-errors'],
    });
    const events = await control('GET', '/events');
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
    await (await api.mock).fetch(CARD);
    let text = '';
    while (!text.includes('event: exchange')) text += (await reader?.read())?.value ?? '';
    expect(text).toContain('"operationId":"getCard"');
    await reader?.cancel();
  });

  test('the handlers pass unknown paths through if the option allows it', async () => {
    await using there = await startMock();
    // a trailing slash of the base URL is not part of a path
    server.use(...handlers({ baseUrl: `${there.url}/`, passUnknown: true }));
    const answer = await fetch(`${there.url}/nowhere`);
    // the network's own answer, which MSW did not make
    expect([answer.status, answer.headers.has('date')]).toEqual([404, true]);
    expect((await askToken(there.url)).status).toBe(200);
    expect(there.tokens.requests).toBe(0);
  });
});

test.each(['', 'a.example', 'ftp://a.example'])('%j is not a valid base URL', (text) => {
  expect(() => handlers({ baseUrl: text })).toThrow(TypeError);
});
