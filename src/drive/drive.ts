import { randomBytes } from 'node:crypto';
import type { Intent } from '../audit/attempts.ts';
import type { Recording } from '../audit/judge-caller.ts';
import { readSent } from '../audit/traffic.ts';
import type { Contract, OverlaySource } from '../contract/contract.ts';
import type { ContractFolder } from '../contract/folder.ts';
import { secretNames } from '../contract/secrets.ts';
import { createJournalWriter, type JournalEntry } from '../journal/write.ts';
import { startMock } from '../mock/start-mock.ts';
import { createRedactor } from '../redact/redact.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { type Ending, runProgram } from './run-program.ts';
import { SITUATIONS, type Situation, type SituationId } from './situations.ts';

export interface DriveOptions {
  /** The program and its arguments; run as it is, without a shell. */
  readonly command: readonly string[];
  /** Environment of the program, to which the address and the credentials are added. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Seconds for each situation; 30 by default. */
  readonly timeout?: number;
  /** The contract; the package's own by default. See `readContractFolder`. */
  readonly folder?: ContractFolder;
  readonly overlays?: readonly (string | OverlaySource)[];
  /** Only these situations, in the order of the plan; all by default. */
  readonly situations?: readonly SituationId[];
  readonly signal: AbortSignal;
  readonly onSituation?: (situation: Situation, number: number, of: number) => void;
  /** A line that the program printed, redacted. */
  readonly onLine?: (line: string) => void;
}

/** One situation that the program was put through. */
export interface Driven {
  readonly situation: Situation;
  readonly ending: Ending;
  readonly recording: Recording & { readonly entries: readonly JournalEntry[] };
  readonly durationMs: number;
}

export interface Drive {
  readonly driven: readonly Driven[];
  /** The contract that the mock served. */
  readonly contract: Contract | null;
  readonly interrupted: boolean;
}

const DEFAULT_TIMEOUT = 30;
/** A program that sends so much to make a handful of requests is in a loop; it has shown what there is to see. */
const MOST_EXCHANGES = 200;
/** On loopback and one clock. Milliseconds; longer by what the machine itself was late. */
const TOLERANCE = 500;
/** Of that lateness so much counts: what comes later is late by more than a busy machine. */
const MOST_LAG = 300;

/** So many situations that keep the machine busy run side by side; those that mostly wait all do. */
const BUSY_AT_ONCE = 2;

/** Puts a program through the fixed plan of situations, each with a mock of its own. Those that are not in each other's way run side by side. */
export async function drive(options: DriveOptions): Promise<Drive> {
  const plan = SITUATIONS.filter(({ id }) => options.situations?.includes(id) ?? true);
  const failure = new AbortController();
  const signal = AbortSignal.any([options.signal, failure.signal]);
  const run = createRun({ ...options, signal });
  const lane = createLane(BUSY_AT_ONCE);
  const results = await Promise.allSettled(
    plan.map(async (situation, index) => {
      const leave = situation.waits === true ? undefined : await lane.enter();
      try {
        if (signal.aborted) return undefined;
        options.onSituation?.(situation, index + 1, plan.length);
        return await run.one(situation);
      } catch (error) {
        // what stands in the way of one stands in the way of all
        failure.abort();
        throw error;
      } finally {
        leave?.();
      }
    }),
  );
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  const ran = results.flatMap((result) => (result.status === 'fulfilled' && result.value ? [result.value] : []));
  const contract = ran[0]?.contract ?? null;
  const driven = ran.map(({ situation, ending, entries, durationMs, endedAt, lag }): Driven => {
    const intent = contract === null ? undefined : intentOf(situation, ran, contract);
    return {
      situation,
      ending,
      durationMs,
      recording: {
        entries,
        callers: 'one',
        ...(ending.kind === 'exited' || ending.kind === 'killed' ? {} : { readAt: endedAt }),
        tolerance: TOLERANCE + Math.min(lag, MOST_LAG),
        situation: situation.title,
        ...(intent === undefined ? {} : { intent }),
      },
    };
  });
  return { driven, contract, interrupted: options.signal.aborted };
}

