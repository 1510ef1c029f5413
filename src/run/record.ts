import type { Contract } from '../contract/contract.ts';
import { EXIT, type ExitCode } from '../errors.ts';
import { judgeInSlices } from '../judge/judge.ts';
import { type Convergence, type ConvergenceTracker, trackConvergence } from '../learn/convergence.ts';
import { type LearnableCalls, learnableCalls } from '../learn/learnable-calls.ts';
import { knowing, makeRecording, type Recording } from '../learn/recording.ts';
import { gather, type Sighting, type Sightings, sightingIn, sightingsOf } from '../learn/sightings.ts';
import { type Call, finalAttempt, isGood } from '../model/call.ts';
import { reasonText } from '../model/reason.ts';
import type { Report } from '../model/report.ts';
import { callAgain } from './confirm.ts';
import type { VerifyOptions } from './options.ts';
import { type FinishedRun, reportOf, unbegun } from './report.ts';
import type { Session } from './session.ts';
import { conduct } from './verify.ts';

export interface RecordOptions extends VerifyOptions {
  /**
   * Answers of each reading operation, the token endpoint among them; by default as many as it takes until nothing new is seen.
   * What changes something is called as often as `verify` does.
   */
  readonly samples?: number;
  /** Learn the words of fields that have few of them. */
  readonly enums?: boolean;
  /** Text of the recording that is recorded over: what it knows is united with what is seen. */
  readonly over?: string | undefined;
  /** Forget what it knows. */
  readonly fresh?: boolean;
}

export interface Recorded {
  /** Null where nothing beyond the token endpoint could be learned. */
  readonly recording: Recording | null;
  readonly target: { readonly kind: 'mock' | 'url'; readonly baseUrl: string };
  /** 0, 4 where nothing was learned, 130 where the run was interrupted. */
  readonly exitCode: ExitCode;
  /** Located operations that nothing was learned of, each with the reason. */
  readonly missed: readonly { readonly operationId: string; readonly reason: string }[];
  /** How far each operation that answered has settled, in the order of the contract. */
  readonly convergences: readonly (Convergence & { readonly operationId: string })[];
  /** Operations of which answers were left out because they were none of theirs, each with the reason. */
  readonly leftOut: readonly { readonly operationId: string; readonly reason: string }[];
  /** Documented facts that answers contradict: a recording does not say them otherwise, and `verify` reports them. */
  readonly contradicted: readonly { readonly operationId: string; readonly message: string }[];
}

/**
 * Makes the calls that `verify` would make with the same options, and some more of the reads, and learns the shapes of the answers.
 * The effects policy, the budget and the breaker are those of a run.
 *
 * @throws ToolError as `verify` does.
 */
export async function record(options: RecordOptions = {}): Promise<Recorded> {
  return conduct(options, (run) => learn(run, options));
}

/** Learns from a run, after some more reads. */
export async function learn(run: FinishedRun, options: RecordOptions): Promise<Recorded> {
  const { session, limits } = run;
  const { target, calls, redact, signal } = session;
  const { contract, kind, baseUrl } = target;
  const convergences = signal.aborted ? new Map<string, Convergence>() : await takeSamples(session, options.samples);
  const learnable = learnableCalls(calls, await knowing(options.over, options, contract));
  const recording = makeRecording(contract, sightingsIn(learnable, contract, options.samples ?? TOKENS), {
    isValue: isValueIn(session),
    enums: options.enums ?? false,
    over: options.over,
    // An interrupted run has not come to everything, and forgets nothing.
    fresh: options.fresh === true && !signal.aborted,
    kept: learnable.unanswered,
  });
  const learned = new Set(recording.actions.map(({ operationId }) => operationId));
  const any = [...learned].some((operationId) => operationId !== contract.token?.operationId);
  const missed = contract.operations
    .filter(({ path, located, operationId }) => path !== null && located !== 'assumed' && !learned.has(operationId))
    .map(({ operationId }) => ({ operationId, reason: redact(whyNothingOf(operationId, run)) }));
  const { findings } = await judgeInSlices({ contract, calls, redact }, limits);
  return {
    recording: any ? recording : null,
    target: { kind, baseUrl },
    exitCode: signal.aborted ? EXIT.interrupted : any ? EXIT.agrees : EXIT.inconclusive,
    missed,
    convergences: contract.operations.flatMap(({ operationId }) => {
      const convergence = convergences.get(operationId);
      // What is in the answer of the token endpoint is standard; nothing waits to be seen there.
      if (convergence === undefined || operationId === contract.token?.operationId || !learned.has(operationId))
        return [];
      const { answers, different, quiet, settled } = convergence;
      return [{ operationId, answers, different, quiet, settled }];
    }),
    leftOut: [...learnable.leftOut].map(([operationId, reason]) => ({ operationId, reason: redact(reason) })),
    contradicted: findings
      .filter(({ severity, provenance }) => severity === 'error' && provenance === 'documented')
      .map(({ operationId, message }) => ({ operationId: operationId ?? '', message })),
  };
}

function sightingsIn({ calls }: Pick<LearnableCalls, 'calls'>, contract: Contract, tokens: number): Sightings {
  return gather(firstTokens(sightingsOf(calls), contract, tokens));
}

