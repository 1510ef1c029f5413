import { type Circumstances, NOTHING_KNOWN } from '../contract/circumstances.ts';
import type { Contract } from '../contract/contract.ts';
import { limitGarbage } from '../garbage.ts';
import { type Call, finalAttempt } from '../model/call.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Finding } from '../model/finding.ts';
import { contentOf } from '../model/media.ts';
import { type Cause, causesOf, theOne } from './causes.ts';
import { classify, type Judgement } from './classify.ts';
import { walkFields } from './fields.ts';
import { fingerprint } from './fingerprint.ts';
import { inOrder } from './order.ts';
import { describedParts } from './responses.ts';
import { MOST_TOLD, type Observation, type Run, type Sample, severityOf } from './rule.ts';
import { RULES, type RuleId, ruleName } from './rules.ts';
import { createSchemas, type Schemas } from './schemas.ts';
import { textOfShape } from './shape-text.ts';

export interface JudgeOptions {
  readonly contract: Contract;
  readonly calls: readonly Call[];
  /** What is known of records beside the contract; nothing by default. */
  readonly circumstances?: Circumstances;
  /** Exchanges that match no operation of the contract. */
  readonly strays?: readonly Exchange[];
  /** Schemas of the same contract that were compiled before, for whoever judges many times. */
  readonly schemas?: Schemas;
  /** Masks what a target put into names of fields. */
  readonly redact: (text: string) => string;
  /** Observations that come from elsewhere than the exchanges. */
  readonly also?: readonly { readonly rule: RuleId; readonly observation: Observation }[];
}

export interface Judged {
  /** By operation in the order of the contract, then by rule and place: the same for the same traffic. */
  readonly findings: readonly Finding[];
  readonly judgements: ReadonlyMap<Call, Judgement>;
  readonly samples: readonly Sample[];
}

/** When judging ends early with what is known. */
export interface JudgeLimits {
  readonly signal?: AbortSignal;
  /** Milliseconds of the monotonic clock. */
  readonly until?: number;
}

/** Judges the raw exchanges of a run by every rule. Pure; nothing that was sent is in the findings. */
export function judge(options: JudgeOptions): Judged {
  const steps = judging(options, () => null);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Milliseconds for which the answers of an interrupted run are judged. */
const GRACE = 2_000;
/** Milliseconds between two pauses in which signals, timers and streams have their turn. */
const SLICE = 20;

/** The same in slices, so that a run can be interrupted and ends in time whatever a target sends. */
export async function judgeInSlices(options: JudgeOptions, limits: JudgeLimits = {}): Promise<Judged> {
  const { signal, until = Number.POSITIVE_INFINITY } = limits;
  // A run that was interrupted tells what it knew by then, as far as that can be judged at once.
  const late = signal?.aborted === true ? performance.now() + GRACE : null;
  const stopped = (): string | null => {
    const isInterrupted = late === null ? signal?.aborted === true : performance.now() > late;
    if (isInterrupted) return 'the run was interrupted before the answer was judged';
    return performance.now() > until ? 'the time of the run was up before the answer was judged' : null;
  };
  const steps = judging(options, stopped);
  for (let paused = performance.now(); ; ) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - paused < SLICE) continue;
    limitGarbage();
    await new Promise((resolve) => setImmediate(resolve));
    paused = performance.now();
  }
}

const PARTLY = `the answer differs in more than ${MOST_TOLD} places; the others are not told`;

/** @param stopped says why judging ends here, or null */
function* judging(options: JudgeOptions, stopped: () => string | null): Generator<void, Judged> {
  const { contract, calls } = options;
  for (const call of calls) {
    for (const attempt of call.attempts) contentOf(attempt);
    yield;
  }
  const judgements = classify(calls, contract);
  const samples = samplesOf(calls, contract);
  const run: Run = {
    contract,
    schemas: options.schemas ?? createSchemas(contract.document),
    circumstances: options.circumstances ?? NOTHING_KNOWN,
    calls,
    samples,
    strays: options.strays ?? [],
    judgements,
  };
  const seen = causesOf(run, options.also ?? []);
  let why = stopped();
  for (const _ of seen.steps) {
    yield;
    why = stopped();
    if (why !== null) break;
  }
  for (const sample of samples) {
    const reason = seen.judged.has(sample) ? (seen.partly.has(sample.exchange.seq) ? PARTLY : null) : why;
    if (reason !== null) judgements.set(sample.call, { kind: 'inconclusive', reason });
  }
  const findings: Finding[] = [];
  for (const cause of seen.causes.values()) {
    findings.push(withPresence(toFinding(cause, contract, options.redact), contract, samples));
    yield;
  }
  return { findings: inOrder(findings, contract), judgements, samples };
}

