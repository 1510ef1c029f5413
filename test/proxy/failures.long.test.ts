import { describe, expect, test } from 'vitest';
import { freePort } from '../support/loopback.ts';
import {
  answering,
  headEnd,
  lasting,
  messageOf,
  open,
  type RawTarget,
  speak,
  startRawTarget,
  until,
  type Watched,
  watch,
} from './support.ts';

async function setUp(
  answer: RawTarget['answer'],
  options = {},
): Promise<{ target: RawTarget; watched: Watched; port: number }> {
  const target = await startRawTarget(answer);
  const watched = await watch(target.url, { timeouts: { connect: 1, firstByte: 0.3 }, ...options });
  open(target, watched);
  return { target, watched, port: watched.proxy.port };
}

const GET = 'GET /wallet/api/customers/c/cards/k HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

function problemOf(reply: Buffer): Record<string, unknown> {
  const message = messageOf(reply);
  expect(message.fields).toContainEqual(['x-banking-api-proxy', 'true']);
  expect(message.fields).toContainEqual(['content-type', 'application/problem+json']);
  return JSON.parse(message.rest.toString()) as Record<string, unknown>;
}

describe('a target without an answer', () => {
  test('a stopped target is a 502 of the proxy, marked as its own', async () => {
    const watched = await watch(`http://127.0.0.1:${await freePort()}`);
    open(watched);
    const reply = await speak(watched.proxy.port, GET);
    expect(problemOf(reply)).toMatchObject({ status: 502, detail: expect.stringContaining('refused') });
    expect(watched.exchanges[0]).toMatchObject({ response: null, failure: { kind: 'refused' } });
    await watched.proxy.report();
    expect(watched.events).toContainEqual(expect.objectContaining({ kind: 'unanswered' }));
  });

  test('an unknown host is a 502', async () => {
    const watched = await watch('http://no-such-host.invalid');
    open(watched);
    expect(problemOf(await speak(watched.proxy.port, GET))).toMatchObject({ status: 502 });
    expect(watched.exchanges[0]?.failure?.kind).toBe('dns');
  });

  test.each<[string, RawTarget['answer'], number, string]>([
    ['a hanging target is a 504 after the first-byte timeout', () => {}, 504, 'first-byte-timeout'],
    ['a reset before the answer is a 502', (socket) => socket.resetAndDestroy(), 502, 'reset'],
    ['an answer that is not HTTP is a 502', (socket) => void socket.end('SSH-2.0-OpenSSH_9.2\r\n'), 502, 'malformed'],
    [
      'an unrequested protocol change is a 502',
      answering('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
      502,
      'malformed',
    ],
  ])('%s', async (_, answer, status, kind) => {
    const { port, watched } = await setUp(answer);
    expect(problemOf(await speak(port, GET))).toMatchObject({ status });
    expect(watched.exchanges[0]?.failure?.kind).toBe(kind);
  });

  test('an https target without TLS is a 502', async () => {
    const target = await startRawTarget();
    target.answer = (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    const watched = await watch(target.url.replace('http:', 'https:'));
    open(target, watched);
    expect(problemOf(await speak(watched.proxy.port, GET))).toMatchObject({ status: 502 });
    expect(watched.exchanges[0]?.failure?.kind).toBe('tls');
  });

  test("an upstream 501, 502 or 504 is forwarded without the proxy's mark", async () => {
    const { port, target } = await setUp(() => {});
    for (const status of [501, 502, 504]) {
      target.answer = answering(`HTTP/1.1 ${status} Mine\r\nContent-Length: 2\r\n\r\nhi`, true);
      const reply = messageOf(await speak(port, GET));
      expect(reply.start).toBe(`HTTP/1.1 ${status} Mine`);
      expect(lasting(reply)).toEqual([['Content-Length', '2']]);
    }
  });
});

describe('kept connections', () => {
  test('a request that timed out on a kept connection is not sent again', async () => {
    const { port, target } = await setUp((socket, soFar) => {
      // the second request on a connection is never answered
      if (headEnd(soFar) < 0 || soFar.toString().split('GET ').length > 2) return;
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    const isEnded = (soFar: Buffer): boolean => /ok$|\}$/.test(soFar.toString());
    expect((await speak(port, GET, isEnded)).toString()).toMatch(/^HTTP\/1\.1 200/);
    expect((await speak(port, GET, isEnded)).toString()).toMatch(/^HTTP\/1\.1 504/);
    expect(target.received).toHaveLength(1);
  });

  test('a connection closed by the target in the meantime does not affect reads', async () => {
    let count = 0;
    const { port, target } = await setUp((socket, soFar) => {
      if (headEnd(soFar) < 0) return;
      count += 1;
      // the second request on a connection is never answered: the connection closes on arrival
      if (soFar.toString().split('GET ').length > 2) socket.resetAndDestroy();
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    for (let each = 0; each < 3; each += 1) {
      const reply = await speak(port, GET, (soFar) => soFar.toString().endsWith('ok'));
      expect(reply.toString()).toMatch(/^HTTP\/1\.1 200 OK/);
    }
    expect(count).toBeGreaterThan(3);
    expect(target.received.length).toBeGreaterThan(1);
  });

  test('several requests on one caller connection are one connection in the journal', async () => {
    const { port, watched } = await setUp(answering('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    const two =
      'GET /a HTTP/1.1\r\nHost: localhost\r\n\r\nGET /b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    const reply = await speak(port, two);
    expect(reply.toString().split('HTTP/1.1 200 OK')).toHaveLength(3);
    await until(() => watched.exchanges.length === 2);
    expect(watched.exchanges.map(({ seq, connection }) => [seq, connection])).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });
});

describe('access to the proxy', () => {
  const cases: [name: string, head: string, status: number][] = [
    ['a name rebound to loopback', 'GET / HTTP/1.1\r\nHost: evil.example\r\n', 421],
    ['an absolute target of another host', 'GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n', 421],
    ['no Host', 'GET / HTTP/1.1\r\n', 400],
    ['two Hosts', 'GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n', 400],
    ['a page of another origin', 'GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\n', 403],
    ['an opaque origin', 'GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: null\r\n', 403],
    ['a WebSocket', 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n', 501],
    ['a tunnel', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n', 405],
    ['bytes that are not HTTP', 'HELO example\r\n', 400],
    ['two lengths', 'PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n', 400],
    [
      'Content-Length with Transfer-Encoding',
      'PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n',
      400,
    ],
  ];
  test.each(cases)('%s is rejected, and nothing reaches the target', async (_, head, status) => {
    const { port, target } = await setUp(answering('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    const reply = await speak(port, `${head}\r\n`, (soFar) => headEnd(soFar) > 0 && soFar.toString().endsWith('}'));
    expect(problemOf(reply)).toMatchObject({ status });
    expect(target.received).toHaveLength(0);
  });

  test.each([
    'Host: localhost:4020',
    'Host: 127.0.0.1',
    'Host: [::1]:4020',
    'Host: api.localhost',
    'Host: localhost\r\nOrigin: http://localhost:3000',
    'Host: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__',
  ])('%s is accepted', async (fields) => {
    const { port, target } = await setUp(answering('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    const reply = await speak(port, `GET / HTTP/1.1\r\n${fields}\r\n\r\n`, (soFar) => soFar.toString().endsWith('ok'));
    expect(reply.toString()).toMatch(/^HTTP\/1\.1 200/);
    expect(target.received[0]?.toString()).not.toMatch(/upgrade/i);
  });
});