/** True of a key that is an id of the run, or that redaction would change. */
function isValueIn({ target, redact }: Session): (key: string) => boolean {
  const values = new Set(Object.values(target.parameters));
  return (key) => values.has(key) || redact(key) !== key;
}

/** All sightings, with so many tokens at most: how many a run needs depends on their lifetime, and what is learned of them does not. */
function firstTokens(sightings: Iterable<Sighting>, { token }: Contract, most: number): Iterable<Sighting> {
  let left = most;
  return Iterator.from(sightings).filter(({ operationId, status }) => {
    if (operationId !== token?.operationId || status >= 300) return true;
    left -= 1;
    return left >= 0;
  });
}

const INTERRUPTED = 'the run was interrupted';

/** Why nothing was learned of an operation. What an interrupted run had not come to says nothing of the operation. */
function whyNothingOf(operationId: string, { session, results }: FinishedRun): string {
  const { calls, signal, nothing, breaker } = session;
  const call = calls.findLast((one) => one.operationId === operationId && one.purpose === 'succeed');
  const last = call?.attempts.at(-1);
  if (signal.aborted && last?.failure?.kind === 'aborted') return INTERRUPTED;
  if (call !== undefined) {
    const status = last?.response?.status;
    return call.notSent ?? (status === undefined ? (last?.failure?.message ?? 'no answer') : `answered ${status}`);
  }
  const skipped = results.find(({ check }) => check.operationId === operationId && check.skip !== null);
  const reason = nothing ?? skipped?.check.skip;
  return reason ? reasonText(reason) : (breaker.open ?? (signal.aborted ? INTERRUPTED : 'no check calls it'));
}

export interface LearnOptions extends VerifyOptions {
  /** Text of the recording that the target is held to; absent where there is none yet. */
  readonly over?: string | undefined;
  /** Texts of further recordings whose knowledge is united with it. */
  readonly beside?: readonly string[];
}

export interface Learned {
  readonly report: Report;
  /** Null where the target did not agree, or nothing beyond the token endpoint was seen. */
  readonly recording: Recording | null;
}

/** Runs `verify` and unites what a green run saw with a recording. A run with drift, or without a verdict, teaches nothing. */
export async function verifyAndLearn(options: LearnOptions): Promise<Learned> {
  const startedAt = (options.clock ?? Date.now)();
  return conduct(options, async (run) => {
    const report = await reportOf(run, startedAt);
    if (report.exitCode !== EXIT.agrees) return { report, recording: null };
    const { session } = run;
    const { contract } = session.target;
    const { over, beside = [] } = options;
    const sightings = sightingsIn(learnableCalls(session.calls, contract), contract, Number.POSITIVE_INFINITY);
    const recording = makeRecording(contract, sightings, { isValue: isValueIn(session), over, beside });
    const isTelling = recording.actions.some(({ operationId }) => operationId !== contract.token?.operationId);
    return { report, recording: isTelling ? recording : null };
  }).catch((thrown) => ({ report: unbegun(thrown, options, startedAt), recording: null }));
}

/** Answers of one read at most, where nobody says how many. */
const MOST = 60;
/** What answered before and fails so often now is left at what is known of it. */
const MOST_FAILURES = 3;
/** Tokens: what is in the answer is standard, and some endpoints count how often they are asked. */
const TOKENS = 3;

/**
 * Repeats the reads that were answered well: so many times, or until nothing new comes. Other calls are never repeated.
 * Resolves to the convergence of each operation that answered.
 */
async function takeSamples(session: Session, samples: number | undefined): Promise<Map<string, Convergence>> {
  const good = session.calls.filter((call) => call.purpose === 'succeed' && call.checkId !== null && isGood(call));
  const convergences = new Map<string, Convergence>();
  const rounds = Map.groupBy(good, ({ operationId }) => operationId)
    .entries()
    .map(([operationId, own]) => {
      const convergence = trackConvergence();
      convergences.set(operationId, convergence);
      for (const call of own) show(convergence, call);
      const isToken = operationId === session.target.contract.token?.operationId;
      const most = samples ?? (isToken ? TOKENS : MOST);
      return askOn(session, own, { convergence, most, isFixed: samples !== undefined || isToken });
    });
  await Promise.all(rounds);
  return convergences;
}

async function askOn(
  session: Session,
  own: readonly Call[],
  {
    convergence,
    most,
    isFixed,
  }: { readonly convergence: ConvergenceTracker; readonly most: number; readonly isFixed: boolean },
): Promise<void> {
  // Other parameters are other records.
  const different = [...new Map(own.map((call) => [requestOf(call), call])).values()];
  let failures = 0;
  while (convergence.answers < most && failures < MOST_FAILURES && (isFixed || !convergence.settled)) {
    const next = different[convergence.answers % different.length];
    const call = next && (await callAgain(session, next));
    if (call == null) return;
    if (!isGood(call) || !show(convergence, call)) failures += 1;
  }
}

function show(convergence: ConvergenceTracker, call: Call): boolean {
  const sighting = sightingIn(call);
  if (sighting !== null) convergence.add(sighting, requestOf(call));
  return sighting !== null;
}

function requestOf(call: Call): string {
  const { method, target, body } = finalAttempt(call)?.request ?? { method: '', target: '', body: null };
  return `${method} ${target} ${Buffer.from(body ?? []).toString('base64')}`;
}
