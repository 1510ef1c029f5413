import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { loadContract } from '../../src/contract/load.ts';
import { readJournal } from '../../src/journal/read.ts';
import { createJournalWriter, type JournalEntry } from '../../src/journal/write.ts';
import { recordTraffic } from '../../src/learn/traffic.ts';
import { fakeIo } from '../cli/io.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { exchange, tokenExchange } from './exchanges.ts';

const PERSON = {
  name: 'Ottilie Quarrington',
  email: 'ottilie@quarrington.example',
  phone: '+44 7700 900123',
  birthDate: '1984-02-29',
  address: '17 Marchmont Crescent',
};
const PLANTED = [...Object.values(PERSON), 'Ottilie', 'Quarrington', 'quarrington', '7700', '19840229', 'Marchmont'];
const TARGET = '/wallet/api/customers/ottilie@quarrington.example/cards/19840229';
const bytes = (value: unknown): Uint8Array => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));

/** One call with a secret in path, query, headers and both bodies, as value and as member name. */
function planted(seq: number, over: { readonly status?: number; readonly body?: unknown } = {}) {
  const answer = { ...PERSON, holders: [PERSON], [PERSON.email]: true, born: 19840229, open: true, none: null };
  return exchange({
    seq,
    request: {
      method: 'GET',
      target: `${TARGET}?name=Ottilie%20Quarrington&Ottilie`,
      headers: [
        ['authorization', 'Bearer opaque-token-of-a-caller'],
        ['content-type', 'application/json; name="Ottilie"'],
        ['x-customer', PERSON.name],
        ['user-agent', `app of ${PERSON.email}`],
      ],
      body: over.body === undefined ? null : bytes(over.body),
    },
    response: {
      status: over.status ?? 200,
      headers: [
        ['content-type', 'application/json'],
        ['location', TARGET],
        ['retry-after', '3'],
        ['www-authenticate', 'Bearer realm="Ottilie", error="invalid_token", error_description="of Quarrington"'],
      ],
      body: { bytes: bytes(answer), state: 'complete' },
    },
  });
}

async function written(exchanges: readonly ReturnType<typeof exchange>[]): Promise<string> {
  const file = join(await temporaryFolder(), 'shapes.ndjson');
  const writer = createJournalWriter(file, { shapes: await loadContract() });
  for (const each of exchanges) writer.append(each);
  await writer.close();
  return file;
}

async function entriesOf(file: string): Promise<JournalEntry[]> {
  return Array.fromAsync(readJournal(file));
}

test('a journal of shapes contains no personal data, and still shows the result of each call', async () => {
  const form = exchange({
    seq: 3,
    request: {
      method: 'POST',
      target: '/iam/oauth/token',
      headers: [['content-type', 'application/x-www-form-urlencoded']],
      body: bytes(`grant_type=client_credentials&holder=${encodeURIComponent(PERSON.name)}`),
    },
    response: null,
    failure: { kind: 'refused', message: `no way to ${PERSON.email}` },
  });
  const text = exchange({
    seq: 4,
    response: { status: 200, headers: [], body: { bytes: bytes(`Dear ${PERSON.name}`), state: 'complete' } },
  });
  const file = await written([planted(1), planted(2, { body: { holder: PERSON } }), form, text]);
  const journal = await readFile(file, 'utf8');
  expect(PLANTED.filter((value) => journal.includes(value))).toEqual([]);

  const [read, sent, asked] = await entriesOf(file);
  expect(read?.shapes).toBe(true);
  expect(read?.path).toMatch(/^\/wallet\/api\/customers\/\d+\/cards\/\d+\?name=\d+&\d+$/);
  expect(read?.path).toBe(sent?.path);
  expect(read?.response?.headers).toEqual([
    ['content-type', 'application/json'],
    ['location', '[redacted:64-127]'],
    ['retry-after', '3'],
    ['www-authenticate', 'Bearer error="invalid_token"'],
  ]);
  expect(read?.token?.id).toMatch(/^t_/);
  expect(read?.response?.body).toMatchObject({
    json: { name: '[redacted:16-31]', holders: [{ birthDate: '[redacted:8-15]' }], born: 0, open: false, none: null },
  });
  expect(asked?.failure).toEqual({ kind: 'refused', message: 'refused' });
  expect(asked?.request.body).toMatchObject({
    fields: [
      ['grant_type', 'client_credentials'],
      ['holder', '[redacted:16-31]'],
    ],
  });
});

test('in a journal of shapes equal bodies stay equal, and different bodies different', async () => {
  const bodies = [{ holder: 'Ann' }, { holder: 'Ann' }, { holder: 'Eve' }];
  const [first, again, other] = await entriesOf(await written(bodies.map((body, at) => planted(at + 1, { body }))));
  expect(again?.request.body).toEqual(first?.request.body);
  expect(other?.request.body).not.toEqual(first?.request.body);
});

test('record learns types and fields from a journal of shapes', async () => {
  const { recording } = await recordTraffic(await written([planted(1), planted(2)]), await loadContract());
  const learned = JSON.stringify(recording?.actions);
  expect(learned).toContain('birthDate');
  expect(learned).not.toMatch(/"(?:enum|const|format|pattern)":/);
});

test('audit accepts a journal of shapes from a mock, without findings caused by masking', async () => {
  const folder = await temporaryFolder();
  const stop = new AbortController();
  const io = fakeIo({ cwd: folder, env: {}, signal: stop.signal });
  const journal = ['--journal', 'mock.ndjson', '--journal-shapes'];
  const mock = run(['mock', '--port', '0', '--credentials', 'bob:hunter2-hunter2', ...journal], io);
  const url = await vi.waitFor(() => {
    const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(io.out() + io.err()) ?? [];
    return found ?? expect.fail('no address yet');
  }, 20_000);
  const issued = await fetch(`${url}/iam/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('bob:hunter2-hunter2').toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = (await issued.json()) as { access_token: string };
  const authorization = `Bearer ${token}`;
  for (const cardDesign of ['of Ottilie', 'of Quarrington']) {
    const body = JSON.stringify({ cardDesign, cardLimitDaily: 500 });
    const headers = { authorization, 'content-type': 'application/json' };
    await fetch(`${url}/wallet/api/customers/Ottilie/cards`, { method: 'POST', headers, body });
  }
  stop.abort();
  expect(await mock).toBe(0);

  const audit = fakeIo({ cwd: folder, env: {} });
  expect([await run(['audit', 'mock.ndjson'], audit), audit.out()]).toEqual([0, expect.any(String)]);
  expect(audit.out()).toMatch(/token-missing +kept/);
  const entries = await entriesOf(join(folder, 'mock.ndjson'));
  expect(entries.map(({ operationId }) => operationId)).toEqual(['getToken', 'issueNewCard', 'issueNewCard']);
  expect(JSON.stringify(entries)).not.toMatch(/Ottilie|Quarrington/);
});

test('audit finds a rejected call without a retry in a journal of shapes', async () => {
  const file = await written([tokenExchange('opaque-token-of-a-caller'), planted(2, { status: 401 })]);
  const io = fakeIo({ env: {} });
  expect(await run(['audit', file], io)).toBe(1);
  expect(io.out()).toMatch(/unauthorized-not-retried +broken/);
});
