import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { createTokenProvider, type TokenGot, type TokenRetry, type TokenWarning } from '../../src/client/client.ts';
import { secretsIn } from './secrets.ts';
import { BASE, numbered, PASSWORD, setup, silence, tokenError, tokenResponse, USERNAME } from './support.ts';
import { settle } from './virtual-clock.ts';

describe('caching', () => {
  it('T1: 1,000 parallel first calls make one token request', async () => {
    const { provider, endpoint } = setup();
    const tokens = await Promise.all(Array.from({ length: 1000 }, () => provider.getToken()));
    expect(new Set(tokens.map(({ value }) => value))).toEqual(new Set(['token-1']));
    expect(endpoint.calls).toBe(1);
  });

  it('T2: invalidate drops the current token only if it is the rejected one', async () => {
    const { provider, endpoint } = setup();
    const first = await provider.getToken();
    provider.invalidate(first);
    const second = await provider.getToken();
    provider.invalidate(first);
    provider.invalidate(first.value);
    provider.invalidate('never seen');
    expect((await provider.getToken()).value).toBe(second.value);
    expect(endpoint.calls).toBe(2);
  });

  it('a token has its time of issue and its lifetime', async () => {
    const { provider, clock } = setup(() => tokenResponse({ expires_in: 3599, scope: 'api' }));
    const now = clock.now();
    const { issuedAt, expiresIn, jti, scope } = await provider.getToken();
    expect({ issuedAt, expiresIn, jti, scope }).toEqual({ issuedAt: now, expiresIn: 3599, jti: 'j-0', scope: 'api' });
  });

  it('T7: without expires_in the token is used until a 401, with a warning', async () => {
    const warnings: TokenWarning[] = [];
    const { provider, endpoint, clock } = setup(numbered({ expires_in: undefined }), {
      onWarning: (warning) => warnings.push(warning),
    });
    expect((await provider.getToken()).expiresIn).toBe(null);
    await clock.advance(90 * 86_400_000);
    expect((await provider.getToken()).value).toBe('token-1');
    expect(warnings).toEqual(['lifetime-unknown']);
    expect(endpoint.calls).toBe(1);
  });

  it.each([0, -5, '0'])(
    'T7: a token with expires_in %j goes to waiting callers and is not cached',
    async (expires_in) => {
      const { provider, endpoint } = setup(numbered({ expires_in }));
      const tokens = await Promise.all([provider.getToken(), provider.getToken()]);
      expect(tokens.map(({ value }) => value)).toEqual(['token-1', 'token-1']);
      expect((await provider.getToken()).value).toBe('token-2');
      expect(endpoint.calls).toBe(2);
    },
  );

  it('T7: a lifetime beyond 2^31-1 seconds is treated as 2^31-1', async () => {
    const { provider, endpoint, clock } = setup(numbered({ expires_in: 1e15 }));
    expect((await provider.getToken()).expiresIn).toBe(2 ** 31 - 1);
    await clock.advance(365 * 86_400_000);
    await provider.getToken();
    expect(endpoint.calls).toBe(1);
  });

  it('T8: within the margin callers get the old token while one request fetches the next', async () => {
    const { provider, endpoint, clock } = setup();
    await provider.getToken();
    await clock.advance(3554_000);
    expect((await provider.getToken()).value).toBe('token-1');
    expect(endpoint.calls).toBe(1);
    await clock.advance(2_000);
    const served = await Promise.all([provider.getToken(), provider.getToken(), provider.getToken()]);
    expect(served.map(({ value }) => value)).toEqual(['token-1', 'token-1', 'token-1']);
    await settle();
    expect((await provider.getToken()).value).toBe('token-2');
    expect(endpoint.calls).toBe(2);
  });

  it('T8: a token that is about to expire is not used', async () => {
    const { provider, clock } = setup();
    await provider.getToken();
    await clock.advance(3596_000);
    expect((await provider.getToken()).value).toBe('token-2');
  });

  it.each([1, 2, 10, 30, 60])('T8: a lifetime of %i s below the margin does not loop', async (lifetime) => {
    const { provider, endpoint, clock } = setup(numbered({ expires_in: lifetime }));
    for (let tick = 0; tick < 100; tick += 1) {
      await provider.getToken();
      await clock.advance(lifetime * 10);
    }
    // One lifetime has passed, and the margin is at most a fifth of a lifetime.
    expect(endpoint.calls).toBe(2);
  });

  it('T8: a failed background refresh affects no caller and is retried after a pause', async () => {
    const { provider, endpoint, clock } = setup((call) =>
      call === 2 ? new Response('', { status: 503 }) : tokenResponse({ access_token: `token-${call}` }),
    );
    await provider.getToken();
    await clock.advance(3556_000);
    for (let call = 0; call < 10; call += 1) expect((await provider.getToken()).value).toBe('token-1');
    await settle();
    for (let call = 0; call < 10; call += 1) expect((await provider.getToken()).value).toBe('token-1');
    expect(endpoint.calls).toBe(2);
    await clock.advance(1_001);
    await provider.getToken();
    await settle();
    expect((await provider.getToken()).value).toBe('token-3');
  });

  it('T9: a wall clock set back by an hour does not extend a token', async () => {
    const { provider, clock } = setup();
    await provider.getToken();
    clock.jump(-3600_000);
    await clock.advance(3599_000);
    expect((await provider.getToken()).value).toBe('token-2');
  });

  it('T9: a wall clock set ahead by an hour costs one token request', async () => {
    const { provider, endpoint, clock } = setup();
    await provider.getToken();
    clock.jump(3600_000);
    for (let call = 0; call < 10; call += 1) await provider.getToken();
    expect(endpoint.calls).toBe(2);
  });

  it('T9: a machine that slept through the lifetime requests a new token', async () => {
    const { provider, clock } = setup();
    await provider.getToken();
    clock.suspend(2 * 3600_000);
    expect((await provider.getToken()).value).toBe('token-2');
  });

  it('T9: the claims of the token and the Date header are ignored', async () => {
    const claims = btoa(JSON.stringify({ iat: 1, exp: 2 }));
    const { provider, endpoint, clock } = setup(() =>
      tokenResponse({ access_token: `e30.${claims}.x` }, { headers: { date: 'Thu, 01 Jan 1970 00:00:00 GMT' } }),
    );
    await provider.getToken();
    await clock.advance(3500_000);
    await provider.getToken();
    expect(endpoint.calls).toBe(1);
  });

  it('S5: token_type is case-insensitive, and unknown members are ignored', async () => {
    const { provider } = setup(() => tokenResponse({ token_type: 'BeArEr', extra: { a: 1 } }));
    expect((await provider.getToken()).value).toBe('token-0');
  });

  it('T19: two providers with different credentials never share a token', async () => {
    const one = setup(() => tokenResponse({ access_token: 'one' }));
    const two = setup(() => tokenResponse({ access_token: 'two' }), { username: 'other-tenant' });
    const values = await Promise.all([one.provider.getToken(), two.provider.getToken()]);
    expect(values.map(({ value }) => value)).toEqual(['one', 'two']);
  });
});

