import { describe, expect, it } from 'vitest';
import { createTokenProvider, TokenError } from '../../src/client/client.ts';
import { retryAfterSeconds } from '../../src/client/token-response.ts';
import { BASE, type Handler, setup, tokenError, tokenResponse } from './support.ts';

const answering =
  (status: number, headers: Record<string, string> = {}): Handler =>
  (call) =>
    call === 1 ? new Response('', { status, headers }) : tokenResponse({ access_token: `token-${call}` });

describe('T13: retries of the token request', () => {
  it.each([408, 429, 500, 502, 503, 504])('%i is retried', async (status) => {
    const { provider, endpoint, clock } = setup(answering(status));
    const token = provider.getToken();
    await clock.advance(1_000);
    expect((await token).value).toBe('token-2');
    expect(endpoint.calls).toBe(2);
  });

  it.each([400, 401, 403, 404, 405, 410, 415, 422, 501, 505])('%i is not retried', async (status) => {
    const { provider, endpoint, clock } = setup(answering(status));
    const failure = tokenError(provider.getToken());
    await clock.advance(60_000);
    expect(await failure).toMatchObject({ code: 'refused', status, retryable: false });
    expect(endpoint.calls).toBe(1);
  });

  it('a failed connection is retried, a certificate error is not', async () => {
    for (const [code, calls] of [
      ['ECONNREFUSED', 3],
      ['ENOTFOUND', 3],
      ['UND_ERR_SOCKET', 3],
      ['CERT_HAS_EXPIRED', 1],
      ['DEPTH_ZERO_SELF_SIGNED_CERT', 1],
      ['ERR_TLS_CERT_ALTNAME_INVALID', 1],
    ] as const) {
      const cause = new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) });
      const { provider, endpoint, clock } = setup(() => Promise.reject(cause));
      const failure = tokenError(provider.getToken());
      await clock.advance(60_000);
      expect((await failure).code).toBe('unreachable');
      expect([code, endpoint.calls]).toEqual([code, calls]);
    }
  });

  it('there are at most two retries, with full jitter over doubling pauses', async () => {
    for (const random of [0, 0.25, 0.999]) {
      const { provider, endpoint, clock } = setup(() => new Response('', { status: 503 }), { random: () => random });
      const failure = tokenError(provider.getToken());
      await clock.advance(60_000);
      await failure;
      const [first = 0, second = 0, third = 0] = endpoint.times;
      expect(endpoint.calls).toBe(3);
      expect(second - first).toBeCloseTo(random * 1000);
      expect(third - second).toBeCloseTo(random * 2000);
    }
  });

  it('S23: a token request is never repeated before Retry-After, in seconds or as a date', async () => {
    const seconds = setup(answering(429, { 'retry-after': '7' }));
    const date = setup((call) =>
      call === 1
        ? answering(503, { 'retry-after': new Date(date.clock.now() + 7_000).toUTCString() })(call, {}, '')
        : tokenResponse(),
    );
    for (const { provider, endpoint, clock } of [seconds, date]) {
      const token = provider.getToken();
      // An HTTP date has whole seconds only.
      await clock.advance(5_900);
      expect(endpoint.calls).toBe(1);
      await clock.advance(1_200);
      await token;
      expect(endpoint.calls).toBe(2);
    }
  });

  it('S23: a Retry-After beyond the deadline fails at once, and still applies to later calls', async () => {
    const { provider, endpoint, clock } = setup(answering(503, { 'retry-after': '120' }));
    expect(await tokenError(provider.getToken())).toMatchObject({ status: 503, retryAfter: 120 });
    await clock.advance(119_000);
    expect((await tokenError(provider.getToken())).code).toBe('cooling-down');
    expect(endpoint.calls).toBe(1);
    await clock.advance(1_001);
    await provider.getToken();
    expect(endpoint.calls).toBe(2);
  });

  it('S23: a Retry-After of a year is capped', async () => {
    const { provider, endpoint, clock } = setup(answering(503, { 'retry-after': '31536000' }));
    await tokenError(provider.getToken());
    await clock.advance(300_001);
    await provider.getToken();
    expect(endpoint.calls).toBe(2);
  });

  it('retries can be switched off', async () => {
    const { provider, endpoint } = setup(answering(503), { retries: 0 });
    await tokenError(provider.getToken());
    expect(endpoint.calls).toBe(1);
  });
});

describe('S23: parsing of Retry-After', () => {
  const now = Date.UTC(2026, 9, 21, 7, 28, 0);
  it.each([
    ['0', 0],
    ['120', 120],
    [' 5 ', 5],
    ['Wed, 21 Oct 2026 07:28:30 GMT', 30],
    ['Wednesday, 21-Oct-26 07:28:30 GMT', 30],
    ['Wed, 21 Oct 2026 07:27:00 GMT', 0],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['2026-10-21', undefined],
    ['99999999999999999999', undefined],
    ['', undefined],
  ])('%j is %j seconds', (value, seconds) => {
    expect(retryAfterSeconds(value, now)).toBe(seconds);
  });
});

