import { Readable } from 'node:stream';
import { fetch as undiciFetch } from 'undici';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTokenProvider, TokenError, withToken } from '../../src/client/client.ts';
import { ApiServer } from './api-server.ts';

let api: ApiServer;
let other: ApiServer;
let call: typeof fetch;

beforeEach(async () => {
  api = await new ApiServer().listen();
  other = await new ApiServer().listen();
  const provider = createTokenProvider({ baseUrl: api.url, username: 'u', password: 'p', retries: 0 });
  call = withToken(fetch, provider);
});
afterEach(() => Promise.all([api.close(), other.close()]));

/** A first call, so that there is a token to revoke. */
async function warm(): Promise<void> {
  await (await call(`${api.url}/warm`)).text();
  api.seen.length = 0;
  api.revoke();
}

const tokens = (): (string | undefined)[] => api.seen.map(({ token }) => token);

describe('401', () => {
  it("a call carries the bearer token and keeps the caller's other headers", async () => {
    const response = await call(`${api.url}/x?y=1`, { headers: { 'x-a': 'b', Authorization: 'Bearer mine' } });
    expect(response.status).toBe(200);
    expect(api.seen).toMatchObject([{ path: '/x?y=1', token: 'token-1', headers: { 'x-a': 'b' } }]);
  });

  it('S14: the scheme is sent as Bearer for any spelling in the token response', async () => {
    api.token = (_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end('{"access_token":"x","token_type":"BEARER","expires_in":60}');
    };
    await call(`${api.url}/x`);
    expect(api.seen[0]?.headers.authorization).toBe('Bearer x');
  });

  it('T3, S15: a revoked token costs one new token and one retry, and the caller sees no failure', async () => {
    await warm();
    const response = await call(`${api.url}/x`);
    expect([response.status, await response.text()]).toEqual([200, 'GET ']);
    expect(tokens()).toEqual(['token-1', 'token-2']);
    expect(api.tokenRequests).toBe(2);
  });

  it('T3: a second 401 is returned unchanged, after exactly one retry', async () => {
    await warm();
    let answers = 0;
    api.api = (_, response) => {
      answers += 1;
      response.writeHead(401, { 'x-answer': answers, 'www-authenticate': 'Bearer' }).end(`answer ${answers}`);
    };
    const response = await call(`${api.url}/x`);
    expect(response.status).toBe(401);
    expect(response.headers.get('x-answer')).toBe('2');
    expect(await response.text()).toBe('answer 2');
    expect(tokens()).toEqual(['token-1', 'token-2']);
    expect(api.tokenRequests).toBe(2);
  });

  it.each([400, 403, 404, 405, 409, 422, 429, 500, 502, 503])(
    'T5, S13: an answer of %i causes no refresh and no retry',
    async (status) => {
      api.api = (_, response) =>
        void response
          .writeHead(status, { 'www-authenticate': 'Bearer error="insufficient_scope"', 'retry-after': '0' })
          .end('no');
      const response = await call(`${api.url}/x`);
      expect([response.status, await response.text()]).toEqual([status, 'no']);
      expect(api.seen.length).toBe(1);
      expect(api.tokenRequests).toBe(1);
    },
  );

  it('T2: 100 calls with a revoked token, with 401s over half a second, make two token requests in all', async () => {
    await warm();
    const answer = api.api;
    let position = 0;
    api.api = (seen, response, request) => {
      if (seen.token !== 'token-1') return answer(seen, response, request);
      setTimeout(() => answer(seen, response, request), 5 * position++);
    };
    const responses = await Promise.all(Array.from({ length: 100 }, () => call(`${api.url}/x`)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(api.seen.length).toBe(200);
    expect(api.tokenRequests).toBe(2);
  });

  it('T1: parallel first calls make one token request', async () => {
    await Promise.all(Array.from({ length: 100 }, () => call(`${api.url}/x`)));
    expect(api.tokenRequests).toBe(1);
  });

  it('a server that issues the same token again gets no second request with it', async () => {
    api.token = (_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end('{"access_token":"the-same","token_type":"bearer","expires_in":3000}');
    };
    api.api = (_, response) => void response.writeHead(401).end('first');
    const response = await call(`${api.url}/x`);
    expect([response.status, await response.text()]).toEqual([401, 'first']);
    expect(api.seen.length).toBe(1);
  });

  it('a failed refresh rejects with the reason', async () => {
    await warm();
    api.token = (_, response) => void response.writeHead(503).end();
    const error: unknown = await call(`${api.url}/x`).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TokenError);
    expect(error).toMatchObject({ code: 'refused', status: 503 });
  });

  it('S24: a lost connection is not retried, for any method', async () => {
    await warm();
    await call(`${api.url}/x`);
    api.seen.length = 0;
    api.api = (_, __, request) => void request.socket.destroy();
    for (const method of ['GET', 'POST', 'DELETE']) {
      await expect(call(`${api.url}/x`, { method })).rejects.toThrow(TypeError);
    }
    expect(api.seen.map(({ method }) => method)).toEqual(['GET', 'POST', 'DELETE']);
  });

  it('an aborted call fails as fetch does, before and during a token request', async () => {
    const reason = new Error('enough');
    await expect(call(`${api.url}/x`, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    api.token = () => controller.abort(reason);
    await expect(call(`${api.url}/x`, { signal: controller.signal })).rejects.toBe(reason);
    expect(api.seen).toEqual([]);
  });
});

describe('T4: the retry sends the same request with another token', () => {
  const bytes = new TextEncoder().encode('{"a":"ü"}');
  const form = new FormData();
  form.set('field', 'value');
  const bodies: Record<string, () => RequestInit['body']> = {
    string: () => '{"a":"ü"}',
    bytes: () => bytes,
    ArrayBuffer: () => bytes.buffer,
    Blob: () => new Blob([bytes], { type: 'application/json' }),
    URLSearchParams: () => new URLSearchParams({ a: 'ü' }),
    FormData: () => form,
    stream: () => new Blob([bytes]).stream(),
  };

  it.each(Object.entries(bodies))('the retry repeats a body of %s', async (_, body) => {
    await warm();
    const init = { method: 'PUT', headers: { 'x-a': 'b' }, body: body() ?? null, duplex: 'half' };
    const response = await call(`${api.url}/x?q=%20`, init as RequestInit);
    expect(response.status).toBe(200);
    const boundary = /-{4,}[\w-]+/g;
    const [first, second] = api.seen.map(({ method, path, body: sent, headers }) => {
      const { authorization: __, connection: ___, ...rest } = headers;
      return JSON.stringify({ method, path, sent, rest }).replaceAll(boundary, 'boundary');
    });
    expect(second).toBe(first);
    expect(api.seen[1]?.body).not.toBe('');
    expect(tokens()).toEqual(['token-1', 'token-2']);
  });

  it.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('the retry repeats %s', async (method) => {
    await warm();
    expect((await call(`${api.url}/x`, { method })).status).toBe(200);
    expect(api.seen.map((seen) => seen.method)).toEqual([method, method]);
  });

  it('the retry repeats a Request object, with the length of its body', async () => {
    await warm();
    const request = new Request(`${api.url}/x`, {
      method: 'POST',
      body: '{"a":1}',
      headers: { 'content-type': 'application/json', 'x-a': 'b' },
    });
    expect(await (await call(request)).text()).toBe('POST {"a":1}');
    expect(api.seen.length).toBe(2);
    for (const seen of api.seen) {
      expect(seen).toMatchObject({
        body: '{"a":1}',
        headers: { 'content-type': 'application/json', 'content-length': '7', 'x-a': 'b' },
      });
    }
  });

  it('the retry repeats a Request object with overrides', async () => {
    const request = new Request(`${api.url}/x`, { method: 'POST', body: 'old', headers: { 'x-a': 'b' } });
    const response = await call(request, { method: 'PUT', body: 'new', headers: { 'x-c': 'd' } });
    expect(await response.text()).toBe('PUT new');
    expect(api.seen[0]?.headers).toMatchObject({ 'x-c': 'd' });
    expect(api.seen[0]?.headers).not.toHaveProperty('x-a');
  });

  it('the retry repeats a Request object of 3 MiB', async () => {
    await warm();
    const body = 'x'.repeat(3 * 2 ** 20);
    const response = await call(new Request(`${api.url}/x`, { method: 'POST', body }));
    expect((await response.text()).length).toBe(body.length + 5);
    expect(api.seen.map((seen) => seen.body.length)).toEqual([body.length, body.length]);
  });

  it('a one-shot body is not sent again: the 401 is returned, and the next call has a new token', async () => {
    await warm();
    const init = { method: 'POST', body: Readable.from(['a', 'b']), duplex: 'half' } as unknown as RequestInit;
    const response = await call(`${api.url}/x`, init);
    expect([response.status, await response.text()]).toEqual([401, 'not accepted']);
    expect(api.seen.map(({ body }) => body)).toEqual(['ab']);
    expect((await call(`${api.url}/x`)).status).toBe(200);
    expect(tokens()).toEqual(['token-1', 'token-2']);
  });

  it('after an early 401 the retry sends the whole body', async () => {
    await warm();
    let chunks = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (chunks === 20) return controller.close();
        chunks += 1;
        await new Promise((resolve) => setTimeout(resolve, 2));
        controller.enqueue(new TextEncoder().encode(`${chunks},`));
      },
    });
    const response = await call(`${api.url}/x`, { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect(await response.text()).toBe(`POST ${Array.from({ length: 20 }, (_, index) => `${index + 1},`).join('')}`);
  });
});

it('bodies that are no longer needed are cancelled', async () => {
  let cancelled: unknown = 'no';
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(1)),
    cancel: (reason) => {
      cancelled = reason;
    },
  });
  const provider = createTokenProvider({ baseUrl: api.url, username: 'u', password: 'p' });
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
  const unread = withToken((_, sent) => {
    // Settles once the other branch of the tee is cancelled as well.
    (sent.body as ReadableStream).cancel('not read').catch(() => {});
    return Promise.resolve(new Response());
  }, provider);
  await unread(`${api.url}/x`, init);
  await new Promise((resolve) => setImmediate(resolve));
  expect(cancelled).not.toBe('no');
});