describe('failures', () => {
  const unavailable = (): Response => new Response('', { status: 503 });

  it('T14: 50 parallel callers of an endpoint that answers 503 share one token request and one error', async () => {
    const { provider, endpoint } = setup(unavailable, { retries: 0 });
    const errors = await Promise.all(Array.from({ length: 50 }, () => tokenError(provider.getToken())));
    expect(new Set(errors).size).toBe(1);
    expect(errors[0]).toMatchObject({ code: 'refused', status: 503, retryable: true });
    expect(endpoint.calls).toBe(1);
  });

  it('T14: a failing endpoint is left alone for 1, 2, 4, … 30 seconds before the next request', async () => {
    const { provider, endpoint, clock } = setup(unavailable, { retries: 0 });
    const pauses: number[] = [];
    for (let failure = 0; failure < 7; failure += 1) {
      await tokenError(provider.getToken());
      const since = clock.monotonic();
      const calls = endpoint.calls;
      let error = await tokenError(provider.getToken());
      expect(error).toMatchObject({ code: 'cooling-down', status: 503, retryable: true });
      expect(error.cause).toMatchObject({ code: 'refused' });
      while (error.code === 'cooling-down') {
        await clock.advance(100);
        error = await tokenError(provider.getToken());
      }
      pauses.push(Math.round((clock.monotonic() - since) / 1000));
      expect(endpoint.calls).toBe(calls + 1);
      await clock.advance(31_000);
    }
    // Each round fails twice, so only every other pause is visible.
    expect(pauses).toEqual([1, 4, 16, 30, 30, 30, 30]);
  });

  it('T14: a success resets the cool-down', async () => {
    let up = false;
    const { provider, endpoint, clock } = setup((call) => (up ? numbered()(call, {}, '') : unavailable()), {
      retries: 0,
    });
    await tokenError(provider.getToken());
    await clock.advance(1_001);
    up = true;
    provider.invalidate(await provider.getToken());
    await provider.getToken();
    expect(endpoint.calls).toBe(3);
    up = false;
    provider.invalidate(await provider.getToken());
    await tokenError(provider.getToken());
    expect((await tokenError(provider.getToken())).retryAfter).toBeLessThanOrEqual(1);
  });

  it('T15: after invalid_client no token request is sent for 30 s', async () => {
    const { provider, endpoint, clock } = setup(() => Response.json({ error: 'invalid_client' }, { status: 401 }));
    expect(await tokenError(provider.getToken())).toMatchObject({
      code: 'refused',
      error: 'invalid_client',
      status: 401,
      retryable: false,
    });
    for (let second = 0; second < 29; second += 1) {
      await clock.advance(1000);
      expect(await tokenError(provider.getToken())).toMatchObject({ code: 'cooling-down', error: 'invalid_client' });
    }
    expect(endpoint.calls).toBe(1);
    await clock.advance(1001);
    await tokenError(provider.getToken());
    expect(endpoint.calls).toBe(2);
  });

  it.each(['invalid_client', 'invalid_request'])('S9: %s is final and never retried', async (error) => {
    const { provider, endpoint, clock } = setup(() => Response.json({ error }, { status: 400 }));
    const failure = tokenError(provider.getToken());
    await clock.advance(60_000);
    expect(await failure).toMatchObject({ code: 'refused', error, retryable: false });
    expect(endpoint.calls).toBe(1);
  });

  it('the cool-down can be switched off', async () => {
    const { provider, endpoint } = setup(unavailable, { retries: 0, coolDown: false });
    for (let call = 0; call < 3; call += 1) await tokenError(provider.getToken());
    expect(endpoint.calls).toBe(3);
  });
});

