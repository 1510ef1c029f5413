import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { answering, headEnd, lasting, messageOf, speak, startRawTarget, until, watch } from './support.ts';

const target = await startRawTarget();
const watched = await watch(target.url, { allow: 'destructive', writesAllowedOn: ['127.0.0.1'], expendable: ['x'] });
const port = watched.proxy.port;
afterAll(async () => {
  await watched[Symbol.asyncDispose]();
  await target[Symbol.asyncDispose]();
});

/** Sends one exchange over fresh connections; returns both messages as received. */
async function exchange(request: string | Buffer, answer: string | Buffer, end = 'THE-END') {
  target.answer = answering(answer, true);
  await quiet();
  const before = target.received.length;
  const reply = await speak(port, request, (soFar) => soFar.includes(end));
  return { sent: messageOf(target.received[before] ?? Buffer.alloc(0)), reply: messageOf(reply), raw: reply };
}

/** Waits until no kept connection is left that could close during a request. */
async function quiet(): Promise<void> {
  await until(() => target.connections() === 0);
  await new Promise((resolve) => setImmediate(resolve));
}

const GET = 'GET /wallet/api/customers/c/cards/k?x=%20a&&b=%C3%A4 HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n';

describe('requests reach the target unchanged', () => {
  test('request line, order, case and duplicates of headers stay; only Host and hop-by-hop headers differ', async () => {
    const { sent } = await exchange(
      `${GET}X-One: 1\r\nx-TWO: b, c\r\nAccept: */*\r\nX-One: 2\r\nAuthorization: Bearer abc\r\nX-Latin: \xe4\xff\r\nCookie: a=1\r\ncookie: b=2\r\nX-Empty:\r\n\r\n`,
      'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nTHE-END',
    );
    expect(sent.start).toBe('GET /wallet/api/customers/c/cards/k?x=%20a&&b=%C3%A4 HTTP/1.1');
    expect(sent.fields[0]).toEqual(['Host', `127.0.0.1:${target.port}`]);
    expect(lasting(sent)).toEqual([
      ['X-One', '1'],
      ['x-TWO', 'b, c'],
      ['Accept', '*/*'],
      ['X-One', '2'],
      ['Authorization', 'Bearer abc'],
      ['X-Latin', '\xe4\xff'],
      ['Cookie', 'a=1'],
      ['cookie', 'b=2'],
      ['X-Empty', ''],
    ]);
  });

  test('hop-by-hop headers and those named by Connection are removed (RFC 9110, 7.6.1), framing headers never', async () => {
    const { sent } = await exchange(
      `POST /x HTTP/1.1\r\nHost: localhost\r\nConnection: close, X-Mine, Content-Length, Host\r\nX-Mine: 1\r\nKeep-Alive: timeout=3\r\nTE: trailers\r\nProxy-Connection: keep-alive\r\nUpgrade: h2c\r\nHTTP2-Settings: AAA\r\nProxy-Authorization: Basic abc\r\nContent-Length: 3\r\nX-Kept: 1\r\n\r\nabc`,
      'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nTHE-END',
    );
    expect(lasting(sent)).toEqual([
      ['Content-Length', '3'],
      ['X-Kept', '1'],
    ]);
    expect(sent.rest.toString()).toBe('abc');
  });

  test('a chunked request stays chunked, with its trailers', async () => {
    const { sent } = await exchange(
      'POST /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n0\r\nX-Sum: 7\r\nx-sum: 8\r\n\r\n',
      'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nTHE-END',
    );
    expect(lasting(sent)).toEqual([
      ['Transfer-Encoding', 'chunked'],
      ['Trailer', 'X-Sum'],
    ]);
    expect(dechunked(sent.rest)).toEqual({ body: 'abcdefg', trailers: ['X-Sum: 7', 'x-sum: 8'] });
  });

  test('a POST without a body gets Content-Length: 0', async () => {
    const { sent } = await exchange(
      'POST /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nTHE-END',
    );
    expect(lasting(sent)).toEqual([['Content-Length', '0']]);
  });

  test('a GET and a DELETE may have a body', async () => {
    for (const method of ['GET', 'DELETE']) {
      await quiet();
      const index = target.received.length;
      target.answer = (socket, soFar) => {
        if (soFar.toString().endsWith('hi')) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nTHE-END');
      };
      await speak(port, `${method} /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi`);
      expect(messageOf(target.received[index] ?? Buffer.alloc(0)).rest.toString()).toBe('hi');
    }
  });
});

