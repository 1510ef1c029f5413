import { describe, expect, test } from 'vitest';
import { startMock } from '../../../src/mock/start-mock.ts';
import { askToken, bearer, send } from '../support/client.ts';

const CARD = '/wallet/api/customers/cust-1001/cards/card-4001';
const START = Date.UTC(2026, 0, 1);
const SAME_TOKEN = { scenarios: ['token-endpoint-same-token'], clock: () => START };

test('token-expired-forbidden answers 403 for an expired token, 401 for a revoked one, and accepts a new one', async () => {
  await using mock = await startMock({ scenarios: ['token-expired-forbidden'], clock: () => START });
  const authorization = await bearer(mock);
  const ask = () => send(mock, { path: CARD, headers: { authorization } });
  expect((await ask()).status).toBe(200);
  mock.clock.advance(3_600);
  const expired = await ask();
  expect([expired.status, expired.headers['x-mock-scenario']]).toEqual([403, 'token-expired-forbidden']);
  expect(expired.json()).toMatchObject({ status: 403, detail: 'the token has expired' });
  mock.tokens.revokeAll();
  expect((await ask()).status).toBe(401);
  const fresh = await bearer(mock);
  expect((await send(mock, { path: CARD, headers: { authorization: fresh } })).status).toBe(200);
});

describe('token-endpoint-same-token', () => {
  test('token-endpoint-same-token returns one token with its remaining lifetime until it expires', async () => {
    await using mock = await startMock(SAME_TOKEN);
    const first = (await askToken(mock)).json();
    expect(first.expires_in).toBe(3600);
    mock.clock.advance(3_590.5);
    const again = await askToken(mock);
    expect(again.json()).toEqual({ ...first, expires_in: 9 });
    expect(again.headers['content-length']).toBe(String(Buffer.byteLength(again.text)));
    mock.clock.advance(10);
    const next = (await askToken(mock)).json();
    expect(next.access_token).not.toBe(first.access_token);
    expect(next.expires_in).toBe(3599);
  });

  test('token-endpoint-same-token promises at least one second, and the token is accepted for it', async () => {
    await using mock = await startMock({ ...SAME_TOKEN, tokenLifetime: 5 });
    const first = (await askToken(mock)).json();
    mock.clock.advance(4.9);
    const again = (await askToken(mock)).json();
    expect([again.access_token, again.expires_in]).toEqual([first.access_token, 1]);
    mock.clock.advance(0.99);
    const headers = { authorization: `Bearer ${String(first.access_token)}` };
    expect((await send(mock, { path: CARD, headers })).status).toBe(200);
    mock.clock.advance(0.02);
    expect((await send(mock, { path: CARD, headers })).status).toBe(401);
  });

  test('token-endpoint-same-token cannot keep a revoked token alive', async () => {
    await using mock = await startMock({ ...SAME_TOKEN, tokenLifetime: 3 });
    const seen: unknown[] = [];
    for (let half = 0; half < 12; half += 1) {
      seen.push((await askToken(mock)).json().access_token);
      mock.clock.advance(0.5);
    }
    expect(new Set(seen).size).toBe(2);
    expect(seen.indexOf(seen.at(-1))).toBe(6);
  });
});

test('a quota counts by token and window, and the answer states the remainder', async () => {
  await using mock = await startMock({ scenarios: ['quota'], clock: () => START });
  const authorization = await bearer(mock);
  const ask = (field = authorization) => send(mock, { path: CARD, headers: { authorization: field } });
  for (let left = 9; left >= 0; left -= 1) {
    const { status, headers } = await ask();
    const told = [status, headers['ratelimit-policy'], headers.ratelimit];
    expect(told).toEqual([200, '"token";q=10;w=10', `"token";r=${left};t=10`]);
  }
  mock.clock.advance(4);
  const refused = await ask();
  const told = [refused.status, refused.headers['retry-after'], refused.headers.ratelimit];
  expect(told).toEqual([429, '6', '"token";r=0;t=6']);
  expect((await ask(await bearer(mock))).status).toBe(200);
  expect((await send(mock, { path: CARD })).status).toBe(401);
  mock.clock.advance(6);
  expect((await ask()).status).toBe(200);
});
