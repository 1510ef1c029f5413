import type { Contract } from '../contract/contract.ts';
import { EXIT, type ExitCode } from '../errors.ts';
import { judgeInSlices } from '../judge/judge.ts';
import { type Convergence, type ConvergenceTracker, trackConvergence } from '../learn/convergence.ts';
import { learnableCalls } from '../learn/learnable-calls.ts';
import { knowing } from '../learn/load-merged.ts';
import { makeRecording, type Recording, type RecordingOptions } from '../learn/recording.ts';
import { gather, sightingIn, sightingsOf } from '../learn/sightings.ts';
import { type Call, finalAttempt, isGood } from '../model/call.ts';
import { reasonText } from '../model/reason.ts';
import { callAgain } from './confirm.ts';
import type { VerifyOptions } from './options.ts';
import type { FinishedRun } from './report.ts';
import type { Session } from './session.ts';
import { conduct } from './verify.ts';

export interface RecordOptions extends VerifyOptions {
  /**
   * Answers per read, including the token endpoint. By default, reads repeat until an answer brings nothing new.
   * Writes are called as often as `verify` calls them.
   */
  readonly samples?: number;
  /** Learn the values of fields that have only a few. */
  readonly enums?: boolean;
  /** Text of the earlier recording, into which new answers are merged. */
  readonly over?: string | undefined;
  /** Discard the knowledge of the earlier recording. */
  readonly fresh?: boolean;
}

export interface Recorded {
  /** Null if nothing beyond the token endpoint could be learned. */
  readonly recording: Recording | null;
  readonly target: { readonly kind: 'mock' | 'url'; readonly baseUrl: string };
  /** 0; 4 if nothing was learned; 130 if the run was interrupted. */
  readonly exitCode: ExitCode;
  /** Operations that answered well, even if nothing was learned. */
  readonly answered: readonly string[];
  /** Located operations without learned answers, each with the reason. */
  readonly missed: readonly { readonly operationId: string; readonly reason: string }[];
  /** How far each operation that answered has converged, in contract order. */
  readonly convergences: readonly (Convergence & { readonly operationId: string })[];
  /** Operations with answers that were discarded because they came from elsewhere, each with the reason. */
  readonly leftOut: readonly { readonly operationId: string; readonly reason: string }[];
  /** Documented facts that answers contradict. A recording does not override them, and `verify` reports them. */
  readonly contradicted: readonly { readonly operationId: string; readonly message: string }[];
}

/**
 * Makes the calls of `verify` with the same options, repeats some reads, and learns the shapes of the answers.
 * The effects policy, the budget and the breaker are the same as in a run.
 *
 * @throws ToolError as `verify` does
 */
export async function record(options: RecordOptions = {}): Promise<Recorded> {
  return conduct(options, (run) => learn(run, options));
}

/** Repeats some reads, then learns from the run. */
export async function learn(run: FinishedRun, options: RecordOptions): Promise<Recorded> {
  const { session, limits } = run;
  const { target, calls, redact, signal } = session;
  const { contract, kind, baseUrl } = target;
  const convergences = signal.aborted ? new Map<string, Convergence>() : await takeSamples(session, options.samples);
  const learnable = learnableCalls(calls, await knowing(options.over, options, contract));
  const recording = recordingOf(session, firstTokens(learnable.calls, contract, options.samples ?? TOKENS), {
    enums: options.enums ?? false,
    over: options.over,
    // An interrupted run may have missed operations, so it discards nothing.
    fresh: options.fresh === true && !signal.aborted,
    kept: learnable.unanswered,
  });
  const learned = new Set(recording.actions.map(({ operationId }) => operationId));
  const any = hasShapes(recording, contract);
  const missed = contract.operations
    .filter(({ path, located, operationId }) => path !== null && located !== 'assumed' && !learned.has(operationId))
    .map(({ operationId }) => ({ operationId, reason: redact(whyNothingOf(operationId, run)) }));
  const { findings } = await judgeInSlices({ contract, calls, redact }, limits);
  return {
    recording: any ? recording : null,
    target: { kind, baseUrl },
    exitCode: signal.aborted ? EXIT.interrupted : any ? EXIT.agrees : EXIT.inconclusive,
    answered: [...convergences.keys()],
    missed,
    convergences: contract.operations.flatMap(({ operationId }) => {
      const convergence = convergences.get(operationId);
      // The token endpoint's answer is standard, so its convergence does not matter.
      const isTold = operationId !== contract.token?.operationId && learned.has(operationId);
      return isTold && convergence !== undefined ? [{ operationId, ...convergence }] : [];
    }),
    leftOut: [...learnable.leftOut].map(([operationId, reason]) => ({ operationId, reason: redact(reason) })),
    contradicted: findings
      .filter(({ severity, provenance }) => severity === 'error' && provenance === 'documented')
      .map(({ operationId, message }) => ({ operationId: operationId ?? '', message })),
  };
}