/** What came of one situation. */
interface Ran {
  readonly situation: Situation;
  readonly ending: Ending;
  readonly entries: readonly JournalEntry[];
  readonly durationMs: number;
  /** Milliseconds since the epoch. */
  readonly endedAt: number;
  /** Milliseconds by which a timer was late at most: how busy the machine was. */
  readonly lag: number;
  readonly contract: Contract;
}

/** Runs single situations, with credentials and a redactor that they share. */
function createRun(options: DriveOptions): { one(situation: Situation): Promise<Ran> } {
  const credentials = { username: 'sandbox', password: `drive-${randomBytes(12).toString('hex')}` };
  const redactor = createRedactor({ secrets: [credentials.password], credentials: [credentials] });
  let seq = 0;
  return {
    async one(situation) {
      const startedAt = Date.now();
      const meter = createLagMeter();
      const loop = new AbortController();
      const entries: JournalEntry[] = [];
      const writer = createJournalWriter((_, entry) => entries.push(entry), { redactor });
      await using mock = await startMock({
        credentials,
        ...(options.folder && { folder: options.folder }),
        overlays: options.overlays ?? [],
        // the program may ask for ids of its own
        stateless: true,
        ...(situation.lifetime === undefined ? {} : { tokenLifetime: situation.lifetime }),
        ...(situation.scenario === undefined ? {} : { scenarios: [situation.scenario] }),
      });
      const contract = await mock.contract();
      redactor.learnNames(secretNames(contract));
      situation.prepare?.(mock);
      const proxy = await startFaultProxy({
        mock,
        situation,
        contract,
        nextSeq: () => ++seq,
        onExchange(exchange) {
          writer.append(exchange);
          if (entries.length >= MOST_EXCHANGES) loop.abort();
        },
      });
      try {
        const ending = await runProgram({
          command: options.command,
          cwd: options.cwd,
          env: {
            ...options.env,
            BANKING_API_BASE_URL: proxy.url,
            BANKING_API_USERNAME: credentials.username,
            BANKING_API_PASSWORD: credentials.password,
            BANKING_API_SITUATION: situation.id,
            BANKING_API_REQUESTS: String(situation.requests),
          },
          timeout: (options.timeout ?? DEFAULT_TIMEOUT) * 1000,
          signal: AbortSignal.any([options.signal, loop.signal]),
          onLine: (line) => options.onLine?.(redactor.text(line)),
        });
        const endedAt = Date.now();
        const durationMs = endedAt - startedAt;
        return { situation, ending, entries, contract, endedAt, durationMs, lag: meter.most() };
      } finally {
        meter.stop();
        await proxy.close();
      }
    },
  };
}

/** Measures how late timers are. */
function createLagMeter(): { most(): number; stop(): void } {
  const every = 50;
  let most = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    most = Math.max(most, now - last - every);
    last = now;
  }, every);
  timer.unref();
  return { most: () => Math.round(most), stop: () => clearInterval(timer) };
}

/** Lets so many pass at once, in the order in which they came. */
function createLane(most: number): { enter(): Promise<() => void> } {
  const waiting: (() => void)[] = [];
  let inside = 0;
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) inside -= 1;
    else next();
  };
  return {
    async enter() {
      if (inside < most) inside += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return leave;
    },
  };
}

/** How often the program means to send each request, as it showed where nothing, or one 401, got in its way. */
function intentOf(situation: Situation, ran: readonly Ran[], contract: Contract): Intent | undefined {
  const model = ran.find((other) => other.situation.id === situation.like);
  if (model === undefined || model.ending.kind !== 'exited') return undefined;
  const calls = new Map<string, number>();
  const refused = new Set<string>();
  for (const { key, isTokenRequest, status } of readSent(model.entries, contract)) {
    if (isTokenRequest) continue;
    calls.set(key, (calls.get(key) ?? 0) + 1);
    if (status === 401) refused.add(key);
  }
  // what was sent again after its 401 was one call
  for (const key of refused) calls.set(key, Math.max(1, (calls.get(key) ?? 1) - 1));
  return { calls, recoverable: situation.recoverable ?? false };
}
