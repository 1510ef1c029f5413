import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Audited, RecordedJournal } from '../audit/judge-caller.ts';
import type { Contract, OverlaySource } from '../contract/contract.ts';
import type { ContractFolder } from '../contract/folder.ts';
import { secretNames } from '../contract/secrets.ts';
import { createJournalWriter, type JournalEntry } from '../journal/write.ts';
import { startMockBehind } from '../mock/start-mock.ts';
import { loadMockContract } from '../mock/tenant/mock-contract.ts';
import type { Check } from '../model/report.ts';
import { variablesOf } from '../model/variables.ts';
import { createRedactor } from '../redact/redact.ts';
import { parseJson } from '../text/decode.ts';
import { count } from '../text/words.ts';
import { type IntentKey, tellingOf, type Write } from './intents.ts';
import { printedSecrets } from './printed.ts';
import { type Ending, type ProgramOptions, runProgram } from './run-program.ts';
import { mockOptionsOf, SITUATIONS, type Situation } from './situations.ts';

export interface DriveOptions {
  /** Started without a shell. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Prefix of the variables for the program; `BANKING_API` by default. */
  readonly prefix?: string;
  readonly cwd: string;
  /** Seconds for each situation; 30 by default. */
  readonly timeout?: number;
  /** The contract; the package's own by default. See `readContractFolder`. */
  readonly folder?: ContractFolder;
  readonly overlays?: readonly (string | OverlaySource)[];
  /** Only these situations, in the order of the plan; all by default. */
  readonly situations?: readonly string[];
  readonly signal: AbortSignal;
  /** Run by the shell after the program. It prints the outcome of each intent. */
  readonly outcome?: string;
  /** Where a write names its intent. By default, its members tell it. */
  readonly intentKey?: IntentKey;
  readonly onSituation?: (situation: Situation, number: number, of: number) => void;
  /** Called when an exchange of the program ends; redacted. */
  readonly onEntry?: (entry: JournalEntry, situation: Situation) => void;
  /** Called after its situation has ended, for each line that the program printed; redacted. */
  readonly onLine?: (line: string) => void;
}

/** A line `{"intent": "…", "said": "done|failed|unknown"}` from the outcome command. */
export interface Claim {
  readonly intent: string;
  readonly said: 'done' | 'failed' | 'unknown';
}

/** The program's run in one situation. */
export interface Driven {
  readonly situation: Situation;
  readonly ending: Ending;
  /** Exchanges are numbered across all situations, in the order of the plan. */
  readonly recording: RecordedJournal & { readonly entries: readonly JournalEntry[] };
  /** Output of the outcome command, line by line. */
  readonly claims: readonly Claim[];
  /** Calls that request an act, in the order of arrival. */
  readonly writes: readonly Write[];
  /** Its output, redacted. */
  readonly lines: readonly string[];
  readonly durationMs: number;
}

const DEFAULT_TIMEOUT = 30;
/** A program that sends this many exchanges for a handful of requests is in a loop. */
const MOST_EXCHANGES = 200;
const MOST_LINES = 10_000;
/** Milliseconds, on loopback with one clock. The measured lag of the machine is added. */
const TOLERANCE = 500;
const MOST_LAG = 300;
const TICK = 50;

/** How many programs run at the same time. They mostly wait. */
const AT_ONCE = 3 * availableParallelism();

/** Runs a program in each situation of a fixed plan. */
export async function drive(options: DriveOptions) {
  const driver = await createDriver(options);
  return driver.through(SITUATIONS.filter(({ id }) => options.situations?.includes(id) ?? true));
}

/** `through` runs the program in each situation of a plan, each with its own mock. */
export async function createDriver(options: DriveOptions) {
  const contract = await loadMockContract(options);
  return { contract, through: (plan: readonly Situation[]) => driveThrough(plan, options, contract) };
}

/** The situations run in parallel; the longest starts first. */
async function driveThrough(plan: readonly Situation[], options: DriveOptions, contract: Contract) {
  const failure = new AbortController();
  const signal = AbortSignal.any([options.signal, failure.signal]);
  const run = createRun({ ...options, signal }, contract);
  const waiting = plan.toSorted((a, b) => (b.seconds ?? 0) - (a.seconds ?? 0));
  const runs = new Map<Situation, Driven>();
  let announced = 0;
  /** Situations are reported in the order of the plan, even if a later one ends first. */
  const tell = (): void => {
    for (let next = plan[announced]; next !== undefined && runs.has(next); next = plan[announced]) {
      announced += 1;
      options.onSituation?.(next, announced, plan.length);
      for (const line of runs.get(next)?.lines ?? []) options.onLine?.(line);
    }
  };
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) {
      runs.set(next, await run(next));
      tell();
    }
  };
  // an error of one run would affect all runs: start no more
  const workers = Array.from({ length: AT_ONCE }, () => work().catch((error) => failure.abort(error)));
  await Promise.all(workers);
  if (failure.signal.aborted) throw failure.signal.reason;
  let sent = 0;
  const driven = plan.flatMap((situation): Driven[] => {
    const one = runs.get(situation);
    if (one === undefined) return [];
    const before = sent;
    sent += Math.max(0, ...one.recording.entries.map(({ seq }) => seq));
    const entries = one.recording.entries.map((entry) => ({ ...entry, seq: before + entry.seq }));
    const writes = one.writes.map((write) => ({ ...write, seq: before + write.seq }));
    return [{ ...one, writes, recording: { ...one.recording, entries } }];
  });
  return { driven, contract, interrupted: options.signal.aborted };
}

