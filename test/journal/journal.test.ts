import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { ToolError } from '../../src/errors.ts';
import { schemaCheck } from '../../src/files/schema.ts';
import { readJournal } from '../../src/journal/read.ts';
import { createJournalWriter, type JournalEntry } from '../../src/journal/write.ts';
import type { Exchange, HeaderFields } from '../../src/model/exchange.ts';
import { packageRoot } from '../../src/package-root.ts';
import { createRedactor } from '../../src/redact/redact.ts';
import { LINUX } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { exchange, tokenExchange } from './exchanges.ts';

const folder = await temporaryFolder();

function entriesOf(exchanges: readonly Exchange[], options = {}): JournalEntry[] {
  const entries: JournalEntry[] = [];
  const writer = createJournalWriter((_line, entry) => entries.push(entry), options);
  for (const each of exchanges) writer.append(each);
  return entries;
}

async function all(file: string): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for await (const entry of readJournal(file)) entries.push(entry);
  return entries;
}

async function problemOf(file: string): Promise<ToolError> {
  try {
    await all(file);
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
  throw new Error('the journal was read');
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const withToken = (value: string): Exchange =>
  exchange({ request: { ...exchange().request, headers: [['authorization', `Bearer ${value}`]] } });

describe('a journal', () => {
  it('a journal keeps every exchange, redacted, in the published format', async () => {
    const file = join(folder, 'sub', 'one.ndjson');
    const writer = createJournalWriter(file);
    writer.append(tokenExchange('opaque-token-1', 1));
    writer.append(exchange({ seq: 2, response: null, failure: { kind: 'refused', message: 'connect 127.0.0.1' } }));
    await writer.close();
    const check = await schemaCheck('journal');
    const [token, failed, ...more] = await all(file);
    expect(more).toEqual([]);
    expect(check(token)).toEqual([]);
    expect(token).toMatchObject({
      v: 1,
      seq: 1,
      startedAt: '2026-11-21T01:02:03.004Z',
      operationId: 'getToken',
      path: '/iam/oauth/token',
      request: { body: { kind: 'form', fields: [['grant_type', 'client_credentials']] } },
      response: {
        status: 200,
        body: { kind: 'json', json: { access_token: '[redacted:8-15]', expires_in: 3599, token_type: 'bearer' } },
      },
      token: { issuedAt: '2026-11-21T01:02:03.054Z', expiresIn: 3599 },
    });
    expect(failed).toMatchObject({ response: null, failure: { kind: 'refused' }, token: null });
  });

  it('a journal gives a token one pseudonym for issue and use, and another journal gives another', () => {
    const run = [tokenExchange('opaque-token-1'), withToken('opaque-token-1'), withToken('opaque-token-2')];
    const [issued, used, other] = entriesOf(run).map((entry) => entry.token?.id);
    expect(issued).toMatch(/^t_[\w-]{22}$/);
    expect(used).toBe(issued);
    expect(other).not.toBe(issued);
    expect(entriesOf(run)[0]?.token?.id).not.toBe(issued);
  });

  it('a journal gives a client id one pseudonym, in HTTP Basic and in a form', async () => {
    const basic = (text: string) => [['authorization', `Basic ${Buffer.from(text).toString('base64')}`]] as const;
    const form = [['content-type', 'application/x-www-form-urlencoded']] as const;
    const asked = (headers: HeaderFields, body = 'grant_type=client_credentials') =>
      exchange({ request: { method: 'POST', target: '/iam/oauth/token', headers, body: bytes(body) } });
    const entries = entriesOf([
      asked(basic('tenant-one:secret-one')),
      asked(form, 'client_id=tenant-one&client_secret=secret-one'),
      asked(basic('tenant-two:secret-one')),
      asked(basic('no colon')),
      asked(form),
    ]);
    const [first, ...others] = entries.map(({ client }) => client);
    expect(first).toMatch(/^c_[\w-]{22}$/);
    expect(others).toEqual([first, expect.not.stringMatching(first ?? ''), undefined, undefined]);
    expect(JSON.stringify(entries)).not.toContain('secret-one');
    const check = await schemaCheck('journal');
    for (const entry of entries) expect(check(entry)).toEqual([]);
  });

  it('D8: a journal contains no token, password or card token, wherever they return', () => {
    const secret = 'opaque/token+1 ü';
    const echo = exchange({
      request: {
        method: 'PUT',
        target: `/x/${encodeURIComponent(secret)}?note=${encodeURIComponent('correct horse')}&password=short`,
        headers: [
          ['authorization', 'Bearer opaque-token-9'],
          ['x-note', 'opaque-token-9'],
        ],
        body: bytes('{"password":"short","note":"correct horse"} trailing'),
      },
      response: {
        status: 500,
        headers: [['content-type', 'text/html']],
        body: {
          bytes: bytes('<p>opaque-token-9 and correct+horse, opaque%2Ftoken%2B1%20%C3%BC</p>'),
          state: 'complete',
        },
      },
      failure: { kind: 'reset', message: `while sending ${secret}` },
    });
    const redactor = createRedactor({ secrets: ['correct horse', secret] });
    const text = JSON.stringify(entriesOf([echo], { redactor }));
    for (const leak of ['opaque-token-9', 'correct', 'horse', 'short', 'opaque/', 'opaque%2F'])
      expect(text).not.toContain(leak);
    expect(text).toContain('Bearer [redacted:8-15]');
  });

  it.each([
    ['json', 'application/json', '{"a":1}', { kind: 'json', json: { a: 1 } }],
    ['json without a type', 'text/plain', ' [1]', { kind: 'json', json: [1] }],
    [
      'form',
      'application/x-www-form-urlencoded; charset=utf-8',
      'a=b+c&a=d',
      {
        kind: 'form',
        fields: [
          ['a', 'b c'],
          ['a', 'd'],
        ],
      },
    ],
    ['broken json', 'application/json', '{"a":', { kind: 'text', text: '{"a":' }],
    ['html', 'text/html', '<p>', { kind: 'text', text: '<p>' }],
    ['nul', 'text/plain', 'a\0b', { kind: 'binary' }],
  ])('a %s body keeps its kind', (_name, type, text, expected) => {
    const [entry] = entriesOf([
      exchange({
        response: { status: 200, headers: [['content-type', type]], body: { bytes: bytes(text), state: 'complete' } },
      }),
    ]);
    expect(entry?.response?.body).toMatchObject({ ...expected, bytes: text.length, state: 'complete' });
  });

  it('a body above the limit is left out, but its size is kept', () => {
    const body = { bytes: new Uint8Array(2000), state: 'too-large' as const };
    const [entry] = entriesOf([exchange({ response: { status: 200, headers: [], body } })], { bodyLimit: 1000 });
    expect(entry?.response?.body).toEqual({ kind: 'omitted', bytes: 2000, state: 'too-large' });
  });

  it('takes 5,000 exchanges without losing or mixing one', async () => {
    const file = join(folder, 'many.ndjson');
    const writer = createJournalWriter(file);
    for (let seq = 1; seq <= 5_000; seq++) {
      writer.append(exchange({ seq }));
      if (seq % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await writer.close();
    let next = 1;
    for await (const entry of readJournal(file)) expect(entry.seq).toBe(next++);
    expect(next).toBe(5_001);
  }, 60_000);

  it('a killed process leaves whole lines', async () => {
    const file = join(folder, 'killed.ndjson');
    const code = `
      import { createJournalWriter } from ${JSON.stringify(pathToFileURL(join(packageRoot, 'src/journal/write.ts')))};
      import { exchange } from ${JSON.stringify(pathToFileURL(join(packageRoot, 'test/journal/exchanges.ts')))};
      const writer = createJournalWriter(${JSON.stringify(file)});
      let seq = 0;
      setInterval(() => { for (let i = 0; i < 50; i++) writer.append(exchange({ seq: ++seq })); if (seq === 1000) console.log('enough'); }, 1);
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const text = await readFile(file, 'utf8');
    expect(text.endsWith('\n')).toBe(true);
    expect((await all(file)).length).toBeGreaterThanOrEqual(900);
  }, 30_000);

  it('a file that is not writable is reported at once', LINUX, () => {
    expect(() => createJournalWriter(join(folder))).toThrow(expect.objectContaining({ code: 'file-unwritable' }));
    expect(() => createJournalWriter('/proc/no/journal.ndjson')).toThrow(
      expect.objectContaining({ code: 'file-unwritable' }),
    );
  });

  it('a full disk is reported once, never throws into the caller, and makes close fail', LINUX, async () => {
    const errors: ToolError[] = [];
    const writer = createJournalWriter('/dev/full', { onError: (error) => errors.push(error) });
    writer.append(exchange());
    await vi.waitFor(() => expect(errors).toHaveLength(1), 20_000);
    writer.append(exchange({ seq: 2 }));
    await expect(writer.close()).rejects.toMatchObject({ code: 'file-unwritable' });
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message).toContain('ENOSPC');
  });
});

describe('reading a journal', () => {
  const line = JSON.stringify(entriesOf([exchange()])[0]);

  it.each([
    ['no JSON', `${line}\n{"v":1,,}\n${line}\n`, 2, 8, /no JSON/],
    ['a word outside JSON', `${line}\n{"v": NaN}\n${line}\n`, 2, 7, /no JSON/],
    ['a missing field', `${line}\n\n${line.replace('"seq":1,', '')}\n`, 3, 1, /required property 'seq'/],
    ['a wrong type', line.replace('"status":200', '"status":"200"'), 1, line.indexOf('200') + 1, /must be integer/],
    ['another version', `${line.replace('"v":1', '"v":2')}\n`, 1, 6, /version 2; this tool reads version 1/],
    ['no object', `[]\n`, 1, 1, /must be object/],
  ])('an error names file, line and column of %s', async (_name, text, lineNumber, column, message) => {
    const file = join(folder, 'bad.ndjson');
    await writeFile(file, text);
    const error = await problemOf(file);
    expect(error.code).toBe('journal-invalid');
    expect(error.place).toMatchObject({ file, line: lineNumber, column });
    expect(error.message).toMatch(message);
  });

  it('a truncated last line is left out and reported', async () => {
    const file = join(folder, 'torn.ndjson');
    await writeFile(file, `${line}\n${line.slice(0, 50)}`);
    const torn: number[] = [];
    const entries: JournalEntry[] = [];
    for await (const entry of readJournal(file, { onTorn: (number) => torn.push(number) })) entries.push(entry);
    expect(entries).toHaveLength(1);
    expect(torn).toEqual([2]);
  });

  it('fields of a later version, Windows line ends and an empty file are accepted', async () => {
    const file = join(folder, 'later.ndjson');
    await writeFile(file, `${line.replace('"v":1', '"v":1,"note":{}')}\r\n\r\n`);
    expect(await all(file)).toHaveLength(1);
    await writeFile(file, '');
    expect(await all(file)).toEqual([]);
  });

  it('a missing file and a folder are named', async () => {
    expect(await problemOf(join(folder, 'none.ndjson'))).toMatchObject({ code: 'file-missing' });
    expect(await problemOf(folder)).toMatchObject({ code: 'file-unreadable' });
  });
});
