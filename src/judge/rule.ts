import type { Circumstances } from '../contract/circumstances.ts';
import type { Contract, Operation, Provenance } from '../contract/contract.ts';
import { type Call, finalAttempt } from '../model/call.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Severity } from '../model/finding.ts';
import type { Content } from '../model/media.ts';
import type { Judgement } from './classify.ts';
import type { Schemas } from './schemas.ts';
import type { Shape } from './value-shape.ts';

/** What a rule saw. The judge makes a finding of it; equal ones become one with `occurrences`. */
export interface Observation {
  readonly operationId: string | null;
  /** Method and path template where no operation of the contract gives them. */
  readonly call?: { readonly method: string; readonly path: string };
  /** Pointer into the answer's body, with `*` for list indices; empty for the answer as a whole. */
  readonly pointer: string;
  /** Shape that was expected; never a value that was sent. */
  readonly expected: string;
  /** Shape that was there; never a value that was sent. */
  readonly actual: string;
  /** Pointer into the bundle of what is contradicted: it gives provenance, reference, file and line. */
  readonly source: string;
  /** What it is about in the contract's own words, such as the name of a condition. */
  readonly about?: string;
  /** Where it does not follow from `source`. */
  readonly provenance?: Provenance;
  readonly exchanges: readonly number[];
  /** How often it was seen there; once by default. */
  readonly times?: number;
  /** Of a field that is missing, where it still is: `in 2 of 3 places`. */
  readonly presence?: string | undefined;
  /** The same in more words, for a person; the fingerprint is made of `expected` all the same. */
  readonly wanted?: string | undefined;
  /** What was there, as far as it is worth showing; of several observations together. `actual` are its types. */
  readonly found?: Shape | undefined;
  /** What the fingerprint is made of where `expected` and `actual` are prose. */
  readonly identity?: { readonly expected: string; readonly actual: string };
}

/** An answer that should be good and is: 2xx to a call that should succeed. */
export interface Sample {
  readonly call: Call;
  readonly exchange: Exchange;
  readonly operation: Operation;
  readonly status: number;
  readonly content: Content;
}

/** What rules may look at besides a sample. */
export interface Knowledge {
  readonly contract: Contract;
  readonly schemas: Schemas;
  readonly circumstances: Circumstances;
}

/**
 * Differences of one operation that one rule tells of. Nobody reads more, and a hostile answer has any number: a rule that found one
 * more may stop, and the answer counts as judged in part.
 */
export const MOST_TOLD = 500;

/** A whole run. */
export interface Run extends Knowledge {
  readonly calls: readonly Call[];
  readonly samples: readonly Sample[];
  /** Exchanges that match no operation of the contract. */
  readonly strays: readonly Exchange[];
  readonly judgements: ReadonlyMap<Call, Judgement>;
}

/** What a rule says of itself. */
export interface RuleInfo {
  readonly title: string;
  /** Section of the API reference where the contradicted part has none of its own, or the RFC. */
  readonly reference: string;
  /** Where it does not follow from what the contradicted part rests on. What the mock assumes is worth knowing, never more. */
  readonly severity?: Severity | ((operation: Operation | undefined) => Severity);
  /** Ids of the checks whose calls show it, where a call of its own does. All others are about answers that were wanted. */
  readonly shownBy?: RegExp;
  message(observation: Observation, operation: Operation | undefined): string;
}

/** A pure function over one good answer; it serves wherever an exchange comes from. */
export interface SampleRule extends RuleInfo {
  readonly scope: 'sample';
  judge(sample: Sample, knowledge: Knowledge): Iterable<Observation>;
}

/** A pure function over a run. */
export interface RunRule extends RuleInfo {
  readonly scope: 'run';
  judge(run: Run): Iterable<Observation>;
}

export type Rule = SampleRule | RunRule;

/** What is documented and does not hold is an error, what was recorded a warning, what the mock assumes is worth knowing. */
export function severityOf({ severity }: RuleInfo, provenance: Provenance, operation: Operation | undefined): Severity {
  if (provenance === 'assumed') return 'info';
  if (severity === undefined) return provenance === 'documented' ? 'error' : 'warning';
  return typeof severity === 'string' ? severity : severity(operation);
}

type Base = Pick<Observation, 'operationId' | 'pointer' | 'source' | 'exchanges'>;

/** What all observations of a good answer as a whole have in common. */
export function ofSample({ operation, exchange }: Sample): Base {
  return { operationId: operation.operationId, pointer: '', source: operation.pointer, exchanges: [exchange.seq] };
}

/** The same of a call, whatever came of it. */
export function ofCall(call: Call, contract: Contract): Base {
  const { operationId } = call;
  const source = contract.operation(operationId)?.pointer ?? '';
  return { operationId, pointer: '', source, exchanges: [finalAttempt(call)?.seq ?? 0] };
}

/** An operation in a message. */
export function nameOf(operation: Operation | undefined): string {
  return operation?.summary ?? 'The answer';
}

/** The place of an observation in a message. */
export function placeOf({ pointer }: Observation): string {
  return pointer === '' ? 'the body' : pointer;
}
