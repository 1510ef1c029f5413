import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type RequestListener, request } from 'node:http';
import { connect } from 'node:net';
import type { Writable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { type LoopbackServer, listenOnLoopback } from '../support/loopback.ts';
import { answering, headEnd, messageOf, speak, startRawTarget, until, watch } from './support.ts';

const target = await startRawTarget();
const watched = await watch(target.url, { allow: 'destructive', writesAllowedOn: ['127.0.0.1'] });
const port = watched.proxy.port;
afterEach(() => {
  watched.exchanges.length = 0;
});
afterAll(async () => {
  await watched[Symbol.asyncDispose]();
  await target[Symbol.asyncDispose]();
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const GET = 'GET /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

describe('slow messages', () => {
  test('the head of an answer arrives before its body', async () => {
    let release = (): void => {};
    target.answer = (socket, soFar) => {
      if (headEnd(soFar) < 0) return;
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n');
      release = () => socket.end('late');
    };
    let headAt = 0;
    const reply = speak(port, GET, (soFar) => {
      if (headAt === 0 && headEnd(soFar) > 0) {
        headAt = soFar.length;
        release();
      }
      return soFar.includes('late');
    });
    expect((await reply).toString()).toContain('late');
    expect(messageOf((await reply).subarray(0, headAt)).rest).toHaveLength(0);
  });

  test('the head of a request reaches the target before its body', async () => {
    target.answer = () => {};
    const before = target.received.length;
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('PUT /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n');
    await until(() => headEnd(target.received[before] ?? Buffer.alloc(0)) > 0);
    expect(target.received[before]?.toString()).toMatch(/\r\n\r\n$/);
    target.answer = answering('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok', true);
    socket.write('hello');
    await until(() => target.received[before]?.toString().endsWith('\r\n\r\n') === false);
    expect(target.received[before]?.toString()).toMatch(/hello$/);
    socket.destroy();
  });

  test('a slow answer arrives piece by piece', async () => {
    let drip = (): void => {};
    target.answer = (socket, soFar) => {
      if (headEnd(soFar) < 0) return;
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      const parts = ['one', 'two', 'six'];
      drip = () => {
        const part = parts.shift();
        if (part === undefined) socket.end('0\r\n\r\n');
        else socket.write(`3\r\n${part}\r\n`);
      };
    };
    // each piece is sent once the caller has the one before it
    const sizes: number[] = [];
    await speak(port, GET, (soFar) => {
      sizes.push(soFar.length);
      drip();
      return false;
    });
    expect(sizes.length).toBeGreaterThanOrEqual(4);
  });

  test('the target decides on Expect: 100-continue', async () => {
    const head =
      'PUT /x HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 3\r\nConnection: close\r\n\r\n';
    target.answer = (socket, soFar) => {
      const end = headEnd(soFar);
      if (end > 0 && soFar.length === end) socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      if (soFar.length > end) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    };
    const before = target.received.length;
    const socket = connect(port, '127.0.0.1');
    let got = '';
    socket.on('data', (chunk) => {
      got += String(chunk);
      if (got === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write('abc');
    });
    socket.write(head);
    await until(() => got.endsWith('ok'));
    expect(target.received[before]?.toString()).toMatch(/Expect: 100-continue[\s\S]*abc$/);
    socket.destroy();

    target.answer = answering('HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n', true);
    const refused = await speak(port, head, (soFar) => headEnd(soFar) > 0);
    expect(refused.toString()).toMatch(/^HTTP\/1\.1 417 Expectation Failed\r\n/);
  });
});

describe('disconnects', () => {
  test('a caller that disconnects ends the request at the target', async () => {
    target.answer = (socket, soFar) => {
      if (headEnd(soFar) > 0) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart');
    };
    const open = target.connections();
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.on('data', () => socket.destroy());
    socket.write(GET);
    await until(() => watched.exchanges.length === 1);
    await until(() => target.connections() <= open);
    expect(watched.exchanges[0]).toMatchObject({
      failure: null,
      response: { status: 200, delivered: false, body: { state: 'truncated' } },
    });
    const { findings } = await watched.proxy.report();
    expect(findings.flatMap(({ exchanges }) => exchanges)).not.toContain(watched.exchanges[0]?.seq);
  });

  test('a caller that disconnects during its body ends the request at the target', async () => {
    target.answer = () => {};
    const before = target.received.length;
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('PUT /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\nabc');
    await until(() => target.received[before] !== undefined);
    socket.destroy();
    await until(() => watched.exchanges.length === 1);
    expect(watched.exchanges[0]?.failure?.kind).toBe('aborted');
  });

  test('a truncated answer is truncated for the caller and never looks complete', async () => {
    for (const head of ['Content-Length: 100', 'Transfer-Encoding: chunked']) {
      const part = head.startsWith('C') ? 'part' : '4\r\npart\r\n';
      target.answer = (socket, soFar) => {
        if (headEnd(soFar) > 0) socket.end(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${part}`);
      };
      const reply = messageOf(await speak(port, 'GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n'));
      expect(reply.rest.toString()).toBe(part);
    }
    expect(watched.exchanges.map(({ response }) => response?.body.state)).toEqual(['truncated', 'truncated']);
  });
});

/** A server with this answer to every request. */
const serveRaw = (answer: RequestListener): Promise<LoopbackServer> => listenOnLoopback(createServer(answer));

describe('large bodies', () => {
  const MIB = 1024 * 1024;
  const SIZE = 50 * MIB;
  const CHUNK = Buffer.alloc(64 * 1024, 'abcdefghijklmnop');

  /** Writes everything at the reader's pace. */
  async function pour(stream: Writable, onChunk: () => void = () => {}): Promise<void> {
    for (let written = 0; written < SIZE; written += CHUNK.length) {
      onChunk();
      if (!stream.write(CHUNK)) await once(stream, 'drain');
    }
    stream.end();
  }

  test('50 MB stream through in both directions in bounded memory, and are not judged', async () => {
    let uploaded = '';
    await using server = await serveRaw(async (incoming, response) => {
      const hash = createHash('sha256');
      for await (const chunk of incoming) hash.update(chunk);
      uploaded = hash.digest('hex');
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': SIZE });
      await pour(response);
    });
    await using big = await watch(server.url, { allow: 'destructive', writesAllowedOn: ['127.0.0.1'] });
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    const heldLate: number[] = [];
    let seen = 0;
    const wanted = createHash('sha256');
    const got = createHash('sha256');
    const headers = { 'content-length': SIZE };
    const outgoing = request({ port: big.proxy.port, method: 'PUT', path: '/x', headers });
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
    await pour(outgoing, () => wanted.update(CHUNK));
    const [incoming] = await answered;
    for await (const chunk of incoming) {
      got.update(chunk);
      const reached = Math.floor((seen + chunk.length) / MIB) > Math.floor(seen / MIB);
      seen += chunk.length;
      if (!reached || seen < 40 * MIB) continue;
      collectGarbage();
      heldLate.push(process.memoryUsage().arrayBuffers - before);
    }
    const sum = wanted.digest('hex');
    expect(uploaded).toBe(sum);
    expect(got.digest('hex')).toBe(sum);
    // Two copies of at most 10 MiB each, plus data in transit. Collected memory is freed with a delay, so the minimum
    // near the end counts. A proxy that kept a body would use 40 MiB more in each sample.
    expect(heldLate).not.toHaveLength(0);
    expect(Math.min(...heldLate)).toBeLessThan(45 * MIB);
    await until(() => big.exchanges.length === 1);
    expect(big.exchanges[0]?.response?.body).toMatchObject({ state: 'too-large' });
    expect(big.exchanges[0]?.request.body).toBeNull();
  }, 60_000);

  test('a slow reader slows the target down', async () => {
    let written = 0;
    await using pushing = await serveRaw(async (_, response) => {
      response.writeHead(200, { 'content-length': SIZE });
      await pour(response, () => {
        written += CHUNK.length;
      });
    });
    await using slow = await watch(pushing.url);
    const incoming = await new Promise<IncomingMessage>((resolve) => {
      get({ port: slow.proxy.port, path: '/x' }, resolve).on('error', () => {});
    });
    incoming.on('error', () => {});
    incoming.pause();
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(written).toBeLessThan(30 * MIB);
    incoming.destroy();
  });
});
