import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { startMock } from '../../../src/mock/start-mock.ts';
import type { Exchange } from '../../../src/model/exchange.ts';
import { bearer, send } from '../support/client.ts';
import { speak, statuses } from '../support/socket.ts';
import { mockOfFile } from '../support/started.ts';

const PATH = '/wallet/api/customers/c/cards/card-4001';
const told: Exchange[] = [];
const onExchange = (exchange: Exchange): unknown => told.push(exchange);
const mock = await mockOfFile({
  onExchange,
  limits: { headersTimeout: 300, requestTimeout: 600, keepAliveTimeout: 300 },
});
const authorization = await bearer(mock);
// loads Prism, which takes longer than these limits
await mock.fetch(new Request(new URL(PATH, mock.url), { headers: { authorization, prefer: 'code=204' } }));
// after any input the mock still serves
afterEach(async () => {
  expect((await send(mock, { path: PATH, headers: { authorization, connection: 'close' } })).status).toBe(200);
});

const lines = (...all: string[]): string => `${all.join('\r\n')}\r\n\r\n`;
const get = (path: string, ...more: string[]): string =>
  lines(`GET ${path} HTTP/1.1`, 'Host: localhost', `Authorization: ${authorization}`, ...more);
const post = (...fields: string[]): string => lines(`POST ${PATH} HTTP/1.1`, 'Host: localhost', ...fields);

test.each([
  ['no HTTP', 'hello\r\n\r\n'],
  ['the start of TLS', Buffer.from('160301020001000001fc0303', 'hex')],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a bad version', lines(`GET ${PATH} HTTP/9.9`, 'Host: localhost')],
  ['an unknown method', lines(`BREW ${PATH} HTTP/1.1`, 'Host: localhost')],
  ['Content-Length and Transfer-Encoding', `${post('Content-Length: 4', 'Transfer-Encoding: chunked')}0\r\n\r\n`],
  ['two Content-Length', `${post('Content-Length: 4', 'Content-Length: 5')}abcd`],
  ['a Content-Length that is no number', post('Content-Length: -1')],
  ['a bad chunk', `${post('Transfer-Encoding: chunked')}zz\r\nabc\r\n`],
  ['an unknown transfer coding', post('Transfer-Encoding: xyz')],
  ['a space before a colon', lines(`GET ${PATH} HTTP/1.1`, 'Host : localhost')],
  ['a NUL in a header field', lines(`GET ${PATH} HTTP/1.1`, 'Host: localhost', 'X: a\0b')],
  ['a folded line', lines(`GET ${PATH} HTTP/1.1`, 'Host: localhost', ' folded')],
  ['spaces in the target', lines('GET /a b HTTP/1.1', 'Host: localhost')],
])('M1, S25: broken framing is 400 and the connection is closed: %s', async (_, bytes) => {
  const { text, closed } = await speak(mock.port, bytes);
  expect([statuses(text), closed]).toEqual([[400], true]);
  expect(text).toContain('application/problem+json');
});

test('S25: a missing, empty or repeated Host is 400; HTTP/1.0 needs no Host', async () => {
  const none = await speak(mock.port, lines(`GET ${PATH} HTTP/1.1`, 'Connection: close'));
  const hosts = ['Host: localhost', 'Host: localhost'];
  const twice = await speak(mock.port, lines(`GET ${PATH} HTTP/1.1`, ...hosts, 'Connection: close'));
  const empty = await speak(mock.port, lines(`GET ${PATH} HTTP/1.1`, 'Host:', 'Connection: close'));
  const old = await speak(mock.port, lines(`GET ${PATH} HTTP/1.0`));
  expect([none, twice, empty, old].map(({ text }) => statuses(text))).toEqual([[400], [400], [400], [401]]);
});

