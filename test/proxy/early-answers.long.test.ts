import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createBodyCopies } from '../../src/proxy/body-copies.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { headEnd, open, type RawTarget, startRawTarget, until, watch } from './support.ts';

const SIZE = 5 * 1024 * 1024;
const JSON_BODY = Buffer.from(`{"a":"${'x'.repeat(SIZE - 8)}"}`);

const FRAMINGS = {
  'a body with a length': { 'content-length': SIZE },
  'a chunked body': { 'transfer-encoding': 'chunked' },
} as const;

/** Answers the head of a request with 413, then ends the connection as `end` does. */
const tooLarge =
  (end: (socket: Parameters<RawTarget['answer']>[0]) => void): RawTarget['answer'] =>
  (socket, soFar) => {
    if (soFar.includes('GET /next')) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext');
    else if (headEnd(soFar) > 0 && socket.bytesWritten === 0) {
      socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig');
      end(socket);
    }
  };

async function nodeTarget(headers: Record<string, string>) {
  const server = createServer((incoming, response) => {
    if (incoming.url === '/next') return response.end('next');
    return response.writeHead(413, headers).end('big');
  });
  return listenOnLoopback(server);
}

const TARGETS = {
  'a node:http target that keeps the connection': () => nodeTarget({}),
  'a node:http target that closes the connection': () => nodeTarget({ connection: 'close' }),
  'a target that reads on': () => startRawTarget(tooLarge(() => {})),
  'a target that reads nothing more': () => startRawTarget(tooLarge((socket) => socket.pause())),
  'a target that ends the connection': () => startRawTarget(tooLarge((socket) => socket.end())),
  'a target that destroys the connection': () => startRawTarget(tooLarge((socket) => socket.destroySoon())),
} as const;

/** A caller that keeps its connection. It sends the second half of the upload after the answer. */
function createCaller(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  let connection: number | undefined;
  return {
    async upload(headers: Record<string, string | number>) {
      const sent = request({ agent, port, path: '/up', method: 'PUT', headers });
      sent.write(JSON_BODY.subarray(0, SIZE / 2));
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      connection = answer.socket.localPort;
      const body = await text(answer);
      sent.end(JSON_BODY.subarray(SIZE / 2));
      return { status: answer.statusCode, body };
    },
    async next() {
      const sent = request({ agent, port, path: '/next' }).end();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      const isSameConnection = answer.socket.localPort === connection;
      return { status: answer.statusCode, body: await text(answer), isSameConnection };
    },
  };
}

const WRITES = { allow: 'write', writesAllowedOn: ['127.0.0.1'] } as const;

describe.each(Object.entries(FRAMINGS))('an answer before the end of %s', (_, framing) => {
  test.each(Object.entries(TARGETS))('of %s reaches the caller, who can go on', async (_name, start) => {
    const target = await start();
    const watched = await watch(target.url, WRITES);
    open(target, watched);
    const caller = createCaller(watched.proxy.port);
    expect(await caller.upload({ ...framing, 'content-type': 'application/json' })).toEqual({
      status: 413,
      body: 'big',
    });
    expect(await caller.next()).toEqual({ status: 200, body: 'next', isSameConnection: true });
    await until(() => watched.exchanges.length === 2);
    expect(watched.exchanges[0]).toMatchObject({ request: { body: null }, response: { status: 413 }, failure: null });
  });

  test('of the proxy itself reaches the caller, who can go on', async () => {
    const target = await nodeTarget({});
    const watched = await watch(target.url);
    open(target, watched);
    const caller = createCaller(watched.proxy.port);
    expect(await caller.upload(framing)).toMatchObject({ status: 403, body: expect.stringContaining('not-allowed') });
    expect(await caller.next()).toEqual({ status: 200, body: 'next', isSameConnection: true });
  });

  test('replaces 100 Continue, and the connection closes', async () => {
    const target = await startRawTarget(tooLarge(() => {}));
    const watched = await watch(target.url, WRITES);
    open(target, watched);
    const headers = { ...framing, expect: '100-continue' };
    const sent = request({ port: watched.proxy.port, path: '/up', method: 'PUT', headers });
    sent.on('error', () => {});
    sent.flushHeaders();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    expect([answer.statusCode, answer.headers.connection, await text(answer)]).toEqual([413, 'close', 'big']);
    await once(sent, 'close');
  });
});

test('bytes after the release of a copy do not count against the total of all copies', () => {
  const capture = createBodyCopies(4, 4);
  const early = capture();
  early.add(Buffer.from('ab'));
  early.release();
  early.add(Buffer.from('cdef'));
  const later = capture();
  later.add(Buffer.from('1234'));
  expect(later.body(true, undefined)).toMatchObject({ state: 'complete' });
});
