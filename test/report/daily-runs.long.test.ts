/** Two nights of `verify` against a stand-in that drifts, each with its journal and its report. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import type { JournalEntry } from '../../src/journal/write.ts';
import type { Finding } from '../../src/model/finding.ts';
import type { Check, Report } from '../../src/model/report.ts';
import { fakeIo } from '../cli/io.ts';
import { CARD, CREDENTIALS, json, PARAMETERS, startSandbox } from '../run/sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const CARD_PATH = '/wallet/api/customers/c-1/cards/k-4';
const LIST_PATH = '/wallet/api/customers/c-1/clients/cl-2/cards';

/** The stand-in's answers in each night; the second has an outage as well. */
function bodyOf(path: string, night: 1 | 2): unknown {
  if (path === CARD_PATH) return { ...CARD, cardLimitDaily: '100', ...(night === 2 && { cardLimitMonthly: true }) };
  if (path !== LIST_PATH) return undefined;
  const cards = [CARD, { ...CARD, cardLimitTransaction: 'x' }];
  return { cards: night === 1 ? [...cards, { ...CARD, cardDesign: 7 }] : cards };
}

/** The error at a place where the stand-in drifts. */
function at({ findings, accepted }: Report, pointer: string): Finding {
  const all = [...findings, ...accepted.map(({ finding }) => finding)];
  const found = all.find((each) => each.pointer === pointer && each.severity === 'error');
  if (found === undefined) throw new Error(`no finding at ${pointer}`);
  return found;
}

test('the second night reports new, known, fixed, accepted and expired findings, each with a ticket', async () => {
  const folder = await temporaryFolder();
  let night: 1 | 2 = 1;
  let count = 0;
  await using sandbox = await startSandbox({
    fault: ({ method, path, authorization }, response) => {
      count += 1;
      response.setHeader('x-request-id', `req-${count}`);
      if (!authorization.startsWith('Bearer ey')) return false;
      const body = method === 'GET' ? bodyOf(path, night) : undefined;
      if (night === 2 && path.startsWith('/billing/')) json(response, 503, { error: 'down' });
      else if (body === undefined) return false;
      else json(response, 200, body);
      return true;
    },
  });
  const config = {
    target: { baseUrl: sandbox.url },
    parameters: PARAMETERS,
    headers: { 'X-Correlation-Id': 'uuid' },
    limits: { backoff: 0.05 },
  };
  await writeFile(join(folder, 'config.yaml'), JSON.stringify(config));
  const verified = async (...more: string[]): Promise<{ report: Report; journal: JournalEntry[] }> => {
    const env = { BANKING_API_USERNAME: CREDENTIALS.username, BANKING_API_PASSWORD: CREDENTIALS.password };
    const argv = ['verify', '--config', 'config.yaml', '--history', 'history', '--journal', 'run.ndjson'];
    await run([...argv, '--report', 'json=run.json', ...more], fakeIo({ cwd: folder, env }));
    const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
    const lines = (await read('run.ndjson')).trim().split('\n');
    return { report: JSON.parse(await read('run.json')), journal: lines.map((line) => JSON.parse(line)) };
  };

  const { report: first } = await verified();
  const entry = (pointer: string, expires: string): object => {
    return { fingerprint: at(first, pointer).fingerprint, reason: 'known', owner: 'ann', expires };
  };
  const accepted = [entry('/cards/*/cardLimitTransaction', '2999-12-31'), entry('/cardLimitDaily', '2020-01-01')];
  await writeFile(join(folder, 'baseline.yaml'), JSON.stringify({ baselineVersion: 1, accepted }));
  night = 2;
  const { report: second, journal } = await verified('--baseline', 'baseline.yaml');

  const before = new Set(first.findings.map(({ fingerprint }) => fingerprint));
  const fingerprints = (known: boolean): string[] =>
    second.findings.map(({ fingerprint }) => fingerprint).filter((each) => before.has(each) === known);
  expect(first.since).toBeUndefined();
  expect(second.since).toEqual({
    previous: first.startedAt,
    new: fingerprints(false),
    known: fingerprints(true),
    gone: [at(first, '/cards/*/cardDesign').fingerprint],
  });
  expect(second.since?.new).toContain(at(second, '/cardLimitMonthly').fingerprint);
  expect(second.accepted.map(({ finding }) => finding.pointer)).toEqual(['/cards/*/cardLimitTransaction']);
  expect(second.expired?.map(({ fingerprint }) => fingerprint)).toEqual([at(second, '/cardLimitDaily').fingerprint]);
  const { exchanges, ticket } = at(second, '/cardLimitMonthly');
  const last = journal.find(({ seq }) => seq === exchanges.at(-1));
  expect(ticket).toMatchObject({
    at: last?.startedAt,
    requestIds: { 'x-request-id': new Map(last?.response?.headers).get('x-request-id') },
    sentIds: { 'x-correlation-id': new Map(last?.request.headers).get('x-correlation-id') },
  });
}, 120_000);

