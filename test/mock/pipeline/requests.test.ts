import { describe, expect, test } from 'vitest';
import { bearer, type Reply, type Sent, send } from '../support/client.ts';
import { mockOfFile } from '../support/started.ts';

const CARDS = '/wallet/api/customers/c/cards';
const mock = await mockOfFile();
const authorization = await bearer(mock);

const call = (sent: Sent): Promise<Reply> => send(mock, { ...sent, headers: { authorization, ...sent.headers } });
const CARD = `${CARDS}/card-4001`;
const card = (headers: Sent['headers'] = {}): Promise<Reply> => call({ path: CARD, headers });
const issue = (body: string | Buffer, type = 'application/json'): Promise<Reply> =>
  call({ method: 'POST', path: CARDS, body, headers: { 'content-type': type } });

function expectProblem(reply: Reply, status: number, kind: string): void {
  expect([reply.status, reply.headers['content-type']]).toEqual([status, 'application/problem+json']);
  // S30
  expect(reply.json()).toMatchObject({ status, type: `https://banking-api-contract.invalid/problems/${kind}` });
  expect(Object.keys(reply.json())).toEqual(expect.arrayContaining(['type', 'title', 'status', 'detail']));
}

describe('M3: JSON bodies', () => {
  test.each([
    ['that ends early', '{"a": 1', 1, 8],
    ['with a trailing comma', '{"a": 1,}', 1, 9],
    ['with a comment', '{\n  // no\n}', 2, 3],
    ['with a single quote', "{'a': 1}", 1, 2],
    ['with a duplicate key', '{"a": 1,\n "b": {},\n "a": 2}', 3, 2],
    ['with a duplicate key that is escaped', '{"a": 1, "\\u0061": 2}', 1, 10],
    ['with a duplicate key beside a string with a colon', '{"b": "x:y", "a": 1, "a": 2}', 1, 22],
    ['with NaN', '{"a": NaN}', 1, 7],
    ['with a number that starts with 0', '{"a": 01}', 1, 8],
    ['with a raw control character', '{"a": "x\ty"}', 1, 9],
    ['with a bad escape', '{"a": "\\x41"}', 1, 8],
    ['followed by more', '{} {}', 1, 4],
    ['of spaces', '   ', 1, 4],
  ])('a body %s is 400, with line and column', async (_, body, line, column) => {
    const reply = await issue(body);
    expectProblem(reply, 400, 'bad-body');
    expect(reply.json().position).toMatchObject({ line, column });
  });

  test.each([
    ['in UTF-16', Buffer.from('\uFEFF{"a":1}', 'utf16le'), 'UTF-16'],
    ['with bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'not valid UTF-8'],
    ['with a byte order mark', Buffer.from('\uFEFF{}'), 'byte order mark'],
    ['that is nested too deeply', Buffer.from(`${'['.repeat(101)}${']'.repeat(101)}`), '100 levels'],
  ])('a body %s is 400', async (_, body, detail) => {
    const reply = await issue(body);
    expectProblem(reply, 400, 'bad-body');
    expect(reply.json().detail).toContain(detail);
  });

  test('a body of 100 levels is read', async () => {
    expect((await issue(`{"other":${'['.repeat(99)}${']'.repeat(99)}}`)).status).toBe(200);
  });

  test('a body with __proto__, constructor and prototype changes no prototype', async () => {
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      const reply = await issue(`{"${key}": {"polluted": true, "cardLimitDaily": "x"}}`);
      expect(reply.status).toBe(200);
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    }
    // an inherited member does not count: only sent members are checked
    expect((await issue('{"__proto__": {"cardLimitDaily": 99999999}}')).status).toBe(200);
  });

  test('a body that violates the schema is 422, with each place', async () => {
    const reply = await issue('{"cardLimitDaily": 1.5, "cardDesign": 7}');
    expectProblem(reply, 422, 'invalid-body');
    expect((reply.json().errors as { pointer: string }[]).map(({ pointer }) => pointer).toSorted()).toEqual([
      '/cardDesign',
      '/cardLimitDaily',
    ]);
  });
});

describe('S21: the content type of a body', () => {
  test.each([
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'x',
  ])('the content type %s is 415', async (type) => expectProblem(await issue('{}', type), 415, 'unsupported-type'));

  test('a content coding is 415, and the answer lists the accepted ones', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const reply = await call({ method: 'POST', path: CARDS, body: '{}', headers });
    expectProblem(reply, 415, 'unsupported-type');
    expect(reply.headers['accept-encoding']).toBe('identity');
  });

  test('the content type may have a charset', async () => {
    expect((await issue('{}', 'application/JSON; charset=UTF-8')).status).toBe(200);
  });

  test('a body without a content type is 415', async () => {
    const reply = await call({ method: 'POST', path: CARDS, body: '{}' });
    expectProblem(reply, 415, 'missing-type');
    expect(reply.json().detail).toMatch(/content-type: application\/json/);
  });
});