describe('answers reach the caller unchanged', () => {
  test('status text, order, case, duplicates and several Set-Cookie stay, without a Date of our own', async () => {
    const { reply } = await exchange(
      `${GET}\r\n`,
      'HTTP/1.1 207 Not Quite \xe4\r\nSet-Cookie: a=1\r\nX-b: 2\r\nset-cookie: b=2; Path=/\r\nX-B: 3\r\nContent-Type: text/plain\r\nContent-Length: 7\r\n\r\nTHE-END',
    );
    expect(reply.start).toBe('HTTP/1.1 207 Not Quite \xe4');
    expect(lasting(reply)).toEqual([
      ['Set-Cookie', 'a=1'],
      ['X-b', '2'],
      ['set-cookie', 'b=2; Path=/'],
      ['X-B', '3'],
      ['Content-Type', 'text/plain'],
      ['Content-Length', '7'],
    ]);
    expect(reply.rest.toString()).toBe('THE-END');
  });

  test.each([301, 302, 307, 308, 401, 404, 410, 429, 500, 501, 503, 599])('status %i is unchanged', async (status) => {
    const { reply } = await exchange(
      `${GET}\r\n`,
      `HTTP/1.1 ${status} \r\nLocation: https://elsewhere.example/\r\nContent-Length: 7\r\n\r\nTHE-END`,
    );
    expect(reply.start).toBe(`HTTP/1.1 ${status} `);
    expect(lasting(reply)).toEqual([
      ['Location', 'https://elsewhere.example/'],
      ['Content-Length', '7'],
    ]);
  });

  test('a compressed body stays compressed', async () => {
    const body = gzipSync('{"a":1}'.repeat(50));
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`;
    target.answer = answering(Buffer.concat([Buffer.from(head), body]), true);
    const reply = messageOf(await speak(port, `${GET}\r\n`));
    expect(reply.rest.equals(body)).toBe(true);
  });

  test('a chunked answer stays chunked, with trailers', async () => {
    const { reply } = await exchange(
      `${GET}\r\n`,
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3\r\nabc\r\n7\r\nTHE-END\r\n0\r\nX-Sum: 7\r\n\r\n',
      'X-Sum: 7\r\n\r\n',
    );
    expect(lasting(reply)).toEqual([
      ['Transfer-Encoding', 'chunked'],
      ['Trailer', 'X-Sum'],
    ]);
    expect(dechunked(reply.rest)).toEqual({ body: 'abcTHE-END', trailers: ['X-Sum: 7'] });
  });

  test('a body may end with the connection', async () => {
    target.answer = answering('HTTP/1.1 200 OK\r\nX-A: 1\r\n\r\nabcTHE-END', true);
    const reply = messageOf(await speak(port, `${GET}\r\n`));
    expect(dechunked(reply.rest).body).toBe('abcTHE-END');
  });

  test('HEAD, 204 and 304 have their headers and no body', async () => {
    for (const [method, head] of [
      ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 1234\r\nETag: "x"\r\n\r\n'],
      ['GET', 'HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n'],
      ['GET', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\nETag: "x"\r\n\r\n'],
    ] as const) {
      target.answer = answering(head, true);
      const reply = await speak(port, `${method} /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      expect(messageOf(reply).start).toBe(head.split('\r\n')[0]);
      expect(lasting(messageOf(reply))).toEqual(lasting(messageOf(Buffer.from(head))));
      expect(messageOf(reply).rest).toHaveLength(0);
    }
  });

  test('an HTTP/1.0 caller gets no chunks', async () => {
    target.answer = answering('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n');
    const reply = messageOf(await speak(port, 'GET /x HTTP/1.0\r\nHost: localhost\r\n\r\n'));
    expect(lasting(reply)).toEqual([]);
    expect(reply.rest.toString()).toBe('abc');
  });

  test('early hints are forwarded', async () => {
    target.answer = answering(
      'HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nTHE-END',
      true,
    );
    const reply = (await speak(port, `${GET}\r\n`)).toString();
    expect(reply).toMatch(/^HTTP\/1.1 103 Early Hints\r\nLink: <\/x>; rel=preload\r\n\r\nHTTP\/1.1 200 OK/);
  });
});

