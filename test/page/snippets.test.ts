import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { curlOf } from '../../page/parts/snippets.ts';
import type { JournalEntry } from '../../src/journal/entry.ts';

const run = promisify(execFile);

interface Got {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

let server: Server;
let address = '';
const got: Got[] = [];
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    got.push({ method, url, headers, body: await text(request) });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
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
  ['a POST with what a shell would take for its own', entry('POST', [JSON_TYPE, ['x-odd', `$(id) "'`]], HOSTILE)],
  ['a PUT with neither type nor value of a field', entry('PUT', [['x-empty', '']], 'plain')],
  ['credentials', entry('POST', [['authorization', 'Basic [redacted]'], JSON_TYPE], '{}')],
  ['a HEAD', entry('HEAD', [])],
];

function sees(one: Got, { method, request }: JournalEntry): void {
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

describe('what is copied of a request sends it again', () => {
  test.for(REQUESTS)('as curl in a shell: %s', async ([, given]) => {
    const env = { PATH: process.env.PATH, TOKEN: 'my-token', USERNAME: 'me', PASSWORD: 'my secret' };
    await run('/bin/sh', ['-c', `${curlOf(given, address + PATH)} --silent`], { env });
    const [one] = got;
    if (!one) throw new Error('nothing came');
    sees(one, given);
    expect(one.url).toBe(PATH);
    if (!given.request.headers.includes(JSON_TYPE)) expect(one.headers).not.toHaveProperty('content-type');
  });

  test('as curl a GET keeps its body and stays a GET', async () => {
    await run('/bin/sh', ['-c', `${curlOf(entry('GET', [], 'x'), address)} --silent`]);
    expect(got).toMatchObject([{ method: 'GET', body: 'x' }]);
  });
});
