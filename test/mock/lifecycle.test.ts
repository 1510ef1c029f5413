import { once } from 'node:events';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { startMock } from '../../src/mock/start-mock.ts';
import type { Exchange } from '../../src/model/exchange.ts';
import { header } from '../../src/model/exchange.ts';
import { askToken, bearer, send } from './support/client.ts';

const CARDS = '/wallet/api/customers/c/cards';
const PATH = `${CARDS}/card-4001`;

test('M13: close lets a running request finish, rejects new ones, and may be called again', async () => {
  const mock = await startMock({ anyToken: true });
  const headers = { authorization: 'Bearer x', 'content-type': 'application/json', expect: '100-continue' };
  const running = request(`${mock.url}${CARDS}`, { method: 'POST', headers });
  running.flushHeaders();
  await once(running, 'continue');
  const closing = Promise.all([mock.close(), mock.close()]);
  running.end('{}');
  const [answer] = await once(running, 'response');
  expect(answer.resume().statusCode).toBe(200);
  await closing;
  await expect(fetch(mock.url)).rejects.toThrow();
});

test('onExchange gets raw exchanges, one per request, with operation, connection and token', async () => {
  const told: Exchange[] = [];
  let now = 1_700_000_000_000;
  const mock = await startMock({ onExchange: (exchange) => told.push(exchange), clock: () => now });
  const authorization = await bearer(mock);
  now += 5_000;
  await send(mock, { path: `${PATH}?a=b`, headers: { authorization, 'X-Twice': ['1', '2'] } });
  await send(mock, { path: '/nowhere' });
  await send(mock, { method: 'HEAD', path: PATH, headers: { authorization, prefer: 'code=204' } });
  await askToken(mock, { body: 'grant_type=password' });
  await mock.close();
  expect(told.map(({ seq, operationId, response }) => [seq, operationId, response?.status])).toEqual([
    [1, 'getToken', 200],
    [2, 'getCard', 200],
    [3, null, 404],
    [4, 'getCard', 204],
    [5, 'getToken', 400],
  ]);
  const [token, card] = told;
  const value = authorization.slice('Bearer '.length);
  const shown = { value, issuedAt: 1_700_000_000_000, expiresIn: 3600 };
  expect([token?.token, card?.token]).toEqual([shown, shown]);
  expect(card?.startedAt).toBe(1_700_000_005_000);
  expect(card?.request).toMatchObject({ target: `${PATH}?a=b`, method: 'GET' });
  expect(card?.request.headers.filter(([name]) => name === 'x-twice')).toEqual([
    ['x-twice', '1'],
    ['x-twice', '2'],
  ]);
  expect(header(card?.response?.headers ?? [], 'content-type')).toBe('application/json');
  expect(JSON.parse(Buffer.from(card?.response?.body.bytes ?? []).toString())).toHaveProperty('cardId');
  expect(Buffer.from(token?.request.body ?? []).toString()).toBe('grant_type=client_credentials');
  expect(told[3]?.response?.body.bytes).toHaveLength(0);
  expect(told[4]?.token).toBeNull();
});