describe.concurrent('M2: an incomplete request is answered or closed in time', () => {
  test('half of the header fields time out with 408', async () => {
    const { text, closed } = await speak(mock.port, `GET ${PATH} HTTP/1.1\r\nHost: loc`);
    expect([statuses(text), closed]).toEqual([[408], true]);
  });

  test('header fields that drip one byte at a time are cut off', async () => {
    const socket = connect(mock.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`GET ${PATH} HTTP/1.1\r\nX: `);
    const drip = setInterval(() => socket.write('a'), 50);
    const started = Date.now();
    await new Promise((resolve) => socket.resume().on('close', resolve));
    clearInterval(drip);
    expect(Date.now() - started).toBeLessThan(20_000);
  });

  test('a body that never arrives times out with 408', async () => {
    const { text, closed } = await speak(mock.port, post('Content-Length: 100'));
    expect([statuses(text), closed]).toEqual([[408], true]);
  });

  test('a connection without a byte is closed', async () => {
    expect((await speak(mock.port, [])).closed).toBe(true);
  });

  test('an idle kept-alive connection is closed', async () => {
    const { text, closed } = await speak(mock.port, lines('OPTIONS * HTTP/1.1', 'Host: localhost'));
    expect([statuses(text), closed]).toEqual([[204], true]);
  });

  test('slow connections do not stall other requests', async () => {
    let closed = 0;
    const slow = Array.from({ length: 50 }, async () => {
      await speak(mock.port, `GET ${PATH} HTTP/1.1\r\nHost: loc`);
      closed += 1;
    });
    expect((await send(mock, { path: PATH, headers: { authorization } })).status).toBe(200);
    expect(closed).toBeLessThan(slow.length);
    await Promise.all(slow);
  });

  test('a client may disconnect in the middle of a body', async () => {
    const socket = connect(mock.port, '127.0.0.1');
    socket.write(`${post('Content-Length: 100')}abc`);
    await once(socket, 'connect');
    socket.resetAndDestroy();
    expect((await send(mock, { path: PATH, headers: { authorization } })).status).toBe(200);
  });
});

test('M1: a hundred pipelined requests, slow and fast, are answered in order over one connection', async () => {
  const kinds = [
    [get(PATH), 200],
    [get(PATH, 'Prefer: code=204'), 204],
    [get('/nowhere'), 404],
    [lines(`PATCH ${PATH} HTTP/1.1`, 'Host: localhost'), 405],
  ] as const;
  const all = Array.from({ length: 100 }, (_, index) => kinds[(index * 7) % kinds.length] ?? kinds[0]);
  const end = get('/nowhere', 'Connection: close');
  told.length = 0;
  const { text, closed } = await speak(mock.port, [all.map(([bytes]) => bytes).join('') + end]);
  expect([statuses(text), closed]).toEqual([[...all.map(([, status]) => status), 404], true]);
  expect(text.match(/^connection: keep-alive\r$/gim)).toHaveLength(100);
  expect(new Set(told.map(({ connection }) => connection)).size).toBe(1);
});

test('a good request before a broken one is answered first', async () => {
  const { text, closed } = await speak(mock.port, `${lines('OPTIONS * HTTP/1.1', 'Host: localhost')}garbage\r\n\r\n`);
  expect([statuses(text), closed]).toEqual([[204, 400], true]);
});

test('CONNECT is rejected, Upgrade is ignored', async () => {
  const tunnel = await speak(mock.port, lines('CONNECT example.com:443 HTTP/1.1', 'Host: example.com'));
  expect([statuses(tunnel.text), tunnel.closed]).toEqual([[405], true]);
  const upgrade = lines('GET /nowhere HTTP/1.1', 'Host: localhost', 'Connection: Upgrade', 'Upgrade: websocket');
  expect(statuses((await speak(mock.port, upgrade)).text)).toEqual([404]);
});

test('M1: a reset tunnel ends only its own connection', async () => {
  for (let round = 0; round < 20; round += 1) {
    const socket = connect(mock.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`${lines('CONNECT example.com:443 HTTP/1.1', 'Host: example.com')}${'x'.repeat(10_000)}`);
    await new Promise((resolve) => setTimeout(resolve, round % 5));
    socket.resetAndDestroy();
  }
  expect((await send(mock, { path: PATH, headers: { authorization } })).status).toBe(200);
});

test('Expect: 100-continue gets 100 Continue', async () => {
  const head = lines(
    'POST /nowhere HTTP/1.1',
    'Host: localhost',
    'Content-Length: 2',
    'Connection: close',
    'Expect: 100-continue',
  );
  const { text } = await speak(mock.port, [head, '{}']);
  expect(statuses(text)).toEqual([100, 404]);
});

test('an endless body is rejected at the limit, with one answer', async () => {
  await using small = await startMock({ limits: { bodyBytes: 10 } });
  const chunk = `400\r\n${'x'.repeat(1024)}\r\n`;
  const head = lines('POST /nowhere HTTP/1.1', 'Host: localhost', 'Transfer-Encoding: chunked');
  const { text, closed } = await speak(small.port, [head, ...Array.from({ length: 200 }, () => chunk), '0\r\n\r\n']);
  expect([statuses(text), closed]).toEqual([[413], true]);
  const some = await speak(
    small.port,
    `${lines('POST /nowhere HTTP/1.1', 'Host: localhost', 'Content-Length: 11', 'Connection: close')}${'x'.repeat(11)}`,
  );
  expect(statuses(some.text)).toEqual([413]);
});

test('an enormous announced body is rejected before it is sent', async () => {
  const { text, closed } = await speak(
    mock.port,
    lines('POST /nowhere HTTP/1.1', 'Host: localhost', 'Content-Length: 99999999999'),
  );
  expect([statuses(text), closed]).toEqual([[413], true]);
});
