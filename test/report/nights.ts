/** Two nights of `verify` against a stand-in that drifts, each with its journal and its report. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../src/cli/run.ts';
import type { JournalEntry } from '../../src/journal/write.ts';
import type { Finding } from '../../src/model/finding.ts';
import type { Report } from '../../src/model/report.ts';
import { fakeIo } from '../cli/io.ts';
import { CARD, CREDENTIALS, json, PARAMETERS, startSandbox } from '../run/sandbox.ts';

export interface Night {
  readonly report: Report;
  readonly journal: readonly JournalEntry[];
}
const CARD_PATH = '/wallet/api/customers/c-1/cards/k-4';
const LIST_PATH = '/wallet/api/customers/c-1/clients/cl-2/cards';

/** What the stand-in answers in each night; the second has an outage, too. */
function bodyOf(path: string, night: 1 | 2): unknown {
  if (path === CARD_PATH)
    return night === 1
      ? { ...CARD, cardLimitDaily: '100', nickname: 'n' }
      : { ...CARD, cardLimitDaily: '100', cardLimitMonthly: true, nickname: 'n' };
  if (path !== LIST_PATH) return undefined;
  const odd = { ...CARD, cardLimitTransaction: 'x', nickname: 'n' };
  const cards = [CARD, odd, { ...odd, token: undefined }];
  return night === 1 ? { cards: [...cards, { ...CARD, cardDesign: 7 }] } : { cards };
}

async function verified(folder: string, name: string, ...more: string[]): Promise<Night> {
  const io = fakeIo({
    cwd: folder,
    env: { BANKING_API_USERNAME: CREDENTIALS.username, BANKING_API_PASSWORD: CREDENTIALS.password },
  });
  const argv = [
    'verify',
    '--config',
    'config.yaml',
    '--history',
    'history',
    '--journal',
    `${name}.ndjson`,
    '--report',
    `json=${name}.json`,
  ];
  await run([...argv, ...more], io);
  const read = (format: string): Promise<string> => readFile(join(folder, `${name}.${format}`), 'utf8');
  const lines = (await read('ndjson')).trim().split('\n');
  return {
    report: JSON.parse(await read('json')) as Report,
    journal: lines.map((line) => JSON.parse(line) as JournalEntry),
  };
}

/** By rule and place, as the stand-in was told to drift. */
export const at = ({ report }: Night, pointer: string): Finding => {
  const all = [...report.findings, ...report.accepted.map(({ finding }) => finding)];
  const found = all.find((each) => each.pointer === pointer && each.severity === 'error');
  if (found === undefined) throw new Error(`no finding at ${pointer}`);
  return found;
};

/** A night of three errors; then one in which one is new, one known and expired, one accepted and one gone, and a service is out. */
export async function twoNights(): Promise<readonly [Night, Night]> {
  const folder = await mkdtemp(join(tmpdir(), 'numbers-'));
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
  try {
    await writeFile(join(folder, 'config.yaml'), JSON.stringify(config));
    const first = await verified(folder, 'one');
    const entry = (pointer: string, expires: string): object => ({
      fingerprint: at(first, pointer).fingerprint,
      ...{ reason: 'known', owner: 'ann', expires },
    });
    const accepted = [entry('/cards/*/cardLimitTransaction', '2999-12-31'), entry('/cardLimitDaily', '2020-01-01')];
    await writeFile(join(folder, 'baseline.yaml'), JSON.stringify({ baselineVersion: 1, accepted }));
    night = 2;
    return [first, await verified(folder, 'two', '--baseline', 'baseline.yaml')];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