describe('T10: timeouts and abort of a token request', () => {
  it('one attempt takes at most 10 s, and is retried within 30 s', async () => {
    const retries: TokenRetry[] = [];
    const { provider, endpoint, clock } = setup((_, init) => silence(init), {
      onRetry: (retry) => retries.push(retry),
    });
    const failure = tokenError(provider.getToken());
    await clock.advance(9_999);
    expect([endpoint.calls, endpoint.inFlight]).toEqual([1, 1]);
    await clock.advance(20_002);
    expect(await failure).toMatchObject({ code: 'timeout', retryable: true });
    expect([endpoint.calls, endpoint.inFlight]).toEqual([3, 0]);
    expect(retries).toEqual([
      { attempt: 1, pause: 0.5, error: expect.objectContaining({ code: 'timeout' }) },
      { attempt: 2, pause: 1, error: expect.objectContaining({ code: 'timeout' }) },
    ]);
  });

  it('a token that arrives after a timeout is used, and onToken gets its delay', async () => {
    const got: TokenGot[] = [];
    const { provider, clock } = setup((call, init) => (call === 1 ? silence(init) : tokenResponse()), {
      onToken: (one) => got.push(one),
    });
    const token = provider.getToken();
    await clock.advance(10_501);
    expect((await token).value).toBe('token-0');
    await provider.getToken();
    expect(got).toEqual([{ expiresIn: 3600, fromStore: false, seconds: 10.5 }]);
  });

  it('a fetch that ignores its signal does not block the caller, and its late answer is dropped', async () => {
    let release: (response: Response) => void = () => {};
    const { provider, clock } = setup(
      (call) =>
        call === 1 ? new Promise((resolve) => (release = resolve)) : tokenResponse({ access_token: `token-${call}` }),
      { retries: 0 },
    );
    const failure = tokenError(provider.getToken());
    await clock.advance(10_001);
    expect(await failure).toMatchObject({ code: 'timeout' });
    await clock.advance(1_001);
    expect((await provider.getToken()).value).toBe('token-2');
    release(tokenResponse({ access_token: 'late' }));
    await settle();
    expect((await provider.getToken()).value).toBe('token-2');
  });

  it('all attempts and pauses together take at most 30 s', async () => {
    const { provider, clock } = setup(
      async (_, init) => {
        await Promise.race([clock.sleep(9_000), silence(init)]);
        return new Response('', { status: 503 });
      },
      { retries: 100, backoff: 5 },
    );
    const started = clock.monotonic();
    let ended = 0;
    const failure = tokenError(provider.getToken()).finally(() => (ended = clock.monotonic()));
    await clock.advance(120_000);
    await failure;
    expect(ended - started).toBeLessThanOrEqual(30_000);
  });

  it('an aborted signal ends the waiting of its caller only', async () => {
    const { provider, endpoint, clock } = setup(async (call) => {
      await clock.sleep(100);
      return tokenResponse({ access_token: `token-${call}` });
    });
    const controller = new AbortController();
    const impatient = tokenError(provider.getToken({ signal: controller.signal }));
    const patient = provider.getToken();
    controller.abort(new Error('enough'));
    expect(await impatient).toMatchObject({ code: 'aborted', retryable: false, cause: { message: 'enough' } });
    await clock.advance(101);
    expect((await patient).value).toBe('token-1');
    expect(endpoint.calls).toBe(1);
  });

  it('an already aborted signal starts no request', async () => {
    const { provider, endpoint } = setup();
    expect((await tokenError(provider.getToken({ signal: AbortSignal.abort() }))).code).toBe('aborted');
    expect(endpoint.calls).toBe(0);
  });

  it('nothing is retried if no caller waits any more', async () => {
    const { provider, endpoint, clock } = setup(() => new Response('', { status: 503 }));
    const controller = new AbortController();
    const failure = tokenError(provider.getToken({ signal: controller.signal }));
    await settle();
    controller.abort();
    await failure;
    await clock.advance(60_000);
    expect(endpoint.calls).toBe(1);
  });

  it('T18: no timer is left after the token arrives', async () => {
    const { provider, clock } = setup();
    await provider.getToken();
    await settle();
    expect(clock.pending).toBe(0);
  });
});

