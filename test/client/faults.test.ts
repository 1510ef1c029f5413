import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTokenProvider, type TokenFetch, type TokenProvider } from '../../src/client/client.ts';
import { FaultServer } from './fault-server.ts';
import { FAULTS, ODDITIES } from './faults.ts';
import { secretsIn } from './secrets.ts';
import { PASSWORD, tokenError, USERNAME } from './support.ts';

const MIB = 2 ** 20;
const server = new FaultServer({
  ...Object.fromEntries(Object.entries(FAULTS).map(([name, { fault }]) => [name, fault])),
  ...ODDITIES,
});
beforeAll(() => server.listen());
afterAll(() => server.close());

/** Bytes read from bodies, after decompression. */
let read = 0;
const countingFetch: TokenFetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const counted = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        read += value.byteLength;
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  const { status, headers } = response;
  return new Response(status === 204 || status === 304 ? null : counted, { status, headers });
};

function provider(name: string, settings: object = {}): TokenProvider {
  return createTokenProvider({
    baseUrl: `${server.url}/${encodeURIComponent(name)}`,
    username: USERNAME,
    password: PASSWORD,
    fetch: countingFetch,
    retries: 0,
    ...settings,
  });
}

describe('T6, T10, T11, T12, T16: a faulty token endpoint', () => {
  const slow = ([, { code }]: [string, { code: string }]): boolean => code === 'timeout';
  const requestsFor = (name: string): number =>
    server.requests.filter((request) => request.startsWith(`POST /${encodeURIComponent(name)}/`)).length;

  const check = async ([name, expected]: [string, (typeof FAULTS)[string]]): Promise<void> => {
    read = 0;
    server.written = 0;
    const requests = requestsFor(name);
    const { code, field, status, error: oauth, retryable } = expected;
    const started = performance.now();
    // a fast endpoint gets the normal time limits, even on a busy machine
    const settings = code === 'timeout' ? { timeouts: { call: 0.5, total: 0.8 } } : {};
    const error = await tokenError(provider(name, settings).getToken());
    if (code === 'timeout') expect(performance.now() - started).toBeLessThan(8000);
    expect({ code: error.code, field: error.field }).toEqual({ code, field: field ?? null });
    if (status !== undefined) expect(error.status).toBe(status);
    if (oauth !== undefined) expect(error.error).toBe(oauth);
    if (retryable !== undefined) expect(error.retryable).toBe(retryable);
    expect(requestsFor(name) - requests).toBe(1);
    expect(read).toBeLessThanOrEqual(MIB + 128 * 1024);
    expect(server.written).toBeLessThan(24 * MIB);
    expect(secretsIn(error)).toEqual([]);
    expect(inspect(error)).not.toContain('fault-token');
  };
  const TITLE = '$0: a typed error in time, few bytes read, no secret';
  const [waiting, others] = [Object.entries(FAULTS).filter(slow), Object.entries(FAULTS).filter((one) => !slow(one))];
  it.concurrent.for(waiting)(TITLE, check);
  it.for(others)(TITLE, check);

  it.each(Object.keys(ODDITIES))('%s: accepted', async (name) => {
    const token = await provider(name).getToken();
    expect(token.value).toBe('fault-token');
    expect(token.expiresIn).toBe(3600);
  });

  it('T12: the error of a redirect names only the target host', async () => {
    const error = await tokenError(provider('302').getToken());
    expect(error.message).toContain('evil.example');
    expect(error.message).not.toContain('x=1');
  });

  it('T13: final answers are not retried, even if retries are on', async () => {
    for (const name of ['401 invalid_client', '404', '302', 'an array', 'gzip cut short']) {
      const before = server.requests.length;
      await tokenError(provider(name, { retries: 2, backoff: 0 }).getToken());
      expect([name, server.requests.length - before]).toEqual([name, 1]);
    }
  });

  it('T13: connections broken before or inside the body, 408, 429, 500, 502, 503 and 504 are retried twice', async () => {
    for (const name of [
      'reset before any byte',
      'reset after the header',
      'chunks cut short',
      '408',
      '429 with junk in Retry-After',
      '500',
      '502 in HTML',
      '504',
    ]) {
      const before = server.requests.length;
      await tokenError(provider(name, { retries: 2, backoff: 0 }).getToken());
      expect([name, server.requests.length - before]).toEqual([name, 3]);
    }
  });

  it('the client sends the documented request', async () => {
    await provider('gzip').getToken();
    const request = server.requests.at(-1) ?? '';
    expect(request).toMatch(/^POST \/gzip\/iam\/oauth\/token HTTP\/1\.1\r\n/);
    expect(request.toLowerCase()).toContain('content-type: application/x-www-form-urlencoded\r\n');
    expect(request).toContain(`Basic ${Buffer.from(`${USERNAME}:${PASSWORD}`).toString('base64')}\r\n`);
    expect(request).toMatch(/\r\n\r\ngrant_type=client_credentials$/);
  });

  it('a closed port is unreachable and retryable', async () => {
    const closed = new FaultServer({});
    await closed.listen();
    await closed.close();
    const error = await tokenError(
      createTokenProvider({ baseUrl: closed.url, username: USERNAME, password: PASSWORD, retries: 0 }).getToken(),
    );
    expect(error).toMatchObject({ code: 'unreachable', retryable: true, status: null });
    expect(error.message).toContain('ECONNREFUSED');
    expect(error.cause).toBeInstanceOf(Error);
  });
});
