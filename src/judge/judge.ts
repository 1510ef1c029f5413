import { type Circumstances, NOTHING_KNOWN } from '../contract/conditions.ts';
import type { Contract, ResponseSpec } from '../contract/contract.ts';
import { atOnce, inSlices, interruptionOf } from '../contract/time-slices.ts';
import { type Call, finalAttempt, mustBeRefused } from '../model/call.ts';
import { type Exchange, is2xx } from '../model/exchange.ts';
import type { Finding } from '../model/finding.ts';
import { contentOf } from '../model/media.ts';
import { flawOf } from '../model/mock-answer.ts';
import type { Reason } from '../model/reason.ts';
import { remembered } from '../schema/schema-document.ts';
import { comparedBy } from './comparable.ts';
import { Causes, inOrder } from './findings.ts';
import { inconclusive, type Judgement, type Rejection } from './judgement.ts';
import { classify } from './outage/classify.ts';
import { foreignAnswers } from './outage/foreign.ts';
import { refusals } from './outage/refusal.ts';
import { isLarge } from './responses.ts';
import {
  MOST_TOLD,
  type Observed,
  type Occasion,
  placeOf,
  type Run,
  type Sample,
  type StatedSeverity,
} from './rule.ts';
import { ALL_RULES } from './rules.ts';
import { createSchemas, type Schemas } from './schemas.ts';

export interface JudgeOptions {
  readonly contract: Contract;
  readonly calls: readonly Call[];
  readonly circumstances?: Circumstances;
  readonly strays?: readonly Exchange[];
  readonly schemas?: Schemas;
  readonly redact: (text: string) => string;
  readonly also?: readonly Observed[];
  readonly occasion?: Occasion;
  /** Names of the parameters whose ids the target did not know in earlier nights either. */
  readonly idsGone?: readonly string[];
  /** Operations that earlier nights could not settle either. */
  readonly unsettled?: readonly string[];
  /** By rule name. Applies only to findings with the provenance `observed`. */
  readonly severities?: Readonly<Record<string, StatedSeverity>>;
}

export interface Judged {
  /** By operation in contract order, then by rule and place. The same traffic gives the same order. */
  readonly findings: readonly Finding[];
  /** How often each exchange shows a finding, by fingerprint and exchange number. */
  readonly times: ReadonlyMap<string, ReadonlyMap<number, number>>;
  readonly judgements: ReadonlyMap<Call, Judgement>;
  readonly refusals: ReadonlyMap<Call, Rejection>;
  readonly samples: readonly Sample[];
}

export interface JudgeLimits {
  readonly signal?: AbortSignal;
  /** Milliseconds of the monotonic clock. */
  readonly until?: number;
}

export function judge(options: JudgeOptions): Judged {
  return atOnce(judging(options, () => null));
}

/** Judges in slices, so that a run can be interrupted and ends in time, regardless of the answers. */
export async function judgeInSlices(options: JudgeOptions, limits: JudgeLimits = {}): Promise<Judged> {
  const { signal, until = Number.POSITIVE_INFINITY } = limits;
  // If the run is already interrupted, judging still gets a short grace period.
  const isInterrupted = interruptionOf(signal);
  const stopped = (): string | null => {
    if (isInterrupted()) return 'the run was interrupted before the answer was judged';
    return performance.now() > until ? 'the time of the run was up before the answer was judged' : null;
  };
  let why = stopped();
  return inSlices(
    judging(options, () => why),
    () => {
      why = stopped();
    },
  );
}

const PARTLY = `the answer differs in more than ${MOST_TOLD} places; the rest is not reported`;

const NOTHING = 'nothing to compare';
const NONE: Reason = { kind: 'nothing-to-compare' };

const schemasOf = remembered((contract: Contract) => createSchemas(contract));