describe('T12: redirects of the token endpoint', () => {
  it('redirects are never followed, and the request sets redirect: manual', async () => {
    const { provider, endpoint } = setup((_, init) => {
      expect(init.redirect).toBe('manual');
      return new Response('', { status: 307, headers: { location: 'https://evil.example:8443/a?b=c' } });
    });
    const error = await tokenError(provider.getToken());
    expect(error).toMatchObject({ code: 'redirected', status: 307, retryable: false });
    expect(error.message).toContain('evil.example:8443');
    expect(endpoint.calls).toBe(1);
  });

  it('a redirect that a browser or a careless fetch hides is an error as well', async () => {
    for (const shape of [{ type: 'opaqueredirect', status: 0 }, { redirected: true }]) {
      const { provider } = setup(() => {
        const response = tokenResponse();
        for (const [name, value] of Object.entries(shape)) Object.defineProperty(response, name, { value });
        return response;
      });
      expect((await tokenError(provider.getToken())).code).toBe('redirected');
    }
  });
});

describe('T17, S16: credentials need https', () => {
  const create = (baseUrl: string, allowInsecure = false) =>
    createTokenProvider({ baseUrl, username: 'u', password: 'p', allowInsecure });

  it.each(['http://bank.example', 'http://10.0.0.1:8080/x', 'http://127.0.0.1.evil.example', 'http://[2001:db8::1]'])(
    '%s is rejected before anything is sent',
    (baseUrl) => {
      expect(() => create(baseUrl)).toThrowError(expect.objectContaining({ code: 'insecure', retryable: false }));
      expect(() => create(baseUrl)).toThrow(TokenError);
      expect(create(baseUrl, true).origin).toBe(new URL(baseUrl).origin);
    },
  );

  it.each([
    'https://bank.example/sandbox/',
    'http://localhost:4010',
    'http://127.0.0.1:4010',
    'http://127.8.8.8',
    'http://[::1]:4010',
    'http://bank.localhost',
  ])('%s is accepted', (baseUrl) => {
    expect(create(baseUrl).origin).toBe(new URL(baseUrl).origin);
  });

  it.each([
    '/relative',
    'ftp://bank.example',
    'https://u:secret-pw@bank.example',
    'https://bank.example/?k=secret-pw',
    '',
  ])('%j is not a valid base URL, and the error does not repeat it', (baseUrl) => {
    expect(() => create(baseUrl)).toThrow(TypeError);
    expect(() => create(baseUrl)).not.toThrow(/secret-pw/);
  });

  it('a base URL may have a path and a trailing slash', async () => {
    const seen: string[] = [];
    for (const baseUrl of [BASE, `${BASE}/`, `${BASE}//`]) {
      const { provider } = setup(
        (_, __, url) => {
          seen.push(url);
          return tokenResponse();
        },
        { baseUrl },
      );
      await provider.getToken();
    }
    expect(new Set(seen)).toEqual(new Set(['https://bank.example/sandbox/iam/oauth/token']));
  });
});

describe('T20, S6: Basic credentials', () => {
  async function sent(username: string, password: string, encodeCredentials = false): Promise<string> {
    let authorization = '';
    const { provider } = setup(
      (_, init) => {
        authorization = new Headers(init.headers).get('authorization') ?? '';
        return tokenResponse();
      },
      { username, password, encodeCredentials },
    );
    await provider.getToken();
    return Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString('utf8');
  }

  it.each([
    ['sandbox', 'sandbox-secret'],
    ['cl+ient%1', 'p@ss wörd:/+%2B'],
    ['名前', '🔑:🔑'],
    ['a', 'b:'],
  ])('T20: user %s and its password are sent as UTF-8, with colons in the password', async (username, password) => {
    expect(await sent(username, password)).toBe(`${username}:${password}`);
  });

  it('S6: credentials are form-encoded first only on request', async () => {
    expect(await sent('cl+ient%1', 'p@ss wörd:/+%2B', true)).toBe('cl%2Bient%251:p%40ss+w%C3%B6rd%3A%2F%2B%252B');
    expect(await sent('with:colon', 'x', true)).toBe('with%3Acolon:x');
  });

  it.each([
    ['with:colon', 'x'],
    ['', 'x'],
    ['x', ''],
    ['a\nb', 'x'],
    ['a', 'x\0'],
    ['a', '\ud800'],
  ])('T20: user %j with password %j is rejected', (username, password) => {
    expect(() => createTokenProvider({ baseUrl: BASE, username, password })).toThrow(TypeError);
  });

  it('S7: the request has no query, and its body only the grant', async () => {
    const { provider } = setup((_, init, url) => {
      expect(url).not.toContain('?');
      expect(init.body).toBe('grant_type=client_credentials');
      expect(init.method).toBe('POST');
      return tokenResponse();
    });
    await provider.getToken();
  });
});

it.each([
  { margin: -1 },
  { margin: Number.NaN },
  { margin: Number.POSITIVE_INFINITY },
  { retries: -1 },
  { backoff: Number.NaN },
  { timeouts: { call: -1 } },
  { coolDown: { first: Number.NaN } },
])('the option %j is rejected', (options) => {
  expect(() => createTokenProvider({ baseUrl: BASE, username: 'u', password: 'p', ...options })).toThrow(TypeError);
});
