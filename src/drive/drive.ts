import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Audited, RecordedJournal } from '../audit/judge-caller.ts';
import type { Contract, OverlaySource } from '../contract/contract.ts';
import type { ContractFolder } from '../contract/folder.ts';
import { secretNames } from '../contract/secrets.ts';
import { createJournalWriter, type JournalEntry } from '../journal/write.ts';
import { isPrepared, loadMockContract } from '../mock/compile/mock-contract.ts';
import { startMock } from '../mock/start-mock.ts';
import type { Check } from '../model/report.ts';
import { createRedactor } from '../redact/redact.ts';
import { count } from '../text/words.ts';
import { type Ending, runProgram } from './run-program.ts';
import { mockOptionsOf, SITUATIONS, type Situation } from './situations.ts';

export interface DriveOptions {
  /** Run as it is, without a shell. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Seconds for each situation; 30 by default. */
  readonly timeout?: number;
  /** The contract; the package's own by default. See `readContractFolder`. */
  readonly folder?: ContractFolder;
  readonly overlays?: readonly (string | OverlaySource)[];
  /** Only these situations, in the order of the plan; all by default. */
  readonly situations?: readonly string[];
  readonly signal: AbortSignal;
  readonly onSituation?: (situation: Situation, number: number, of: number) => void;
  /** Called after its situation has ended, for each line that the program printed; redacted. */
  readonly onLine?: (line: string) => void;
}

/** One situation that the program was put through. */
export interface Driven {
  readonly situation: Situation;
  readonly ending: Ending;
  /** Its exchanges are numbered through all situations, in the order of the plan. */
  readonly recording: RecordedJournal & { readonly entries: readonly JournalEntry[] };
  readonly durationMs: number;
}

export interface Drive {
  readonly driven: readonly Driven[];
  readonly contract: Contract;
  readonly interrupted: boolean;
}

const DEFAULT_TIMEOUT = 30;
/** A program that sends so much to make a handful of requests is in a loop. */
const MOST_EXCHANGES = 200;
const MOST_LINES = 10_000;
/** Milliseconds, on loopback and one clock. The lateness of the machine is added. */
const TOLERANCE = 500;
/** At most so much of that lateness counts. */
const MOST_LAG = 300;
const TICK = 50;

/** How many programs run at once. Most of them wait most of the time. */
const AT_ONCE = 3 * availableParallelism();

/**
 * Puts a program through the fixed plan of situations, each with a mock of its own. They run side by side; the longest
 * starts first.
 */
export async function drive(options: DriveOptions): Promise<Drive> {
  const plan = SITUATIONS.filter(({ id }) => options.situations?.includes(id) ?? true);
  const contract = await loadMockContract(options);
  const failure = new AbortController();
  const signal = AbortSignal.any([options.signal, failure.signal]);
  const run = createRun({ ...options, signal }, contract);
  const lanes: Promise<unknown>[] = [];
  const runOne = (situation: Situation, index: number): Promise<Run | undefined> => {
    const one = Promise.resolve(lanes[index % AT_ONCE]).then(() => (signal.aborted ? undefined : run(situation)));
    // an error of one run would be that of all: no other one starts
    lanes[index % AT_ONCE] = one.catch(() => failure.abort());
    return one;
  };
  const longestFirst = plan.toSorted((a, b) => (b.seconds ?? 0) - (a.seconds ?? 0));
  const started = new Map(longestFirst.map((situation, index) => [situation, runOne(situation, index)]));
  const ended = Promise.allSettled(started.values());
  const runs: Run[] = [];
  try {
    // whichever is first, they are told in the order of the plan
    for (const [index, situation] of plan.entries()) {
      if (!signal.aborted) options.onSituation?.(situation, index + 1, plan.length);
      const one = await started.get(situation);
      if (one === undefined) continue;
      for (const line of one.lines) options.onLine?.(line);
      runs.push(one);
    }
  } finally {
    await ended;
  }
  let sent = 0;
  const driven = runs.map(({ lines: _, ...one }): Driven => {
    const before = sent;
    sent += Math.max(0, ...one.recording.entries.map(({ seq }) => seq));
    const entries = one.recording.entries.map((entry) => ({ ...entry, seq: before + entry.seq }));
    return { ...one, recording: { ...one.recording, entries } };
  });
  return { driven, contract, interrupted: options.signal.aborted };
}

