import fc from 'fast-check';
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { Token } from '../../../generated/validators/token.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { TokenAuthority } from '../../../src/mock/tokens/token-authority.ts';
import { askToken, basic, FORM, send } from '../support/client.ts';
import { mockOfFile } from '../support/started.ts';

const GRANT = 'grant_type=client_credentials';
const mock = await mockOfFile();

describe('the documented request', () => {
  test('the documented token request gets the five documented fields and nothing else', async () => {
    const reply = await askToken(mock);
    expect(reply.status).toBe(200);
    expect(Token.is(reply.json())).toBe(true);
    expect(Object.keys(reply.json()).toSorted()).toEqual(['access_token', 'expires_in', 'jti', 'scope', 'token_type']);
    expect(reply.headers['x-mock-provenance']).toBe('documented');
  });

  test('S4: a token response carries Cache-Control: no-store, and so does every rejection', async () => {
    for (const body of ['grant_type=client_credentials', 'grant_type=password', '']) {
      const { headers } = await askToken(mock, { body });
      expect([headers['cache-control'], headers.pragma]).toEqual(['no-store', 'no-cache']);
    }
  });

  test('S32: a token is a JWT with the lifetime, identifier and client of the response', async () => {
    const { access_token: token, expires_in: left, jti } = (await askToken(mock)).json();
    const claims = decodeJwt(String(token));
    expect(decodeProtectedHeader(String(token))).toMatchObject({ alg: 'HS256', typ: 'JWT' });
    expect(Object.keys(claims).toSorted()).toEqual(['client_id', 'exp', 'iat', 'iss', 'jti', 'sub']);
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(3600);
    expect(claims.jti).toBe(jti);
    expect(claims.client_id).toBe('sandbox');
    expect(left).toBeLessThanOrEqual(3600);
    expect(left).toBeGreaterThanOrEqual(3599);
  });

  test('S32: jose verifies a token with the key, and with no other', async () => {
    const key = Buffer.alloc(32, 7);
    const authority = new TokenAuthority({ lifetime: 60, clock: Date.now, key });
    const { value, claims } = authority.issue('someone');
    expect((await jwtVerify(value, key)).payload.jti).toBe(claims.jti);
    await expect(jwtVerify(value, Buffer.alloc(32, 8))).rejects.toThrow();
  });
});

describe('M6: the lifetime of a token', () => {
  const START = 1_700_000_000_000;
  const CARD = '/wallet/api/customers/c/cards/card-4001';

  test('the lifetime is configured in seconds, and expires_in is the rest, rounded down', async () => {
    let now = START + 400;
    await using short = await startMock({ tokenLifetime: 10, clock: () => now });
    const { access_token: token, expires_in: left } = (await askToken(short)).json();
    const claims = decodeJwt(String(token));
    expect([left, (claims.exp ?? 0) - (claims.iat ?? 0)]).toEqual([9, 10]);
    const call = (): Promise<number> =>
      send(short, { path: CARD, headers: { authorization: `Bearer ${String(token)}` } }).then(({ status }) => status);
    expect(await call()).toBe(200);
    now += 9_500;
    expect(await call()).toBe(200);
    now += 200;
    expect(await call()).toBe(401);
  });

  test('the lifetime counts from the answer: a delayed token is accepted for its full expires_in', async () => {
    let now = START;
    await using mock = await startMock({ tokenLifetime: 2, clock: () => now });
    await mock.scenario({ name: 'slow', rules: [{ operations: ['getToken'], delay: 20 }] });
    const asked = askToken(mock);
    while (mock.tokens.issued === 0) await new Promise((resolve) => setImmediate(resolve));
    now += 5_000;
    const { access_token: token, expires_in: left } = (await asked).json();
    expect(left).toBe(2);
    const headers = { authorization: `Bearer ${String(token)}` };
    now += 1_999;
    expect((await send(mock, { path: CARD, headers })).status).toBe(200);
    now += 1;
    expect((await send(mock, { path: CARD, headers })).status).toBe(401);
  });

  test('no token is rejected before its expires_in is over, at any moment and lifetime', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7200 }), fc.nat(999), fc.nat(5_000), (lifetime, fraction, held) => {
        let now = START + fraction;
        const tokens = new TokenAuthority({ lifetime, clock: () => now });
        const { value, expiresIn, claims } = tokens.issue('c');
        expect(expiresIn).toBeLessThanOrEqual(lifetime);
        expect(expiresIn).toBeGreaterThanOrEqual(Math.max(1, lifetime - 1));
        now += held;
        tokens.promise(claims, expiresIn);
        now += expiresIn * 1000 - 1;
        expect(tokens.state(value)).toBe('valid');
        now += 1_000;
        expect(tokens.state(value)).toBe('expired');
      }),
    );
  });

  test('a lifetime that is not a positive whole number is a usage error', async () => {
    for (const tokenLifetime of [0, -1, 1.5, Number.NaN]) {
      await expect(startMock({ tokenLifetime })).rejects.toMatchObject({ code: 'usage' });
    }
  });
});

