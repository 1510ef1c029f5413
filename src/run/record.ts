import type { Contract } from '../contract/contract.ts';
import { EXIT, type ExitCode } from '../errors.ts';
import { type JudgeLimits, judgeInSlices } from '../judge/judge.ts';
import { makeRecording, type Recording } from '../learn/recording.ts';
import { gather, type Sighting, sightingsOf } from '../learn/sightings.ts';
import { isGood } from '../model/call.ts';
import { again } from './confirm.ts';
import type { SuiteResult } from './engine.ts';
import type { VerifyOptions } from './options.ts';
import type { Session } from './session.ts';
import { conduct } from './verify.ts';

/** Options of {@link record}: those of a run, and what is learned of it. */
export interface RecordOptions extends VerifyOptions {
  /** Answers of each reading operation, the token endpoint among them; 3 by default. What changes something is called as often as `verify` does. */
  readonly samples?: number;
  /** Learn the words of fields that have few of them. */
  readonly enums?: boolean;
  /** Text of the recording that is recorded over. */
  readonly over?: string | undefined;
}

/** What came of a recording. */
export interface Recorded {
  /** Null where nothing beyond the token endpoint could be learned. */
  readonly recording: Recording | null;
  readonly target: { readonly kind: 'mock' | 'url'; readonly baseUrl: string };
  /** 0, 4 where nothing was learned, 130 where the run was interrupted. */
  readonly exitCode: ExitCode;
  /** Located operations that nothing was learned of, each with the reason. */
  readonly missed: readonly { readonly operationId: string; readonly reason: string }[];
  /** Documented facts that answers contradict: a recording does not say them otherwise, and `verify` reports them. */
  readonly contradicted: readonly { readonly operationId: string; readonly message: string }[];
}

const DEFAULT_SAMPLES = 3;

/**
 * Makes the calls that `verify` would make with the same options, and some more of the reads, and learns the shapes of the answers.
 * The effects policy, the budget and the breaker are those of a run.
 *
 * @throws ToolError as `verify` does.
 */
export async function record(options: RecordOptions = {}): Promise<Recorded> {
  return conduct(options, async (session, results, { interrupted, limits }) => {
    const samples = options.samples ?? DEFAULT_SAMPLES;
    if (!interrupted) await takeSamples(session, samples);
    const { contract, parameters, kind, baseUrl } = session.target;
    const values = new Set(Object.values(parameters));
    const recording = makeRecording(contract, gather(firstTokens(sightingsOf(session.calls), contract, samples)), {
      isValue: (key) => values.has(key) || session.redactor.text(key) !== key,
      enums: options.enums ?? false,
      over: options.over,
    });
    const learned = new Set(recording.actions.map(({ operationId }) => operationId));
    const token = contract.token?.operationId;
    const any = [...learned].some((operationId) => operationId !== token);
    const stopped = interrupted || options.signal?.aborted === true;
    const missed = contract.operations
      .filter(({ path, located, operationId }) => path !== null && located !== 'assumed' && !learned.has(operationId))
      .map(({ operationId }) => ({ operationId, reason: reasonOf(operationId, session, results, stopped) }));
    return {
      recording: any ? recording : null,
      target: { kind, baseUrl },
      exitCode: stopped ? EXIT.interrupted : any ? EXIT.agrees : EXIT.inconclusive,
      missed: missed.map(({ operationId, reason }) => ({ operationId, reason: session.redactor.text(reason) })),
      contradicted: await contradictionsIn(session, limits),
    };
  });
}

async function contradictionsIn(
  { target, calls, redactor }: Session,
  limits: JudgeLimits,
): Promise<Recorded['contradicted']> {
  const redact = (text: string): string => redactor.text(text);
  const { findings } = await judgeInSlices({ contract: target.contract, calls, redact }, limits);
  return findings
    .filter(({ severity, provenance }) => severity === 'error' && provenance === 'documented')
    .map(({ operationId, message }) => ({ operationId: operationId ?? '', message }));
}

/** Repeats the reads that were answered well until there are enough answers of each. Other calls are never repeated. */
async function takeSamples(session: Session, samples: number): Promise<void> {
  const good = session.calls.filter((call) => call.purpose === 'succeed' && call.checkId !== null && isGood(call));
  const repeats = [...Map.groupBy(good, ({ operationId }) => operationId).values()].flatMap((own) =>
    Array.from({ length: Math.max(0, samples - own.length) }, () => own[0] && again(session, own[0])),
  );
  await Promise.all(repeats);
}

/** How many tokens a run needs depends on their lifetime; what is learned of them does not. */
function* firstTokens(sightings: Iterable<Sighting>, { token }: Contract, most: number): Iterable<Sighting> {
  let tokens = 0;
  for (const sighting of sightings) {
    if (sighting.operationId === token?.operationId && sighting.status < 300) {
      tokens += 1;
      if (tokens > most) continue;
    }
    yield sighting;
  }
}

const INTERRUPTED = 'the run was interrupted';

/** Why nothing was learned of an operation. What an interrupted run had not come to says nothing of the operation. */
function reasonOf(operationId: string, session: Session, results: readonly SuiteResult[], stopped: boolean): string {
  const call = session.calls.findLast((one) => one.operationId === operationId && one.purpose === 'succeed');
  const last = call?.attempts.at(-1);
  if (stopped && last?.failure?.kind === 'aborted') return INTERRUPTED;
  if (call !== undefined) {
    const status = last?.response?.status;
    return call.notSent ?? (status === undefined ? (last?.failure?.message ?? 'no answer') : `answered ${status}`);
  }
  const skipped = results.find(({ check }) => check.operationId === operationId && check.skip !== null);
  const known = session.nothing ?? skipped?.check.skip ?? session.breaker.open;
  return known ?? (stopped ? INTERRUPTED : 'no check calls it');
}