describe('S21: the Accept header', () => {
  test.each([
    ...['garbage', 'a/b/c', '*', '*/json', 'text/html;q=2', ';;;', '"', 'application/json;q=x', ',,,', '\u00e9'],
    ...['application/json', '*/*', 'application/*;q=0.1', 'text/html, application/json;q=0.001', 'a/b;x="\\",", */*'],
  ])('Accept: %s is ignored if it cannot be parsed, or can be met', async (accept) => {
    expect((await card({ accept })).status).toBe(200);
  });

  test.each(['text/html', 'application/json;q=0', 'application/json;q=0, */*;q=0.1', 'image/*'])(
    'Accept: %s is 406',
    async (accept) => expectProblem(await card({ accept }), 406, 'not-acceptable'),
  );

  test('Accept is checked before the body', async () => {
    expect((await call({ method: 'POST', path: CARDS, body: '{', headers: { accept: 'text/html' } })).status).toBe(406);
  });
});

describe('M4: percent-encoding', () => {
  test.each(['%', '%Z', '%ZZ', '%C3%28', '%FF', 'a%', '%u0041'])('%s in a path or a query is 400', async (segment) => {
    expectProblem(await call({ path: `${CARDS}/${segment}` }), 400, 'bad-target');
    expectProblem(await call({ path: `${CARDS}/card-4001?a=b&c=${segment}` }), 400, 'bad-target');
  });

  test('a path is decoded once, and %2F stays inside its parameter', async () => {
    // the path is known, the card is not
    expectProblem(await call({ path: `${CARDS}/a%2Fsuspend` }), 404, 'not-found');
    expect((await call({ path: `${CARDS}/card%2D4002` })).json()).toHaveProperty('cardType', 'VIRTUAL');
    expectProblem(await call({ path: `${CARDS}/card%252D4002` }), 404, 'not-found');
  });

  test('.. reaches no other path, and an empty parameter is 404', async () => {
    expect((await call({ path: `${CARDS}/../../../../iam/oauth/token` })).status).toBe(404);
    expect((await call({ path: `${CARDS}/` })).status).toBe(404);
    expect((await call({ path: '/wallet/api/customers//cards/x' })).status).toBe(404);
  });

  test('commas and other marks are part of a value', async () => {
    expectProblem(await call({ path: `${CARDS}/a,b;c=d:e@f!$&'()*+` }), 404, 'not-found');
  });

  test('an absolute request target is accepted, any other form is 400', async () => {
    expect((await call({ path: `http://localhost:1${CARDS}/card-4001` })).status).toBe(200);
    expect((await call({ path: `http://evil.example${CARDS}/card-4001` })).status).toBe(421);
    expectProblem(await call({ path: 'ftp://localhost/x' }), 400, 'bad-target');
    expectProblem(await call({ path: 'nowhere' }), 400, 'bad-request');
  });
});

describe('M7: methods', () => {
  test('S17: another method is 405, with the allowed ones', async () => {
    const reply = await call({ method: 'PATCH', path: `${CARDS}/card-4001` });
    expectProblem(reply, 405, 'method-not-allowed');
    expect(reply.headers.allow).toBe('GET, DELETE, HEAD, OPTIONS');
  });

  test('S19: HEAD returns the header fields of GET without a body, for good and bad requests', async () => {
    for (const path of [`${CARDS}/card-4001`, `${CARDS}/x?access_token=1`, '/nowhere']) {
      const [head, get] = [await call({ method: 'HEAD', path }), await call({ path })];
      const fields = ({ date: _, ...others }: Reply['headers']): object => others;
      expect([head.status, fields(head.headers), head.text]).toEqual([get.status, fields(get.headers), '']);
      expect(Number(head.headers['content-length'])).toBe(get.text.length);
    }
  });

  test('S20: OPTIONS without a preflight is 204 with Allow, also for *', async () => {
    const reply = await send(mock, { method: 'OPTIONS', path: CARDS });
    expect([reply.status, reply.headers.allow]).toEqual([204, 'POST, OPTIONS']);
    expect((await send(mock, { method: 'OPTIONS', path: '*' })).status).toBe(204);
    expect((await send(mock, { method: 'OPTIONS', path: '/nowhere' })).status).toBe(404);
  });
});