describe('other platforms', () => {
  it("the fetch of the undici package gets the token, also with the platform's Request objects", async () => {
    const provider = createTokenProvider({
      baseUrl: api.url,
      username: 'u',
      password: 'p',
      fetch: undiciFetch as unknown as typeof fetch,
    });
    const viaUndici = withToken(undiciFetch as unknown as typeof fetch, provider);
    await (await viaUndici(`${api.url}/x`)).text();
    api.revoke();
    const request = new Request(`${api.url}/y`, { method: 'POST', body: 'hello' });
    expect(await (await viaUndici(request)).text()).toBe('POST hello');
    expect(tokens()).toEqual(['token-1', 'token-1', 'token-2']);
  });

  it('a relative URL is resolved against the page, if there is one', async () => {
    vi.stubGlobal('location', { href: `${api.url}/page/index.html` });
    try {
      await (await call('/x')).text();
      await (await call('y')).text();
    } finally {
      vi.unstubAllGlobals();
    }
    expect(api.seen.map(({ path, token }) => `${path} ${token}`)).toEqual(['/x token-1', '/page/y token-1']);
    await expect(call('/x')).rejects.toThrow(TypeError);
  });

  it('exactly the non-default properties of a Request are passed on', async () => {
    const inits: RequestInit[] = [];
    const provider = createTokenProvider({ baseUrl: api.url, username: 'u', password: 'p' });
    const spying = withToken((_, init) => {
      inits.push(init);
      return Promise.resolve(new Response());
    }, provider);
    await spying(new Request(`${api.url}/x`));
    await spying(new Request(`${api.url}/x`, { cache: 'no-cache', credentials: 'include', keepalive: true }));
    expect(Object.keys(inits[0] ?? {}).sort()).toEqual(['headers', 'method', 'redirect', 'signal']);
    expect(inits[1]).toMatchObject({ cache: 'no-cache', credentials: 'include', keepalive: true });
  });
});

