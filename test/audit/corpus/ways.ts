import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Audited, judgeCaller, type RecordedJournal } from '../../../src/audit/judge-caller.ts';
import type { Contract } from '../../../src/contract/contract.ts';
import { drive } from '../../../src/drive/drive.ts';
import { fetchMockJournal } from '../../../src/drive/live-journal.ts';
import { runProgram } from '../../../src/drive/run-program.ts';
import { mockOptionsOf, SITUATIONS, type Situation } from '../../../src/drive/situations.ts';
import { readJournal } from '../../../src/journal/read.ts';
import { createJournalWriter, type JournalEntry } from '../../../src/journal/write.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import type { Way } from './programs.ts';

const TIMEOUT = 120_000;
/** The number of programs that run in parallel: most of them wait. */
const FREE_AT_ONCE = 5;

/** Judges a program in all three ways. */
export async function judged(
  command: readonly string[],
  cwd: string,
  only?: readonly string[],
): Promise<Readonly<Record<Way, Audited>>> {
  const situations = only ?? SITUATIONS.map(({ id }) => id);
  const driven = await drive({
    command,
    env: process.env,
    cwd,
    timeout: TIMEOUT / 1000,
    situations,
    signal: AbortSignal.timeout(4 * TIMEOUT),
  });
  const { contract } = driven;
  const free: Free[] = [];
  const queue = [...situations];
  const work = async (): Promise<void> => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) free.push(await runFree(command, cwd, id));
  };
  await Promise.all(Array.from({ length: FREE_AT_ONCE }, work));
  const order = free.sort((a, b) => situations.indexOf(a.id) - situations.indexOf(b.id));
  return {
    drive: judgeCaller({ contract, recordings: driven.driven.map(({ recording }) => recording) }),
    mock: all(
      contract,
      order.map(({ mock }) => mock),
    ),
    journal: all(
      contract,
      order.map(({ journal }) => ({ entries: journal, callers: 'one' as const })),
    ),
  };
}

/** Audits each situation separately with `--callers one`, as a person would who runs the program against a mock. */
function all(contract: Contract, recordings: readonly RecordedJournal[]): Audited {
  const audits = recordings.map((recording) => judgeCaller({ contract, recordings: [recording] }));
  const [first] = audits;
  if (first === undefined) throw new Error('nothing was run');
  return { ...first, findings: audits.flatMap(({ findings }) => findings) };
}

interface Free {
  readonly id: string;
  readonly mock: RecordedJournal;
  readonly journal: readonly JournalEntry[];
}

/** Runs a program once against a mock; returns its journal from the control API and as a file. */
async function runFree(command: readonly string[], cwd: string, id: string): Promise<Free> {
  const situation = SITUATIONS.find((each) => each.id === id) as Situation;
  const folder = await mkdtemp(join(tmpdir(), 'corpus-'));
  try {
    const file = join(folder, 'journal.ndjson');
    const writer = createJournalWriter(file);
    await using mock = await startMock({
      stateless: true,
      ...mockOptionsOf(situation),
      onExchange: writer.append,
    });
    situation.prepare?.(mock);
    const { username, password } = mock.credentials;
    const loop = new AbortController();
    // a program in an endless loop has shown enough
    const watch = setInterval(() => {
      if (mock.journal.entries({ limit: 401 }).length > 400) loop.abort();
    }, 100);
    await runProgram({
      command,
      cwd,
      env: {
        ...process.env,
        BANKING_API_BASE_URL: mock.url,
        BANKING_API_USERNAME: username,
        BANKING_API_PASSWORD: password,
        BANKING_API_SITUATION: id,
        BANKING_API_REQUESTS: String(situation.requests),
      },
      timeout: TIMEOUT,
      signal: loop.signal,
      onLine: () => {},
    }).finally(() => clearInterval(watch));
    await writer.close();
    // by the mock's clock a minute passes without another request
    mock.clock.advance(60);
    const { entries, now } = await fetchMockJournal(mock.url);
    const journal: JournalEntry[] = [];
    for await (const entry of readJournal(file)) journal.push(entry);
    return { id, mock: { entries, readAt: now, callers: 'one' }, journal };
  } finally {
    await rm(folder, { recursive: true });
  }
}