export function driveChecks(
  driven: readonly Driven[],
  { findings }: Pick<Audited, 'findings'>,
  { token }: Pick<Contract, 'token'>,
): Check[] {
  return driven.map(({ situation, ending, recording, durationMs }): Check => {
    const seqs = new Set(recording.entries.map(({ seq }) => seq));
    const broken = findings.some(({ exchanges }) => exchanges.some((seq) => seqs.has(seq)));
    const tokens = recording.entries.filter(({ operationId }) => operationId === token?.operationId).length;
    const calls = recording.entries.length - tokens;
    const sent = `${count(calls, 'call')}, ${count(tokens, 'token request')}; the program`;
    const isSilent = recording.entries.length === 0;
    return {
      id: `drive.${situation.id}`,
      operationId: null,
      kind: 'mock-only',
      outcome: isSilent ? 'inconclusive' : broken ? 'failed' : 'passed',
      reason: `${isSilent ? 'The program sent nothing to BANKING_API_BASE_URL; it' : sent} ${endingText(ending)}.`,
      durationMs,
    };
  });
}

function endingText(ending: Ending): string {
  switch (ending.kind) {
    case 'exited':
      return `ended with ${ending.code}`;
    case 'killed':
      return `was ended by ${ending.signal}`;
    case 'timeout':
      return 'did not end in time and was stopped';
    case 'stopped':
      return 'was stopped';
  }
}

/** Its exchanges are numbered by themselves. */
interface Run extends Driven {
  readonly lines: readonly string[];
}

function createRun(options: DriveOptions, contract: Contract): (situation: Situation) => Promise<Run> {
  const credentials = { username: 'sandbox', password: `drive-${randomBytes(12).toString('hex')}` };
  const redactor = createRedactor({ secrets: [credentials.password], credentials: [credentials] });
  redactor.learnNames(secretNames(contract));
  return async (situation) => {
    const startedAt = Date.now();
    const timers = monitorEventLoopDelay({ resolution: TICK });
    timers.enable();
    const loop = new AbortController();
    const entries: JournalEntry[] = [];
    const lines: string[] = [];
    const tokens = new Set<string>();
    const writer = createJournalWriter((_, entry) => entries.push(entry), { redactor });
    await using mock = await startMock({
      credentials,
      // compiled ahead, the package's own starts at once
      ...(isPrepared(options) ? {} : { contract }),
      // the program may ask for ids of its own
      stateless: true,
      ...mockOptionsOf(situation),
      onExchange(exchange) {
        if (exchange.token !== null) tokens.add(exchange.token.value);
        writer.append(exchange);
        if (entries.length >= MOST_EXCHANGES) loop.abort();
      },
    });
    situation.prepare?.(mock);
    try {
      const ending = await runProgram({
        command: options.command,
        cwd: options.cwd,
        env: {
          ...options.env,
          BANKING_API_BASE_URL: mock.url,
          BANKING_API_USERNAME: credentials.username,
          BANKING_API_PASSWORD: credentials.password,
          BANKING_API_SITUATION: situation.id,
          BANKING_API_REQUESTS: String(situation.requests),
        },
        timeout: (options.timeout ?? DEFAULT_TIMEOUT) * 1000,
        signal: AbortSignal.any([options.signal, loop.signal]),
        onLine: (line) => lines.length < MOST_LINES && lines.push(line),
      });
      const endedAt = Date.now();
      const lag = timers.max / 1e6 - TICK;
      const recording = {
        entries: [...entries],
        callers: 'one',
        ...(ending.kind === 'exited' || ending.kind === 'killed' ? {} : { readAt: endedAt }),
        tolerance: TOLERANCE + Math.min(lag, MOST_LAG),
        situation: situation.title,
        ...(lines.length > 0 && {
          printed: [
            ...(lines.some((line) => line.includes(credentials.password)) ? ['the password'] : []),
            ...(lines.some((line) => [...tokens].some((token) => line.includes(token))) ? ['a token'] : []),
          ],
        }),
      } as const;
      const shown = lines.map((line) => redactor.text(line));
      return { situation, ending, recording, durationMs: endedAt - startedAt, lines: shown };
    } finally {
      timers.disable();
    }
  };
}