/** @param stopped returns why judging ends here, or null */
function* judging(options: JudgeOptions, stopped: () => string | null): Generator<void, Judged> {
  const { contract, calls, redact, occasion = 'live' } = options;
  for (const call of calls) {
    for (const attempt of call.attempts) contentOf(attempt);
    yield;
  }
  // a comparison sends no requests: its answers have no bodies that could be alike
  const foreign = occasion === 'diff' ? new Map<Call, Reason>() : foreignAnswers(calls, contract, { redact });
  const judgements = classify(calls, contract, foreign, redact);
  for (const [call, judgement] of judgements) {
    if (judgement.kind !== 'inconclusive') continue;
    const { why } = judgement;
    const isGone = why.kind === 'ids-gone' && why.names.some((name) => options.idsGone?.includes(name));
    const isUnsettled = why.kind === 'unsettled' && options.unsettled?.includes(call.operationId);
    if (isGone || isUnsettled) judgements.set(call, { kind: why.kind, why } as Judgement);
  }
  const samples = samplesOf(calls, contract, foreign);
  const run: Run = {
    contract,
    schemas: options.schemas ?? schemasOf(contract),
    circumstances: options.circumstances ?? NOTHING_KNOWN,
    calls,
    samples,
    strays: options.strays ?? [],
    judgements,
    refusals: refusals(calls, contract, foreign),
    occasion,
  };
  const causes = new Causes();
  // No limit, because no target sends these.
  for (const observed of options.also ?? []) {
    causes.add(observed, Number.POSITIVE_INFINITY);
    yield;
  }
  const unjudged = new Set(samples);
  const compared = new Map<Sample, ReturnType<typeof comparedBy>>();
  let why = stopped();
  for (const sample of applyRules(run, causes)) {
    if (sample !== null) {
      unjudged.delete(sample);
      if (occasion === 'live') compared.set(sample, comparedBy(contract, sample));
    }
    yield;
    why = stopped();
    if (why !== null) break;
  }
  for (const sample of samples) {
    const reason = unjudged.has(sample) ? why : causes.partly.has(sample.exchange.seq) ? PARTLY : null;
    if (reason !== null) judgements.set(sample.call, inconclusive({ kind: 'stated', text: reason }));
  }
  const loud = causes.loud();
  for (const [sample, places] of compared) {
    const judgement = judgements.get(sample.call);
    if (judgement?.kind !== 'good' || places === 'some' || loud.has(sample.exchange.seq)) continue;
    const note = judgement.note === '' ? NOTHING : `${NOTHING}; ${judgement.note}`;
    if (places === 'nothing') judgements.set(sample.call, { kind: 'good', note });
    else judgements.set(sample.call, { kind: 'inconclusive', why: NONE });
  }
  const asked = Map.groupBy(samples, ({ operation }) => operation);
  for (const { observation, exchanges } of occasion === 'live' ? causes.unconfirmed() : []) {
    const sample = samples.find(({ exchange }) => exchanges.has(exchange.seq));
    // other answers of the operation are as recorded
    if (sample === undefined || (asked.get(sample.operation)?.length ?? 0) > 1) continue;
    const reason = `${placeOf(observation)} is not ${observation.expected}, once; it could not be asked again`;
    if (judgements.get(sample.call)?.kind === 'good')
      judgements.set(sample.call, inconclusive({ kind: 'stated', text: reason }));
  }
  const findings: Finding[] = [];
  const times = new Map<string, ReadonlyMap<number, number>>();
  for (const reported of causes.findings(run, redact)) {
    findings.push(graded(reported.finding, options.severities?.[reported.finding.rule]));
    times.set(reported.finding.fingerprint, reported.times);
    yield;
  }
  return { findings: inOrder(findings, contract), times, judgements, refusals: run.refusals, samples };
}

function graded(finding: Finding, stated: StatedSeverity | undefined): Finding {
  const { severity: own, provenance, message } = finding;
  if (stated === undefined || provenance !== 'observed' || stated.severity === own) return finding;
  const { severity, reason } = stated;
  return { ...finding, severity, message: `${message} The configuration makes it ${severity}, not ${own}: ${reason}` };
}

/** Yields an answer when all rules have judged it, else null. */
function* applyRules(run: Run, causes: Causes): Iterable<Sample | null> {
  const rules = ALL_RULES.filter(({ judges }) => judges.includes(run.occasion));
  for (const rule of rules) {
    if (rule.of !== 'run') continue;
    for (const observation of rule.judge(run)) causes.add({ rule, observation });
    yield null;
  }
  for (const sample of run.samples) {
    const inSteps = isLarge(sample);
    for (const rule of rules) {
      if (rule.of !== 'answer') continue;
      for (const observation of rule.judge(sample, run)) causes.add({ rule, observation });
      if (inSteps) yield null;
    }
    yield sample;
  }
}

function samplesOf(calls: readonly Call[], contract: Contract, foreign: ReadonlyMap<Call, Reason>): Sample[] {
  const samples: Sample[] = [];
  for (const call of calls) {
    const operation = contract.operation(call.operationId);
    const exchange = finalAttempt(call);
    const response = exchange?.response;
    if (operation === undefined || exchange === undefined || response == null || !is2xx(response.status)) continue;
    if (mustBeRefused(call) || foreign.has(call) || flawOf(response) !== null) continue;
    const { status } = response;
    const content = contentOf(exchange);
    if (content.kind !== 'html' && content.kind !== 'broken') {
      samples.push({ call, exchange, operation, status, content });
    }
  }
  return samples;
}

/**
 * Assumptions of the mock that the answers of a real target refute: infos that name the line of the overlay to change.
 * Excludes recorded operations, and places that already have a warning or an error.
 *
 * @param options input of the first judgement
 * @param found findings of the first judgement
 */
export async function refutedAssumptions(
  options: Pick<JudgeOptions, 'contract' | 'calls' | 'redact'>,
  assumptions: Contract,
  found: readonly Finding[],
  limits: JudgeLimits = {},
): Promise<Finding[]> {
  const { contract, redact } = options;
  const reported = new Set(
    found
      .filter(({ severity }) => severity !== 'info')
      .flatMap(({ parts, ...one }) => parts?.map(spotOf) ?? spotOf(one)),
  );
  const isRecorded = ({ status, pointer }: ResponseSpec): boolean =>
    status.startsWith('2') && contract.provenanceOf(pointer) === 'observed';
  const foreign = foreignAnswers(options.calls, contract);
  const calls = options.calls.filter(
    (call) =>
      !foreign.has(call) &&
      contract.operation(call.operationId)?.responses.some(isRecorded) !== true &&
      !contract.notices.some(({ unwatched }) => unwatched?.includes(call.operationId)),
  );
  const { findings } = await judgeInSlices({ contract: assumptions, calls, redact, occasion: 'assumptions' }, limits);
  return findings
    .filter((finding) => finding.provenance === 'assumed' && !reported.has(spotOf(finding)))
    .map(withAdvice);
}

function spotOf({ operationId, pointer }: Pick<Finding, 'operationId' | 'pointer'>): string {
  return `${operationId}\n${pointer}`;
}

function withAdvice(finding: Finding): Finding {
  const { location, message } = finding;
  const line = location === null ? 'its overlay' : `${location.file}:${location.line}`;
  return { ...finding, message: `${message} The mock assumes otherwise: change ${line}, or record the target.` };
}
