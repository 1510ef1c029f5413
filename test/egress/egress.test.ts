import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { createEgress, type Egress, type EgressOptions } from '../../src/egress/egress.ts';
import { createPolicy } from '../../src/egress/policy.ts';
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS } from '../../src/net/settings.ts';
import { type LoopbackServer, listenOnLoopback } from '../support/loopback.ts';

const contract = await loadContract();

const servers: LoopbackServer[] = [];
const egresses: Egress[] = [];
afterEach(async () => {
  for (const egress of egresses.splice(0)) await egress.close();
  for (const server of servers.splice(0)) await server[Symbol.asyncDispose]();
});

interface Wire {
  readonly egress: Egress;
  connections: number;
  requests: string[];
  atOnce: number;
}

const GET = '/wallet/api/customers/c/cards/k';
const get = {
  operationId: 'getCard',
  purpose: 'succeed',
  method: 'GET',
  target: GET,
  headers: [],
  body: null,
} as const;

/** A server that writes raw bytes and counts its connections and requests. */
async function wire(
  answer: string | Buffer | null,
  over: { end?: boolean; delay?: number; limits?: object; timeouts?: object; signal?: AbortSignal } = {},
): Promise<Wire> {
  let underWay = 0;
  const seen = { connections: 0, requests: [] as string[], atOnce: 0 };
  const server = createServer((socket) => {
    seen.connections += 1;
    socket.on('data', (data) => {
      seen.requests.push(data.toString('latin1'));
      underWay += 1;
      seen.atOnce = Math.max(seen.atOnce, underWay);
      setTimeout(() => {
        underWay -= 1;
        if (answer !== null) socket.write(answer);
        if (over.end) socket.end();
      }, over.delay ?? 0);
    });
  });
  const listening = await listenOnLoopback(server);
  servers.push(listening);
  const egress = opened({
    baseUrl: listening.url,
    timeouts: { ...DEFAULT_TIMEOUTS, ...over.timeouts },
    limits: { ...DEFAULT_LIMITS, ...over.limits },
    ...(over.signal && { signal: over.signal }),
  });
  return Object.assign(seen, { egress });
}

/** A connection to the target for reads. */
function opened(options: Pick<EgressOptions, 'baseUrl'> & Partial<EgressOptions>): Egress {
  const settings = { allow: 'read', writesAllowedOn: [], expendable: [], probe: false, embedded: false } as const;
  const egress = createEgress({
    policy: createPolicy(() => contract, { ...settings, host: '', mock: false }),
    timeouts: DEFAULT_TIMEOUTS,
    limits: DEFAULT_LIMITS,
    clock: Date.now,
    signal: new AbortController().signal,
    token: { operationId: 'getToken', baseUrl: options.baseUrl },
    ...options,
  });
  egresses.push(egress);
  return egress;
}

const OK = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}';

describe('outgoing requests', () => {
  test('requests name the tool and its version', async () => {
    const target = await wire(OK);
    await target.egress.send(get);
    expect(target.requests[0]).toMatch(/^GET \/wallet\/api\/customers\/c\/cards\/k HTTP\/1\.1\r\n/);
    expect(target.requests[0]).toMatch(/user-agent: banking-api-contract\/\d/i);
  });

  test('D7: parallel calls and the number of requests stay within their limits', async () => {
    const target = await wire(OK, { delay: 20, limits: { concurrency: 2, requests: 7 } });
    const results = await Promise.allSettled(Array.from({ length: 9 }, () => target.egress.send(get)));
    expect(target.atOnce).toBeLessThanOrEqual(2);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(2);
    expect(target.requests).toHaveLength(7);
  });

  test('an interrupted run sends nothing more', async () => {
    const stop = new AbortController();
    const target = await wire(null, { signal: stop.signal });
    const pending = target.egress.send(get);
    setTimeout(() => stop.abort(), 30);
    expect((await pending).failure?.kind).toBe('aborted');
    await expect(target.egress.send(get)).rejects.toThrow(/interrupted/);
  });
});

test('an answer that does not end in time keeps its head and states the failure', async () => {
  const { egress } = await wire('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n', { timeouts: { call: 0.2 } });
  expect(await egress.send(get)).toMatchObject({
    response: { status: 200, body: { state: 'truncated' } },
    failure: { kind: 'call-timeout' },
  });
});

describe('D10: the size of answers is limited, and no answer throws an exception', () => {
  const head = (rest: string): string => `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${rest}\r\n`;
  const bomb = gzipSync(Buffer.alloc(4 * 1024 * 1024));
  const cases: Record<string, [answer: string | Buffer | null, expected: string, over?: Parameters<typeof wire>[1]]> = {
    silence: [null, 'first-byte-timeout', { timeouts: { firstByte: 0.3 } }],
    'a closed connection': [null, 'reset', { end: true }],
    'a head followed by silence': [head('content-length: 5\r\n'), '200 truncated', { timeouts: { call: 0.6 } }],
    'a truncated body': [`${head('content-length: 50\r\n')}{"a":`, '200 truncated', { end: true }],
    'a truncated chunk': [`${head('transfer-encoding: chunked\r\n')}5\r\n{"a`, '200 truncated', { end: true }],
    'a large header': [`${head(`x-big: ${'y'.repeat(40_000)}\r\ncontent-length: 2\r\n`)}{}`, '200 complete'],
    'a header beyond the limit': [head(`x-big: ${'y'.repeat(300_000)}\r\n`), 'too-large'],
    'no HTTP': ['SSH-2.0-OpenSSH\r\n\r\n', 'malformed'],
    'an invalid gzip body': [`${head('content-encoding: gzip\r\ncontent-length: 2\r\n')}{}`, '200 undecodable'],
    'an unknown coding': [`${head('content-encoding: rot13\r\ncontent-length: 2\r\n')}{}`, '200 undecodable'],
    'a body beyond the limit': [
      `${head('content-length: 4000\r\n')}${'x'.repeat(4000)}`,
      '200 too-large',
      { limits: { bodyBytes: 1000 } },
    ],
    'a gzip bomb': [
      Buffer.concat([Buffer.from(head(`content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n`)), bomb]),
      '200 too-large',
      { limits: { bodyBytes: 100_000 } },
    ],
    'a redirect': ['HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n', '302 complete'],
  };
  for (const [name, [answer, expected, over]] of Object.entries(cases)) {
    test(name, async () => {
      const target = await wire(answer, over);
      const { response, failure } = await target.egress.send(get);
      expect(response === null ? failure?.kind : `${response.status} ${response.body.state}`).toBe(expected);
      expect(target.requests).toHaveLength(1);
    });
  }

  test('a rejected connection and an unknown host name are reported as failures', async () => {
    const target = await wire(OK);
    await target.egress.close();
    const timeouts = { ...DEFAULT_TIMEOUTS, connect: 0.5, firstByte: 1 };
    const nowhere = (baseUrl: string): Egress => opened({ baseUrl, timeouts });
    expect((await nowhere('http://127.0.0.1:1').send(get)).failure?.kind).toBe('refused');
    expect((await nowhere('http://nothing.invalid').send(get)).failure?.kind).toMatch(
      /^(dns|connect-timeout|first-byte-timeout)$/,
    );
  });
});

test('a compressed body is decoded', async () => {
  const body = gzipSync('{"a":1}');
  const target = await wire(
    Buffer.concat([
      Buffer.from(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`),
      body,
    ]),
  );
  const { response } = await target.egress.send(get);
  expect(Buffer.from(response?.body.bytes ?? []).toString()).toBe('{"a":1}');
});
