import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Audited, judgeCaller } from '../../src/audit/judge-caller.ts';
import type { Contract } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/load.ts';
import { type Capture, readHar } from '../../src/journal/har/read.ts';
import { observed } from '../judge/observed.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { BASIC, CARD, FORM, tokenText } from './journal-builder.ts';

let contract: Contract;
contract = await loadContract();
const folder = await temporaryFolder();

const BASE = 'https://api.bank.example/sandbox';

interface Field {
  readonly name: string;
  readonly value: string;
}
const fields = (record: Record<string, string>): Field[] =>
  Object.entries(record).map(([name, value]) => ({ name, value }));

const tokenEntry = (over: object = {}): object => ({
  startedDateTime: '2026-03-01T11:00:00.000+01:00',
  time: 40.5,
  connection: '443',
  request: {
    method: 'POST',
    url: `${BASE}/iam/oauth/token`,
    headers: fields({ ':authority': 'api.bank.example', Authorization: BASIC, 'Content-Type': FORM }),
    postData: { mimeType: FORM, text: 'grant_type=client_credentials' },
  },
  response: {
    status: 200,
    headers: fields({ 'Content-Type': 'application/json' }),
    content: {
      mimeType: 'application/json',
      encoding: 'base64',
      text: Buffer.from(
        JSON.stringify({ access_token: tokenText('T1'), expires_in: 3600, jti: 'j', scope: '', token_type: 'bearer' }),
      ).toString('base64'),
    },
  },
  ...over,
});

const callEntry = (
  status: number,
  headers: Record<string, string> = { authorization: `Bearer ${tokenText('T1')}` },
): object => ({
  startedDateTime: '2026-03-01T10:00:01.000Z',
  time: 30,
  request: { method: 'GET', url: `${BASE}${CARD}`, headers: fields(headers) },
  response: { status, headers: [], content: { text: '{}' } },
});

const page = {
  startedDateTime: '2026-03-01T10:00:00Z',
  request: { method: 'GET', url: 'https://shop.example/' },
  response: { status: 200 },
};

async function read(har: unknown): Promise<{ capture: Capture; audited: Audited; file: string }> {
  const file = join(folder, 'capture.har');
  await writeFile(file, typeof har === 'string' ? har : JSON.stringify(har));
  const capture = await readHar(file, contract);
  return {
    capture,
    file,
    audited: judgeCaller({ contract, recordings: [{ entries: capture.entries, callers: 'one', captured: true }] }),
  };
}
const log = (...entries: unknown[]): object => ({ log: { version: '1.2', creator: {}, entries } });

test('a HAR file is filtered by API host, links tokens by pseudonym and contains no secret', async () => {
  const { capture, audited } = await read(log(page, tokenEntry(), callEntry(401)));
  expect(capture).toMatchObject({ baseUrl: BASE, skipped: 1 });
  const [token, call] = capture.entries;
  expect(token).toMatchObject({
    operationId: 'getToken',
    startedAt: '2026-03-01T10:00:00.000Z',
    token: { expiresIn: 3600 },
  });
  expect(call).toMatchObject({ operationId: 'getCard', path: CARD, token: { id: token?.token?.id } });
  expect(JSON.stringify(capture)).not.toMatch(/eyJ|sandbox-secret|c2FuZGJveD/);
  expect(audited.findings.map(({ rule }) => rule)).toEqual(['unauthorized-not-retried']);
});

test('the audit lists rules that it cannot judge if a browser omitted Authorization', async () => {
  const { audited } = await read(
    log(
      tokenEntry({
        request: {
          method: 'POST',
          url: `${BASE}/iam/oauth/token`,
          headers: fields({ 'content-type': FORM, 'content-length': '29' }),
        },
        response: { status: 200, headers: [], content: { size: 900 } },
      }),
      callEntry(200, {}),
    ),
  );
  expect(audited.findings).toEqual([]);
  expect(audited.notes.join()).toContain('Authorization');
  expect(audited.rules).toContainEqual({ rule: 'token-missing', outcome: 'not-exercised', evidence: 'needs a call' });
});