describe('T16: secrets of the token client', () => {
  it('the provider shows neither user nor password nor token', async () => {
    const { provider } = setup();
    await provider.getToken();
    expect(secretsIn(provider)).toEqual([]);
    expect(inspect(provider, { showHidden: true, depth: 9 })).not.toContain('token-1');
    expect(JSON.stringify({ provider })).toBe('{"provider":{"origin":"https://bank.example"}}');
  });

  it('a token shows everything except its value', async () => {
    const { provider } = setup();
    const token = await provider.getToken();
    expect(inspect(token)).not.toContain('token-1');
    expect(JSON.stringify(token)).not.toContain('token-1');
    expect(Object.keys(token)).not.toContain('value');
    expect(token.value).toBe('token-1');
  });

  it('an error of fetch never shows the request it contains', async () => {
    const { provider } = setup(
      (_, init) => {
        throw Object.assign(new Error(`failed with ${JSON.stringify(init.headers)} for ${PASSWORD}`), {
          config: init,
          request: { headers: init.headers },
          cause: new Error(`inner ${PASSWORD}`),
        });
      },
      { retries: 0 },
    );
    const error = await tokenError(provider.getToken());
    expect(error.code).toBe('unreachable');
    expect(secretsIn(error)).toEqual([]);
    expect(error.cause).toMatchObject({ message: expect.stringContaining('[redacted]') });
    expect(secretsIn(await tokenError(provider.getToken()))).toEqual([]);
  });

  it('an error code that repeats the password is removed, any other code is kept', async () => {
    for (const [echo, shown] of [
      ['my_secret_word', null],
      ['x.my_secret_word.y', null],
      ['invalid_scope', 'invalid_scope'],
      ['tenant_unknown', 'tenant_unknown'],
    ] as const) {
      const { provider } = setup(() => Response.json({ error: echo }, { status: 400 }), { password: 'my_secret_word' });
      expect((await tokenError(provider.getToken())).error).toBe(shown);
    }
  });

  it('fetch can mark its failure as final', async () => {
    const denied = Object.assign(new Error('the policy forbids it'), { retryable: false });
    const { provider, endpoint } = setup(() => Promise.reject(denied));
    expect(await tokenError(provider.getToken())).toMatchObject({
      retryable: false,
      cause: { message: denied.message },
    });
    expect(endpoint.calls).toBe(1);
  });

  it('an error serialises without its cause, and the endpoint without query', async () => {
    const { provider } = setup(() => new Response('', { status: 404 }));
    expect(JSON.parse(JSON.stringify(await tokenError(provider.getToken())))).toEqual({
      name: 'TokenError',
      code: 'refused',
      message: 'The token endpoint answered 404',
      field: null,
      status: 404,
      error: null,
      retryable: false,
      retryAfter: null,
      endpoint: 'https://bank.example/sandbox/iam/oauth/token',
    });
  });
});

it('without a fetch option the current global fetch is used', async () => {
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(tokenResponse()));
  try {
    const provider = createTokenProvider({ baseUrl: BASE, username: USERNAME, password: PASSWORD });
    expect((await provider.getToken()).value).toBe('token-0');
    expect(spy).toHaveBeenCalledOnce();
  } finally {
    spy.mockRestore();
  }
});

describe('options', () => {
  it.each([
    [{ retires: 1 }, '"retires" is no option of createTokenProvider'],
    [{ coolDown: true }, '"coolDown" must be object or false'],
    [{ store: new Map() }, '"store" must have the functions get, set and lock'],
    [{ onToken: 'log' }, '"onToken" must be function'],
    [{ allowInsecure: 'yes' }, '"allowInsecure" must be boolean'],
    [{ margin: '45' }, '"margin" must be a finite number and not negative'],
  ])('%j is rejected', (wrong, message) => {
    const options = { baseUrl: 'https://bank.example', username: 'u', password: 'p', ...(wrong as object) };
    expect(() => createTokenProvider(options)).toThrow(new TypeError(message));
  });
});
