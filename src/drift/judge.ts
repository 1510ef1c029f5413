import type { Exchange } from '../http/exchange.ts';
import { type Circumstances, NOTHING_KNOWN } from '../spec/circumstances.ts';
import type { Contract } from '../spec/contract.ts';
import { type Call, finalAttempt } from './call.ts';
import { classify, type Judgement } from './classify.ts';
import { walkFields } from './fields.ts';
import type { Finding } from './finding.ts';
import { fingerprint } from './fingerprint.ts';
import { contentOf } from './media.ts';
import { inOrder } from './order.ts';
import { createShape, merge } from './record/shape.ts';
import { describedParts } from './responses.ts';
import { type Observation, type Run, type Sample, severityOf } from './rule.ts';
import { RULE_IDS, RULES, type RuleId, ruleName } from './rules.ts';
import { createSchemas, type Schemas } from './schemas.ts';
import { textOfShape, typesOfShape } from './shape-text.ts';

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

/** Judges the raw exchanges of a run by every rule. Pure; nothing that was sent is in the findings. */
export function judge(options: JudgeOptions): Judged {
  const { contract, calls } = options;
  const judgements = classify(calls, contract);
  const samples = samplesOf(calls, contract);
  const schemas = options.schemas ?? createSchemas(contract.document);
  const run: Run = {
    contract,
    schemas,
    circumstances: options.circumstances ?? NOTHING_KNOWN,
    calls,
    samples,
    strays: options.strays ?? [],
    judgements,
  };
  const findings = causesOf(run, options.also ?? [])
    .map((cause) => toFinding(cause, contract, options.redact))
    .map((finding) => withPresence(finding, contract, samples));
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
  const { observations } = cause;
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
    pointer: shortened(redact(seen.pointer)),
    expected: shortened(redact(seen.wanted ?? seen.expected)),
    actual: shortened(redact(seen.found === undefined ? seen.actual : textOfShape(seen.found))),
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
    occurrences: observations.length,
    location:
      seen.source === '' || place.line === undefined
        ? null
        : { file: place.file, line: place.line, column: place.column ?? 1 },
    exchanges: [...new Set(observations.flatMap(({ exchanges }) => exchanges))].sort((a, b) => a - b),
  };
}

const LONGEST_TEXT = 300;

function shortened(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
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

/** What was seen of one cause. */
interface Cause {
  readonly rule: RuleId;
  readonly observations: [Observation, ...Observation[]];
}

/** Lets every rule judge and puts together what has one cause. */
function causesOf(run: Run, also: NonNullable<JudgeOptions['also']>): Cause[] {
  const causes = new Map<string, Cause>();
  const add = (rule: RuleId, observation: Observation): void => {
    const { operationId, pointer } = observation;
    const { expected, actual } = observation.identity ?? observation;
    // A new field is one new field, whatever it holds.
    const key = JSON.stringify([rule, operationId, pointer, expected, isNewField(rule) ? '' : actual]);
    const known = causes.get(key);
    if (known === undefined) causes.set(key, { rule, observations: [observation] });
    else known.observations.push(observation);
  };
  for (const id of RULE_IDS) {
    const rule = RULES[id];
    if (rule.scope === 'run') for (const observation of rule.judge(run)) add(id, observation);
    else for (const sample of run.samples) for (const observation of rule.judge(sample, run)) add(id, observation);
  }
  for (const { rule, observation } of also) add(rule, observation);
  return [...causes.values()];
}

function isNewField(rule: RuleId): boolean {
  return rule === 'unrecorded-field' || rule === 'undocumented-field';
}

/** What all of them say. */
function theOne({ rule, observations }: Cause): Observation {
  const [first] = observations;
  const shapes = observations.flatMap(({ found }) => (found === undefined ? [] : [found]));
  if (shapes.length === 0) return first;
  const found = createShape();
  for (const shape of shapes) merge(found, shape);
  return isNewField(rule) ? { ...first, found, actual: typesOfShape(found) } : { ...first, found };
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
