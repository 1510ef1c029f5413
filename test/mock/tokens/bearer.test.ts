import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { startMock } from '../../../src/mock/start-mock.ts';
import { TokenAuthority } from '../../../src/mock/tokens/token-authority.ts';
import { askToken, bearer, type Reply, send } from '../support/client.ts';
import { mockOfFile } from '../support/started.ts';

const PATH = '/wallet/api/customers/c/cards/card-4001';
const mock = await mockOfFile();
const good = await bearer(mock);

const call = (authorization?: string | string[], path = PATH): Promise<Reply> =>
  send(mock, { path, headers: authorization === undefined ? {} : { authorization } });

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('M5: the 401 matrix', () => {
  test('S10: a request without credentials gets a challenge without an error code', async () => {
    for (const authorization of [undefined, 'Basic c2FuZGJveDpzYW5kYm94LXNlY3JldA==', 'Digest x', '']) {
      const reply = await call(authorization);
      expect([reply.status, reply.headers['www-authenticate']]).toEqual([401, 'Bearer realm="banking-api mock"']);
      expect(reply.headers['content-type']).toBe('application/problem+json');
    }
  });

  test('S11: a malformed, foreign, forged or unsigned token gets invalid_token', async () => {
    const [header = '', payload = '', signature = ''] = good.slice('Bearer '.length).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const foreign = await startMock();
    const wrong = [
      'garbage',
      'Bearer',
      'a.b.c',
      `${header}.${payload}`,
      `${header}.${payload}.`,
      `${header}.${payload}.${signature}x`,
      `${header}.${payload}.${signature.slice(0, -1)}`,
      `${header}.${encode({ ...claims, exp: 9_999_999_999 })}.${signature}`,
      `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`,
      `${encode({ alg: 'HS256', typ: 'JWT', kid: '0' })}.${payload}.${createHmac('sha256', 'guess').update(`${header}.${payload}`).digest('base64url')}`,
      (await bearer(foreign)).slice('Bearer '.length),
    ];
    await foreign.close();
    for (const token of wrong) {
      const reply = await call(`Bearer ${token}`);
      expect([token, reply.status]).toEqual([token, 401]);
      expect(reply.headers['www-authenticate']).toMatch(
        /^Bearer realm="[^"]+", error="invalid_token", error_description="[^"]+"$/,
      );
    }
  });

  test('S12: a token that is sent twice, or in two ways, gets 400 invalid_request', async () => {
    const headers = { authorization: good, 'content-type': 'application/x-www-form-urlencoded' };
    const form = { method: 'PUT', path: '/iam/api/customers/c/clients/d/reject', body: 'access_token=x', headers };
    const inQuery = `${PATH}?access_token=${good.slice(7)}`;
    for (const reply of [await call([good, good]), await call(good, inQuery), await send(mock, form)]) {
      expect(reply.status).toBe(400);
      expect(reply.headers['www-authenticate']).toContain('error="invalid_request"');
    }
  });

  test('S7: a token only in the query is rejected', async () => {
    expect((await call(undefined, `${PATH}?access_token=${good.slice(7)}`)).status).toBe(401);
  });

  test('S14: the scheme is case-insensitive', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      expect((await call(good.replace('Bearer', scheme))).status).toBe(200);
  });

  test('S18: each 401 carries a challenge, before the rest of the request is checked', async () => {
    const headers = { accept: 'text/html', 'content-type': 'text/plain' };
    const reply = await send(mock, { method: 'POST', path: '/wallet/api/customers/c/cards', headers, body: '{' });
    expect([reply.status, typeof reply.headers['www-authenticate']]).toEqual([401, 'string']);
  });
});

describe('the token handle', () => {
  test('M6: a revoked token stays revoked, however many tokens are revoked after it', () => {
    const tokens = new TokenAuthority({ lifetime: 60, clock: () => 0 });
    const first = tokens.issue('sandbox');
    tokens.end(first.claims.jti, 'revoked');
    for (let more = 0; more < 10_001; more += 1) tokens.end(tokens.issue('sandbox').claims.jti, 'revoked');
    expect(tokens.state(first.value)).toBe('revoked');
  });

  test('M6: the handle revokes or expires all tokens at once, with distinct errors; new tokens are good', async () => {
    await using other = await startMock();
    const status = async (authorization: string): Promise<[number, unknown]> => {
      const reply = await send(other, { path: PATH, headers: { authorization } });
      return [reply.status, reply.status === 401 ? reply.json().detail : ''];
    };
    const first = await bearer(other);
    expect(await status(first)).toEqual([200, '']);
    other.tokens.revokeAll();
    const second = await bearer(other);
    expect([await status(first), await status(second)]).toEqual([
      [401, 'the token was revoked'],
      [200, ''],
    ]);
    other.tokens.expireAll();
    expect([await status(first), await status(second)]).toEqual([
      [401, 'the token was revoked'],
      [401, 'the token has expired'],
    ]);
    expect(await status(await bearer(other))).toEqual([200, '']);
  });

  test('the handle rejects only the next requests that carry a valid token', async () => {
    await using other = await startMock();
    const authorization = await bearer(other);
    const status = async (field?: string): Promise<number> =>
      (await send(other, { path: PATH, headers: field === undefined ? {} : { authorization: field } })).status;
    other.refuseNext(2);
    await status();
    await askToken(other);
    const told = [await status(authorization), await status(authorization), await status(authorization)];
    expect(told).toEqual([401, 401, 200]);
  });
});

test('S11: after the clock goes back a token is not yet valid', async () => {
  let now = 1_700_000_000_000;
  await using other = await startMock({ clock: () => now });
  const authorization = await bearer(other);
  now -= 60_000;
  expect((await send(other, { path: PATH, headers: { authorization } })).status).toBe(401);
});

test('--any-token accepts any token, but still needs one', async () => {
  await using open = await startMock({ anyToken: true });
  expect((await send(open, { path: PATH, headers: { authorization: 'Bearer whatever' } })).status).toBe(200);
  expect((await send(open, { path: PATH })).status).toBe(401);
});

test('one mock remembers a thousand tokens and accepts the next', async () => {
  const authorizations = await Promise.all(Array.from({ length: 1_100 }, () => bearer(mock)));
  const replies = await Promise.all(authorizations.map((authorization) => call(authorization)));
  expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]));
});