describe('random bodies, split at random', () => {
  const token = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,12}$/).map((name) => `X-${name}`);
  const value = fc.stringMatching(/^(?:[!-~\xa1-\xff](?:[ !-~\xa1-\xff]{0,30}[!-~\xa1-\xff])?)?$/);
  const fields = fc.array(fc.tuple(token, value), { maxLength: 8 });
  const body = fc.array(fc.uint8Array({ minLength: 1, maxLength: 3000 }), { maxLength: 5 });
  const bytes = (chunks: readonly Uint8Array[]) => Buffer.concat(chunks);
  const lines = (list: readonly (readonly [string, string])[]) => list.map(([n, v]) => `${n}: ${v}\r\n`).join('');
  const framed = (chunks: readonly Uint8Array[], chunked: boolean) =>
    chunked
      ? {
          line: 'Transfer-Encoding: chunked\r\n',
          bytes: Buffer.concat([
            ...chunks.map((part) =>
              Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]),
            ),
            Buffer.from('0\r\n\r\n'),
          ]),
        }
      : { line: `Content-Length: ${bytes(chunks).length}\r\n`, bytes: bytes(chunks) };

  test('both sides get the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fields, body, fc.boolean(), fields, body, fc.boolean(), async (f1, b1, c1, f2, b2, c2) => {
        const sent = framed(b1, c1);
        const answered = framed(b2, c2);
        const reply = Buffer.concat([
          Buffer.from(`HTTP/1.1 200 OK\r\n${lines(f2)}${answered.line}\r\n`, 'latin1'),
          answered.bytes,
        ]);
        await quiet();
        const index = target.received.length;
        target.answer = (socket, soFar) => {
          const end = headEnd(soFar);
          if (end < 0) return;
          const rest = soFar.subarray(end);
          const whole = c1 ? rest.toString('latin1').endsWith('0\r\n\r\n') : rest.length >= sent.bytes.length;
          if (whole) socket.end(reply);
        };
        const head = Buffer.from(
          `PUT /x HTTP/1.1\r\nHost: localhost\r\n${lines(f1)}${sent.line}Connection: close\r\n\r\n`,
          'latin1',
        );
        const got = messageOf(await speak(port, Buffer.concat([head, sent.bytes])));
        const arrived = messageOf(target.received[index] ?? Buffer.alloc(0));
        expect(lasting(arrived)).toEqual([...f1, split(sent.line)]);
        expect(c1 ? raw(arrived.rest) : arrived.rest).toEqual(bytes(b1));
        expect(lasting(got)).toEqual([...f2, split(answered.line)]);
        expect(c2 ? raw(got.rest) : got.rest).toEqual(bytes(b2));
      }),
      { numRuns: 60 },
    );
  });
});

function split(line: string): [string, string] {
  const [name = '', value = ''] = line.trim().split(': ');
  return [name, value];
}

/** The payload of a chunked message. */
function raw(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const eol = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.subarray(at, eol).toString(), 16);
    if (!(size > 0)) break;
    parts.push(bytes.subarray(eol + 2, eol + 2 + size));
    at = eol + 2 + size + 2;
  }
  return Buffer.concat(parts);
}

function dechunked(bytes: Buffer): { body: string; trailers: string[] } {
  const text = bytes.toString('latin1');
  const last = /(?:^|\r\n)0\r\n((?:[^\r]+\r\n)*)\r\n$/.exec(text);
  const trailers = (last?.[1] ?? '').split('\r\n').filter((line) => line !== '');
  return { body: raw(bytes).toString('latin1'), trailers };
}