describe('S22: limits of a request', () => {
  test('a body above 1 MiB is 413, with or without Content-Length', async () => {
    const large = Buffer.alloc(1024 * 1024 + 1, 0x20);
    expectProblem(await issue(large), 413, 'body-too-large');
    const headers = { 'transfer-encoding': 'chunked', 'content-length': [] };
    expectProblem(await call({ method: 'POST', path: CARDS, body: large, headers }), 413, 'body-too-large');
    expect((await issue(Buffer.concat([Buffer.alloc(1024 * 1024 - 2, 0x20), Buffer.from('{}')]))).status).toBe(200);
  });

  test('a target above 8 KiB is 414, header fields above 16 KiB are 431', async () => {
    expectProblem(await call({ path: `${CARDS}/${'x'.repeat(8 * 1024)}` }), 414, 'target-too-long');
    expectProblem(await card({ 'x-large': 'y'.repeat(16 * 1024) }), 431, 'headers-too-large');
  });

  test('an expectation other than 100-continue is 417', async () => {
    expectProblem(await card({ expect: '200-ok' }), 417, 'expectation-failed');
  });
});

describe('M15: the Host and Origin headers', () => {
  test('a loopback name is answered, another is 421, a malformed one 400', async () => {
    const own = ['localhost', 'LOCALHOST:80', 'app.localhost', '127.0.0.1:4010', '127.1.2.3', '[::1]:1', 'localhost.'];
    for (const host of own) expect([host, (await card({ host })).status]).toEqual([host, 200]);
    for (const host of ['evil.example', 'localhost.evil.example', '10.0.0.1', '127.0.0.1.evil.example', '[fe80::1]'])
      expectProblem(await card({ host }), 421, 'host-refused');
    for (const host of ['a b', 'user@localhost', 'localhost:x'])
      expectProblem(await card({ host }), 400, 'bad-request');
  });

  test('a loopback origin may read and is named, another may not, and no cookies are allowed without a use', async () => {
    for (const origin of [
      'http://localhost:3000',
      'http://127.0.0.1',
      'https://app.localhost:8443',
      'http://[::1]:1',
    ]) {
      const { headers } = await card({ origin });
      expect([headers['access-control-allow-origin'], headers.vary]).toEqual([origin, 'Origin']);
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    }
    const others = ['https://evil.example', 'http://localhost.evil.example', 'http://localhost@evil.example'];
    for (const origin of [...others, 'null', 'file://localhost']) {
      const reply = await card({ origin });
      expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([200, undefined]);
    }
  });

  test('a preflight needs no token on any path; another origin gets no permission', async () => {
    const asked = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    };
    const preflight = (origin: string): Promise<Reply> =>
      send(mock, { method: 'OPTIONS', path: CARDS, headers: { origin, ...asked } });
    const { status, headers } = await preflight('http://localhost:3000');
    expect([status, headers['access-control-allow-origin']]).toEqual([204, 'http://localhost:3000']);
    expect(headers['access-control-allow-headers']).toBe('authorization,content-type');
    // a page may send and read every header of the contract
    expect(headers['access-control-allow-methods']).toBe('GET, HEAD, PUT, POST, PATCH, DELETE, OPTIONS');
    const other = await preflight('https://evil.example');
    expect([other.status, other.headers['access-control-allow-origin']]).toEqual([204, undefined]);
    const refused = await send(mock, { path: CARD, headers: { origin: 'http://localhost:3000' } });
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([401, 'http://localhost:3000']);
    expect(refused.headers['access-control-expose-headers']).toMatch(/^x-mock-provenance, .+, \*$/);
  });
});

test("only a page of the mock's own origin may read early rejections", async () => {
  const asked = (origin: string): Promise<Reply> =>
    send(mock, { method: 'POST', path: CARDS, body: ' '.repeat(1_100_000), headers: { origin } });
  const [own, other] = [await asked('http://localhost:3000'), await asked('https://evil.example')];
  expect([own.status, own.headers['access-control-allow-origin']]).toEqual([413, 'http://localhost:3000']);
  expect([other.status, other.headers['access-control-allow-origin']]).toEqual([413, undefined]);
});

test('every answer states its provenance', async () => {
  const replies = [
    await card(),
    await call({ path: '/nowhere' }),
    await send(mock, { path: CARD }),
    await send(mock, { method: 'OPTIONS', path: CARDS }),
    await call({ path: `${CARDS}/${'x'.repeat(9_000)}` }),
    await card({ 'x-large': 'y'.repeat(17_000) }),
    await issue('{'),
  ];
  for (const reply of replies) expect(['documented', 'assumed']).toContain(reply.headers['x-mock-provenance']);
});