/** Runs `verify` in a folder with reports of these days in January; `first` is the report that they repeat. */
async function nightsOf(sandbox: { readonly url: string }) {
  const folder = await temporaryFolder();
  const env = { BANKING_API_USERNAME: CREDENTIALS.username, BANKING_API_PASSWORD: CREDENTIALS.password };
  const config = { target: { baseUrl: sandbox.url }, parameters: PARAMETERS };
  await writeFile(join(folder, 'banking-api.config.yaml'), JSON.stringify(config));
  let first: Report | undefined;
  return async (...days: readonly number[]): Promise<Report> => {
    const name = `after-${days.join('-')}`;
    await mkdir(join(folder, name));
    for (const [index, day] of days.entries()) {
      const startedAt = `2026-01-0${day}T0${index}:00:00.000Z`;
      await writeFile(join(folder, name, `${index}.json`), JSON.stringify({ ...first, startedAt }));
    }
    await run(['verify', '--history', name, '--report', 'json=run.json'], fakeIo({ cwd: folder, env }));
    const report: Report = JSON.parse(await readFile(join(folder, 'run.json'), 'utf8'));
    first ??= report;
    return report;
  };
}

const loud = ({ findings }: Report): string[] =>
  findings
    .filter(({ severity }) => severity !== 'info')
    .map(({ severity, rule, actual }) => `${severity} ${rule} ${actual}`);
const open = ({ checks }: Report): Check[] => checks.filter(({ outcome }) => outcome === 'inconclusive');

test('an id missing for three nights is a warning on the fourth, and three runs of one night count once', async () => {
  await using sandbox = await startSandbox({
    fault: ({ path, authorization }, response) => {
      const isGone = path === CARD_PATH && authorization.startsWith('Bearer ey');
      if (isGone) json(response, 404, {});
      return isGone;
    },
    bodies: { [`GET ${LIST_PATH}`]: { cards: [{ ...CARD, id: 'another' }] } },
  });
  const night = await nightsOf(sandbox);
  const first = await night();
  expect([first.verdict, loud(first)]).toEqual(['inconclusive', []]);
  expect((await night(1, 2, 2)).verdict).toBe('inconclusive');
  const fourth = await night(1, 2, 3);
  expect([loud(fourth), open(fourth), fourth.verdict]).toEqual([['warning ids-gone cardId'], [], 'agrees']);
}, 120_000);

test.each<[string, (response: ServerResponse) => void, said: string]>([
  ['401', (response) => json(response, 401, {}), 'is the client entitled'],
  [
    'a page with 403',
    (response) => {
      response.writeHead(403, { 'content-type': 'text/html' });
      response.end(`<title>Blocked ${CREDENTIALS.password}${'x'.repeat(100)}</title>`);
    },
    'it answers 403 (“Blocked ',
  ],
])(
  '%s of one operation is inconclusive for two nights and a warning on the third',
  async (_, answer, said) => {
    await using sandbox = await startSandbox({
      fault: ({ path, authorization }, response) => {
        const isOut = path === CARD_PATH && authorization.startsWith('Bearer ey');
        if (isOut) answer(response);
        return isOut;
      },
    });
    const night = await nightsOf(sandbox);
    const first = await night();
    expect([first.verdict, loud(first)]).toEqual(['inconclusive', []]);
    expect(open(first)[0]?.reason).toContain(said);
    expect(JSON.stringify(first)).not.toContain(CREDENTIALS.password.slice(0, 12));
    const second = await night(1);
    expect([second.verdict, loud(second)]).toEqual(['inconclusive', []]);
    const third = await night(1, 2);
    expect(loud(third)).toEqual([expect.stringMatching(/^warning operation-unsettled 40[13]$/)]);
    expect([open(third), third.verdict]).toEqual([[], 'agrees']);
  },
  120_000,
);