test.each([1e300, Number.MAX_VALUE, -1, 'x'])('an impossible time counts as unknown: %j', async (time) => {
  const file = join(folder, 'times.har');
  await writeFile(file, JSON.stringify({ log: { entries: [tokenEntry({ time })] } }));
  const { entries } = await readHar(file, contract);
  expect(entries.map(({ startedAt, endedAt }) => startedAt === endedAt)).toEqual([true]);
});

test('missing parts of a capture count as unknown', async () => {
  const { capture, audited } = await read(
    log(
      null,
      {},
      { request: {} },
      { request: { method: 'GET', url: 'data:,x' } },
      { startedDateTime: 'yesterday', request: { method: 'GET', url: `${BASE}${CARD}` } },
      tokenEntry({ time: -1, connection: '' }),
      { ...(callEntry(0) as object), time: null, response: { status: 0 } },
    ),
  );
  expect(capture.entries).toHaveLength(2);
  expect(capture.entries[1]).toMatchObject({ response: null, failure: { kind: 'aborted' } });
  expect(audited.findings).toEqual([]);
});

test('an omitted body counts as unknown, and an empty body as empty', async () => {
  const answered = (response: object): object => ({
    ...callEntry(200),
    response: { status: 200, headers: [], ...response },
  });
  const { capture } = await read(
    log(
      answered({ content: { size: 500, mimeType: 'application/json' } }),
      answered({ content: { size: 500, text: '' } }),
      answered({ bodySize: 500, content: {} }),
      answered({ headers: fields({ 'Content-Length': '500' }), content: { size: 0 } }),
      answered({ content: { size: 2, text: '{}' } }),
      answered({ bodySize: -1, content: { size: 0, text: '' } }),
      answered({ status: 304, content: { size: 500 } }),
    ),
  );
  const kinds = capture.entries.map(({ response }) => response?.body?.kind ?? null);
  expect(kinds).toEqual(['omitted', 'omitted', 'omitted', 'omitted', 'json', null, null]);
});

test('a form that a proxy has parsed is read', async () => {
  const { audited } = await read(
    log(
      tokenEntry({
        request: {
          method: 'post',
          url: `${BASE}/iam/oauth/token`,
          headers: fields({ Authorization: BASIC }),
          postData: { mimeType: FORM, params: [{ name: 'grant_type', value: 'password' }] },
        },
      }),
    ),
  );
  expect(audited.findings.map(({ rule, actual }) => [rule, actual])).toEqual([
    ['token-request-malformed', 'another grant_type'],
  ]);
});

test('a file that is not a capture is rejected with its place', async () => {
  await expect(read('{"log": ')).rejects.toMatchObject({ code: 'journal-invalid', place: { line: 1, column: 9 } });
  await expect(read('[]')).rejects.toMatchObject({ code: 'journal-invalid' });
  await expect(readHar(join(folder, 'missing.har'), contract)).rejects.toMatchObject({
    code: 'file-missing',
  });
});

test("a capture masks the contract's secret fields, and a secret in a query is a finding", async () => {
  const overlay = observed(`  - target: "$.paths['/wallet/api/customers/{customerId}/cards/{cardId}'].get"
    update: { parameters: [{ name: mood, in: query, x-secret: true, schema: { type: string } }] }
`);
  const taught = await loadContract({ overlays: [overlay] });
  const entry = callEntry(200) as { request: { url: string } };
  const file = join(folder, 'secret.har');
  const moody = { ...entry, request: { ...entry.request, url: `${entry.request.url}?mood=merry` } };
  await writeFile(file, JSON.stringify({ log: { entries: [tokenEntry(), moody] } }));
  const { entries } = await readHar(file, taught);
  expect(JSON.stringify(entries)).not.toContain('merry');
  const rulesOf = (by: Contract): string[] =>
    judgeCaller({ contract: by, recordings: [{ entries, callers: 'one' }] }).findings.map(({ rule }) => rule);
  expect(rulesOf(taught)).toEqual(['secret-in-query']);
  expect(rulesOf(contract)).toEqual([]);
});