describe('the client credentials', () => {
  test('S3: a wrong or missing client gets 401 invalid_client with a Basic challenge', async () => {
    const wrong = [
      ...['', 'Basic', 'Basic !!!', 'Bearer x', `Basic ${Buffer.from([0xff, 0x3a]).toString('base64')}`],
      ...[basic('sandbox', 'nope'), basic('nobody', 'sandbox-secret'), basic('sandbox', '')],
    ];
    for (const authorization of wrong) {
      const reply = await askToken(mock, { headers: { authorization } });
      expect([authorization, reply.status, reply.json().error]).toEqual([authorization, 401, 'invalid_client']);
      expect(reply.headers['www-authenticate']).toMatch(/^Basic realm=/);
      expect(reply.headers['content-type']).toBe('application/json');
    }
    const body = 'grant_type=client_credentials';
    const none = await send(mock, {
      method: 'POST',
      path: '/iam/oauth/token',
      headers: { 'content-type': FORM },
      body,
    });
    expect([none.status, none.json().error]).toEqual([401, 'invalid_client']);
  });

  test('S6, S14: a password may have colons and any letters, raw or form-encoded; the scheme any case', async () => {
    const credentials = { username: 'cl+ient%1', password: 'p@ss:wörd:/+%2B ☂' };
    await using other = await startMock({ credentials });
    const encode = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+');
    const fields = [
      basic(credentials.username, credentials.password),
      basic(encode(credentials.username), encode(credentials.password)),
    ];
    for (const field of fields) {
      for (const authorization of [field, field.replace('Basic', 'bAsIc'), field.replace('Basic', 'basic  ')])
        expect((await askToken(other, { headers: { authorization } })).status).toBe(200);
    }
    expect((await askToken(other, { headers: { authorization: basic('cl+ient%1', 'p@ss') } })).status).toBe(401);
  });

  test('a client that authenticates in two ways gets 400 invalid_request', async () => {
    const reply = await askToken(mock, { body: 'grant_type=client_credentials&client_secret=x' });
    expect([reply.status, reply.json().error]).toEqual([400, 'invalid_request']);
  });

  test('S7: credentials only in the URL or only in the body are rejected', async () => {
    const path = '/iam/oauth/token?client_id=sandbox&client_secret=sandbox-secret';
    const body = 'grant_type=client_credentials&client_id=sandbox&client_secret=sandbox-secret';
    const reply = await send(mock, { method: 'POST', path, headers: { 'content-type': FORM }, body });
    expect(reply.json().error).toBe('invalid_client');
  });
});

describe('the token form', () => {
  test.each([
    ['S1: a token request without a grant', '', 400, 'invalid_request'],
    ['S1: a token request with an empty grant, which counts as omitted', 'grant_type=', 400, 'invalid_request'],
    ['S1: a token request with a repeated parameter', `${GRANT}&${GRANT}`, 400, 'invalid_request'],
    ['S1: a token request with a repeated parameter that is unknown', `${GRANT}&a=1&a=2`, 400, 'invalid_request'],
    ['S2: a token request with an unknown grant', 'grant_type=password', 400, 'unsupported_grant_type'],
    [
      'S2: a token request with a grant in another case',
      'grant_type=CLIENT_CREDENTIALS',
      400,
      'unsupported_grant_type',
    ],
    ['with a bad escape', 'grant_type=client_credentials&%zz=1', 400, 'invalid_request'],
    ['with a bad escape in a value', 'grant_type=%E0%A4%A', 400, 'invalid_request'],
  ])('%s is rejected', async (_, body, status, error) => {
    const reply = await askToken(mock, { body });
    expect([reply.status, reply.json().error]).toEqual([status, error]);
    // S8
    expect(reply.json().error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
  });

  test('S1: a token request may have unknown parameters', async () => {
    const reply = await askToken(mock, { body: `${GRANT}&scope=all&audience=x&empty=` });
    expect([reply.status, reply.json().scope]).toEqual([200, 'all']);
  });

  test('S21: a token request of another type is 415', async () => {
    const body = '{"grant_type":"client_credentials"}';
    const reply = await askToken(mock, { headers: { 'content-type': 'application/json' }, body });
    expect([reply.status, reply.headers['content-type']]).toEqual([415, 'application/problem+json']);
  });

  test('S1, S17: the token endpoint accepts only POST', async () => {
    const reply = await send(mock, { path: '/iam/oauth/token?grant_type=client_credentials' });
    expect([reply.status, reply.headers.allow]).toEqual([405, 'POST, OPTIONS']);
  });
});

test('the handle counts token requests and issued tokens', async () => {
  await using other = await startMock();
  await askToken(other);
  await askToken(other, { body: 'grant_type=password' });
  await askToken(other);
  expect([other.tokens.requests, other.tokens.issued]).toEqual([3, 2]);
});