export function driveChecks(
  driven: readonly Driven[],
  { findings }: Pick<Audited, 'findings'>,
  { token }: Pick<Contract, 'token'>,
  prefix?: string,
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
      reason: `${isSilent ? `The program sent nothing to ${variablesOf(prefix).baseUrl}; it` : sent} ${endingText(ending)}.`,
      durationMs,
    };
  });
}

export function endingText(ending: Ending): string {
  switch (ending.kind) {
    case 'exited':
      return `exited with ${ending.code}`;
    case 'killed':
      return `was killed by ${ending.signal}`;
    case 'timeout':
      return 'was stopped because it took too long';
    case 'stopped':
      return 'was stopped';
  }
}

/** The exchanges of each run have their own numbers. */
function createRun(options: DriveOptions, contract: Contract): (situation: Situation) => Promise<Driven> {
  const credentials = { username: 'sandbox', password: `drive-${randomBytes(12).toString('hex')}` };
  const redactor = createRedactor({ secrets: [credentials.password], credentials: [credentials] });
  redactor.learnNames(secretNames(contract));
  const names = variablesOf(options.prefix);
  return async (situation) => {
    const startedAt = Date.now();
    const timers = monitorEventLoopDelay({ resolution: TICK });
    timers.enable();
    const loop = new AbortController();
    const entries: JournalEntry[] = [];
    const lines: string[] = [];
    const tokens = new Set<string>();
    const writes: Write[] = [];
    const keep = (entry: JournalEntry): void => {
      entries.push(entry);
      options.onEntry?.(entry, situation);
    };
    const writer = createJournalWriter((_, entry) => keep(entry), { redactor });
    const { evolver, mostExchanges = MOST_EXCHANGES } = situation;
    await using mock = await startMockBehind(evolver?.wrap ?? ((pipeline) => pipeline), {
      credentials,
      contract,
      // the program may request unknown ids
      stateless: situation.keepsState !== true,
      ...mockOptionsOf(situation),
      onExchange(exchange) {
        if (exchange.token !== null) tokens.add(exchange.token.value);
        const operation = contract.operation(exchange.operationId ?? '');
        if (operation !== undefined && operation.auth !== 'issues' && operation.effect !== 'read') {
          const { seq, acted = false } = exchange;
          const request = evolver?.restored(exchange.request) ?? exchange.request;
          writes.push({ seq, operationId: operation.operationId, acted, ...tellingOf(request, options.intentKey) });
        }
        writer.append(exchange);
        if (entries.length >= mostExchanges) loop.abort();
      },
    });
    situation.prepare?.(mock);
    const about = {
      cwd: options.cwd,
      env: {
        ...options.env,
        [names.baseUrl]: mock.url,
        [names.username]: credentials.username,
        [names.password]: credentials.password,
        ...(contract.token === null && { [names.token]: credentials.password }),
        [names.situation]: situation.id,
        [names.requests]: String(situation.requests),
      },
      timeout: (options.timeout ?? DEFAULT_TIMEOUT) * 1000,
      signal: AbortSignal.any([options.signal, loop.signal]),
    };
    try {
      const onLine = (line: string): unknown => lines.length < MOST_LINES && lines.push(line);
      const ending = await runProgram({ ...about, command: options.command, onLine });
      const claims = options.outcome === undefined ? [] : await claimsOf(options.outcome, about);
      // the mock has executed requests whose answers it still delays
      await mock.close();
      const endedAt = Date.now();
      const lag = timers.max / 1e6 - TICK;
      const recording = {
        entries: [...entries],
        callers: 'one',
        ...(ending.kind === 'exited' || ending.kind === 'killed' ? {} : { readAt: endedAt }),
        tolerance: TOLERANCE + Math.min(lag, MOST_LAG),
        situation: situation.title,
        ...(lines.length > 0 && { printed: printedSecrets(lines, credentials, tokens) }),
      } as const;
      const shown = lines.map((line) => redactor.text(line));
      writes.sort((a, b) => a.seq - b.seq);
      return { situation, ending, recording, claims, writes, durationMs: endedAt - startedAt, lines: shown };
    } finally {
      timers.disable();
    }
  };
}

/** Other lines are ignored: a command may print more. */
async function claimsOf(outcome: string, about: Omit<ProgramOptions, 'command' | 'onLine'>): Promise<Claim[]> {
  const lines: string[] = [];
  await runProgram({ ...about, command: [outcome], shell: true, onLine: (line) => lines.push(line) });
  return lines.flatMap((line): Claim[] => {
    const { intent, said } = Object(parseJson(line)) as Partial<Claim>;
    const isClaim = intent !== undefined && ['done', 'failed', 'unknown'].includes(said ?? '');
    return isClaim ? [{ intent: String(intent), said: said as Claim['said'] }] : [];
  });
}
