import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { curlOf } from '../../page/parts/snippets.ts';
import type { JournalEntry } from '../../src/journal/entry.ts';
import { type Arrived, type LoopbackServer, serveOnLoopback } from '../support/loopback.ts';
import { POSIX } from '../support/needs.ts';

const run = promisify(execFile);

let server: LoopbackServer;
let address = '';
const got: Arrived[] = [];
beforeAll(async () => {
  server = await serveOnLoopback((arrived, response) => {
    got.push(arrived);
    response.end();
  });
  address = server.url;
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  got.length = 0;
});

function entry(method: string, headers: JournalEntry['request']['headers'], body?: string): JournalEntry {
  const kept = body === undefined ? null : { kind: 'text', text: body, bytes: body.length, state: 'complete' };
  return { method, path: PATH, request: { headers, body: kept } } as unknown as JournalEntry;
}

const PATH = "/a/[1-3]/{x,y}/../it's?q=%22$HOME%22&r=`id`";
const HOSTILE = `{"a":"it's $HOME \`id\` \\"\\\\ \u202e <script>","b":"@file"}`;
const JSON_TYPE = ['content-type', 'application/json'] as const;
const REQUESTS: readonly (readonly [what: string, entry: JournalEntry])[] = [
  ['a GET with a token', entry('GET', [['authorization', 'Bearer [redacted]']])],
  ['a POST with shell metacharacters', entry('POST', [JSON_TYPE, ['x-odd', `$(id) "'`]], HOSTILE)],
  ['a PUT without a content type and with an empty header', entry('PUT', [['x-empty', '']], 'plain')],
  ['credentials', entry('POST', [['authorization', 'Basic [redacted]'], JSON_TYPE], '{}')],
  ['a HEAD', entry('HEAD', [])],
];

function sees(one: Arrived, { method, request }: JournalEntry): void {
  expect(one.method).toBe(method);
  expect(one.body).toBe(request.body === null ? '' : (request.body as { text: string }).text);
  for (const [name, value] of request.headers) {
    const expected = value.startsWith('Bearer')
      ? 'Bearer my-token'
      : value.startsWith('Basic')
        ? `Basic ${btoa('me:my secret')}`
        : value;
    expect(one.headers[name]).toBe(expected);
  }
}

describe('a copied request can be sent again', POSIX, () => {
  test.for(REQUESTS)('a copied request works as curl in a shell: %s', async ([, given]) => {
    const env = { PATH: process.env.PATH, TOKEN: 'my-token', USERNAME: 'me', PASSWORD: 'my secret' };
    await run('/bin/sh', ['-c', `${curlOf(given, address + PATH)} --silent`], { env });
    const [one] = got;
    if (!one) throw new Error('nothing came');
    sees(one, given);
    expect(one.path).toBe(PATH);
    if (!given.request.headers.includes(JSON_TYPE)) expect(one.headers).not.toHaveProperty('content-type');
  });

  test('curl keeps the method and the body of a GET', async () => {
    await run('/bin/sh', ['-c', `${curlOf(entry('GET', [], 'x'), address)} --silent`]);
    expect(got).toMatchObject([{ method: 'GET', body: 'x' }]);
  });
});