describe('S26: the token stays with its origin', () => {
  it('a call to another origin has no token, and its 401 causes no token request', async () => {
    other.api = (_, response) => void response.writeHead(401).end();
    expect((await call(`${other.url}/x`, { headers: { 'x-a': 'b' } })).status).toBe(401);
    expect(other.seen).toMatchObject([{ token: undefined, headers: { 'x-a': 'b' } }]);
    expect(other.seen[0]?.headers).not.toHaveProperty('authorization');
    expect(api.tokenRequests).toBe(0);
  });

  it.each([301, 302, 303, 307, 308])('%i to another origin is followed without token and cookies', async (status) => {
    other.api = (_, response) => void response.end('there');
    api.api = (_, response) => void response.writeHead(status, { location: `${other.url}/y` }).end();
    const response = await call(`${api.url}/x`, { headers: { cookie: 'a=b', 'x-a': 'b' } });
    expect(await response.text()).toBe('there');
    expect(api.seen).toMatchObject([{ token: 'token-1' }]);
    expect(other.seen).toMatchObject([{ path: '/y', token: undefined, headers: { 'x-a': 'b' } }]);
    expect(other.seen[0]?.headers).not.toHaveProperty('authorization');
    expect(other.seen[0]?.headers).not.toHaveProperty('cookie');
  });

  it('an Authorization header of the caller is not sent there either', async () => {
    api.api = (_, response) => void response.writeHead(307, { location: `${other.url}/y` }).end();
    other.api = (_, response) => void response.end();
    await call(`${api.url}/x`, { headers: { authorization: 'Bearer own' } });
    expect(other.seen[0]?.headers).not.toHaveProperty('authorization');
  });

  it('another port, scheme or spelling of the host is another origin', async () => {
    const port = new URL(api.url).port;
    api.api = (seen, response) => {
      if (seen.path === '/x') response.writeHead(307, { location: `http://localhost:${port}/y` });
      response.end();
    };
    await call(`${api.url}/x`);
    expect(api.seen.map(({ path, token }) => [path, token])).toEqual([
      ['/x', 'token-1'],
      ['/y', undefined],
    ]);
  });

  it('a redirect within the origin keeps the token, and method and body as fetch does', async () => {
    for (const [status, method, body] of [
      [301, 'GET', ''],
      [302, 'GET', ''],
      [303, 'GET', ''],
      [307, 'POST', 'hello'],
      [308, 'POST', 'hello'],
    ] as const) {
      api.seen.length = 0;
      api.api = (seen, response) => {
        if (seen.path === '/x') response.writeHead(status, { location: '/y?z=1' });
        response.end('done');
      };
      const response = await call(`${api.url}/x`, {
        method: 'POST',
        body: 'hello',
        headers: { 'content-type': 'text/plain' },
      });
      expect(await response.text()).toBe('done');
      expect(api.seen.at(-1)).toMatchObject({ path: '/y?z=1', method, body, token: 'token-1' });
      expect('content-type' in (api.seen.at(-1)?.headers ?? {})).toBe(body !== '');
    }
  });

  it('a redirect back to the right origin carries the token again', async () => {
    api.api = (seen, response) => {
      if (seen.path === '/x') response.writeHead(307, { location: `${other.url}/y` });
      response.end('back');
    };
    other.api = (_, response) => void response.writeHead(307, { location: `${api.url}/z` }).end();
    await call(`${api.url}/x`);
    expect(tokens()).toEqual(['token-1', 'token-1']);
    expect(other.seen).toMatchObject([{ token: undefined }]);
  });

  it('a 401 after a redirect is retried once, and never twice in all', async () => {
    await warm();
    const answer = api.api;
    api.api = (seen, response, request) => {
      if (seen.path === '/x') response.writeHead(307, { location: '/y' }).end();
      else answer(seen, response, request);
    };
    expect((await call(`${api.url}/x`)).status).toBe(200);
    expect(api.seen.map(({ path, token }) => `${path} ${token}`)).toEqual(['/x token-1', '/y token-1', '/y token-2']);
  });

  it('T3: 401s before and after a redirect cause one retry in all', async () => {
    await warm();
    api.api = (seen, response) => {
      if (seen.path === '/y' || seen.token === 'token-1') response.writeHead(401).end(seen.path);
      else response.writeHead(307, { location: '/y' }).end();
    };
    const response = await call(`${api.url}/x`);
    expect([response.status, await response.text()]).toEqual([401, '/y']);
    expect(api.seen.map(({ path, token }) => `${path} ${token}`)).toEqual(['/x token-1', '/x token-2', '/y token-2']);
    expect(api.tokenRequests).toBe(2);
  });

  it('redirect: manual and redirect: error behave as in fetch', async () => {
    api.api = (_, response) => void response.writeHead(302, { location: '/y' }).end();
    expect((await call(`${api.url}/x`, { redirect: 'manual' })).status).toBe(302);
    await expect(call(`${api.url}/x`, { redirect: 'error' })).rejects.toThrow(TypeError);
    expect(api.seen.length).toBe(2);
  });

  it('a redirect loop ends', async () => {
    api.api = (_, response) => void response.writeHead(302, { location: '/x' }).end();
    await expect(call(`${api.url}/x`)).rejects.toThrow('More than 20 redirects');
    expect(api.seen.length).toBe(21);
  });

  it.each(['ftp://x/', 'javascript:alert(1)', 'data:text/plain,x', 'http://['])(
    'a redirect to %s fails',
    async (location) => {
      api.api = (_, response) => void response.writeHead(302, { location }).end();
      await expect(call(`${api.url}/x`)).rejects.toThrow(TypeError);
    },
  );

  it('a redirect hidden by a platform fails', async () => {
    const opaque = Object.defineProperty(new Response(), 'type', { value: 'opaqueredirect' });
    const provider = createTokenProvider({ baseUrl: api.url, username: 'u', password: 'p' });
    const hidden = withToken(() => Promise.resolve(opaque), provider);
    await expect(hidden(`${api.url}/x`)).rejects.toThrow(TypeError);
    expect(await hidden(`${api.url}/x`, { redirect: 'manual' })).toBe(opaque);
  });
});

it('30 calls whose new tokens are all rejected make two token requests, and then fail without one', async () => {
  api.api = (_, response) => void response.writeHead(401).end();
  const outcomes: unknown[] = [];
  for (let number = 0; number < 30; number += 1)
    outcomes.push(
      await call(`${api.url}/x`).then(
        ({ status }) => status,
        (error: TokenError) => error.code,
      ),
    );
  expect(api.tokenRequests).toBe(2);
  expect(outcomes).toEqual([401, ...Array.from({ length: 29 }, () => 'cooling-down')]);
});

it('tokens that the API accepted before it revoked them cause no pause', async () => {
  for (let number = 0; number < 5; number += 1) {
    expect((await call(`${api.url}/x`)).status).toBe(200);
    api.revoke();
  }
  expect(api.tokenRequests).toBe(5);
});