/** Good answers to calls that should succeed, each with its body read once. */
function samplesOf(calls: readonly Call[], contract: Contract): Sample[] {
  const samples: Sample[] = [];
  for (const call of calls) {
    const operation = contract.operation(call.operationId);
    const exchange = finalAttempt(call);
    const status = exchange?.response?.status;
    if (operation === undefined || exchange === undefined || status === undefined || status < 200 || status > 299)
      continue;
    if (call.purpose !== 'succeed' && call.purpose !== 'client') continue;
    const content = contentOf(exchange);
    if (content.kind !== 'html' && content.kind !== 'broken') {
      samples.push({ call, exchange, operation, status, content });
    }
  }
  return samples;
}

function toFinding(cause: Cause, contract: Contract, redact: (text: string) => string): Finding {
  const { times, exchanges } = cause;
  // By the contract's own name it is known to baselines, so that this is part of the fingerprint.
  const rule = ruleName(cause.rule, contract.folder);
  const seen = theOne(cause);
  const operation = seen.operationId === null ? undefined : contract.operation(seen.operationId);
  const provenance = seen.provenance ?? contract.provenanceOf(seen.source);
  const info = RULES[cause.rule];
  const place = contract.placeOf(seen.source);
  const clean: Observation = {
    ...seen,
    // Masked before it is cut: half of a secret would not be known as one.
    pointer: shown(seen.pointer, redact),
    expected: shown(seen.wanted ?? seen.expected, redact),
    actual: shown(seen.found === undefined ? seen.actual : textOfShape(seen.found), redact),
  };
  return {
    fingerprint: fingerprint({ rule, ...seen, ...seen.identity }),
    rule,
    severity: severityOf(info, provenance, operation),
    provenance,
    operationId: seen.operationId,
    method: operation?.method ?? seen.call?.method ?? null,
    path: operation?.path ?? (seen.call === undefined ? null : redact(seen.call.path)),
    pointer: clean.pointer,
    expected: clean.expected,
    actual: clean.actual,
    message: info.message(clean, operation),
    reference: referenceOf(seen.source, contract) ?? info.reference,
    occurrences: times,
    location:
      seen.source === '' || place.line === undefined
        ? null
        : { file: place.file, line: place.line, column: place.column ?? 1 },
    exchanges: [...exchanges].sort((a, b) => a - b),
  };
}

const LONGEST_TEXT = 300;

/** Longer texts than any secret that a run knows. */
const LONGEST_MASKED = 64 * 1024;

function shown(text: string, redact: (text: string) => string): string {
  const masked = redact(text.slice(0, LONGEST_MASKED));
  return masked.length > LONGEST_TEXT ? `${masked.slice(0, LONGEST_TEXT)}…` : masked;
}

/** `x-reference` of the contradicted part or of what it stands in. */
function referenceOf(source: string, contract: Contract): string | undefined {
  for (let pointer = source; pointer !== ''; pointer = pointer.slice(0, pointer.lastIndexOf('/'))) {
    const node = contract.at(pointer);
    if (typeof node !== 'object' || node === null || !('x-reference' in node)) continue;
    const reference = node['x-reference'];
    if (typeof reference === 'string') return `API reference, ${reference}`;
  }
  return undefined;
}

/**
 * Says with numbers where a field that was always there when it was recorded is now there in some places only: that it has become
 * optional is another change than that it has gone. The numbers are no part of the fingerprint.
 */
function withPresence(finding: Finding, contract: Contract, samples: readonly Sample[]): Finding {
  if (finding.rule !== 'required-missing' || finding.provenance !== 'observed') return finding;
  const { operationId, pointer } = finding;
  let seen = 0;
  let of = 0;
  for (const sample of samples) {
    if (sample.operation.operationId !== operationId) continue;
    const last = describedParts(contract, sample).at(-1);
    if (last === undefined) continue;
    walkFields(contract, last.schema, last.value, last.at, {
      known(place, _, present) {
        if (place !== pointer) return;
        of += 1;
        if (present) seen += 1;
      },
    });
  }
  if (seen === 0) return finding;
  const message = `${pointer} was always there when it was recorded; now it is there in ${seen} of ${of} places.`;
  return { ...finding, message };
}