export function recordingOf(
  { target, redact }: Session,
  calls: readonly Call[],
  options: Omit<RecordingOptions, 'isValue'>,
): Recording {
  // Ids of the run, and keys that redaction would change, are no names of fields.
  const found = target.contract.operations.flatMap((operation) => Object.values(target.filled(operation)));
  const values = new Set([...Object.values(target.parameters), ...found]);
  const isValue = (key: string): boolean => values.has(key) || redact(key) !== key;
  return makeRecording(target.contract, gather(sightingsOf(calls)), { ...options, isValue });
}

/** True if something beyond the token endpoint was learned. */
export function hasShapes({ actions }: Recording, { token }: Contract): boolean {
  return actions.some(({ operationId }) => operationId !== token?.operationId);
}

/** All calls, but at most `most` good token requests. Their number depends on the lifetime of the tokens. */
function firstTokens(calls: readonly Call[], { token }: Contract, most: number): Call[] {
  const tokens = calls.filter(
    (call) => call.operationId === token?.operationId && call.purpose === 'succeed' && isGood(call),
  );
  const rest = new Set(tokens.slice(most));
  return calls.filter((call) => !rest.has(call));
}

const INTERRUPTED = 'the run was interrupted';

/** Why nothing was learned about an operation. An interruption only counts if the run did not reach the operation. */
function whyNothingOf(operationId: string, { session, results }: FinishedRun): string {
  const { calls, signal, nothing, breaker } = session;
  const call = calls.findLast((one) => one.operationId === operationId && one.purpose === 'succeed');
  const last = call?.attempts.at(-1);
  if (signal.aborted && last?.failure?.kind === 'aborted') return INTERRUPTED;
  if (call !== undefined) {
    const status = last?.response?.status;
    if (status === 401 && session.tokenVariable !== undefined)
      return reasonText({ kind: 'token-not-accepted', service: '', variable: session.tokenVariable });
    return call.notSent ?? (status === undefined ? (last?.failure?.message ?? 'no answer') : `answered ${status}`);
  }
  const skipped = results.find(({ check }) => check.operationId === operationId && check.skip !== null);
  const reason = nothing ?? skipped?.check.skip;
  return reason ? reasonText(reason) : (breaker.open ?? (signal.aborted ? INTERRUPTED : 'no check calls it'));
}

/** Most answers of one read, if `samples` is not set. */
const MOST = 60;
/** After this many failures, an operation that worked before is not repeated. */
const MOST_FAILURES = 3;
/** Token requests. The answer is standard, and some endpoints count requests. */
const TOKENS = 3;

/**
 * Repeats reads that were answered well: `samples` times, or until nothing new appears. Other calls are never repeated.
 * Resolves to the convergence of each operation that answered.
 */
async function takeSamples(session: Session, samples: number | undefined): Promise<Map<string, Convergence>> {
  const good = session.calls.filter((call) => call.purpose === 'succeed' && call.checkId !== null && isGood(call));
  const rounds = Map.groupBy(good, ({ operationId }) => operationId)
    .entries()
    .map(async ([operationId, own]): Promise<[string, Convergence]> => {
      const isToken = operationId === session.target.contract.token?.operationId;
      const most = samples ?? (isToken ? TOKENS : MOST);
      const isFixed = samples !== undefined || isToken;
      const convergence = trackConvergence();
      for (const call of own) show(convergence, call);
      // Different parameters name different records.
      const different = [...new Map(own.map((call) => [requestOf(call), call])).values()];
      let failures = 0;
      while (convergence.answers < most && failures < MOST_FAILURES && (isFixed || !convergence.settled)) {
        const next = different[convergence.answers % different.length];
        const call = next && (await callAgain(session, next));
        if (call == null) break;
        if (!isGood(call) || !show(convergence, call)) failures += 1;
      }
      return [operationId, convergence];
    });
  return new Map(await Promise.all(rounds));
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
