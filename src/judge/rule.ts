import type { Circumstances } from '../contract/conditions.ts';
import type { Contract, Operation, Provenance } from '../contract/contract.ts';
import { type Call, finalAttempt } from '../model/call.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Severity } from '../model/finding.ts';
import type { Content } from '../model/media.ts';
import type { Judgement, Rejection } from './judgement.ts';
import type { Schemas } from './schemas.ts';
import type { Shape } from './shape.ts';

export interface Observation {
  readonly operationId: string | null;
  /** Of a request that no operation matches: its method and path template, its status, and the operations that it may be. */
  readonly stray?: {
    readonly method: string;
    readonly path: string;
    readonly status: string | null;
    readonly candidates: readonly string[];
  };
  /** Pointer into the answer's body, with `*` for list indices; empty for the answer as a whole. */
  readonly pointer: string;
  /** Shape that was expected; never a value that was sent. */
  readonly expected: string;
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
  /** In how many answers of a target it must be seen to count; in one by default. */
  readonly least?: number;
  /** Of a field that is missing, where it still is: `in 2 of 3 places`. */
  readonly presence?: string | undefined;
  /** The same in more words, for a person; the fingerprint is made of `expected` all the same. */
  readonly wanted?: string | undefined;
  /** What was there, as far as it is worth showing; of several observations together. `actual` are its types. */
  readonly found?: Shape | undefined;
  /** What the fingerprint is made of where `expected` and `actual` are prose. */
  readonly identity?: { readonly expected: string; readonly actual: string; readonly pointer?: string };
}

export interface Sample {
  readonly call: Call;
  readonly exchange: Exchange;
  readonly operation: Operation;
  readonly status: number;
  readonly content: Content;
}

export interface Knowledge {
  readonly contract: Contract;
  readonly schemas: Schemas;
  readonly circumstances: Circumstances;
}

/** Differences of one operation that one rule reports. Nobody reads more, and a hostile answer has any number. */
export const MOST_TOLD = 500;

export interface Run extends Knowledge {
  readonly calls: readonly Call[];
  readonly samples: readonly Sample[];
  readonly strays: readonly Exchange[];
  readonly judgements: ReadonlyMap<Call, Judgement>;
  readonly refusals: ReadonlyMap<Call, Rejection>;
  readonly occasion: Occasion;
}

export type Occasion = 'live' | 'diff' | 'assumptions';

export type Severities = Readonly<Partial<Record<Provenance | 'deprecated', Severity>>>;

export const BY_PROVENANCE: Severities = { documented: 'error', observed: 'warning', assumed: 'info' };

export interface Spread {
  readonly about: string;
  readonly expected: string;
  readonly actual: string;
  /** Of values that are wanted alike: their places count rather than their operations. */
  readonly kind?: string;
  /** Of a place in an object: the name of its schema; empty for one that only recordings know. */
  readonly object?: string;
}

interface RuleInfo {
  readonly id: string;
  /** Heads its findings and its page; no full stop. */
  readonly title: string;
  readonly severity: Severity | Severities;
  /** Section of the API reference where the contradicted part has none of its own, or the RFC. */
  readonly reference: string;
  readonly judges: readonly Occasion[];
  /** True where its findings are about a field that no answer has: they can be seen although the field cannot. */
  readonly ofAbsence?: true;
  /** True where one place is one finding, whatever stands there. */
  readonly ofPlace?: true;
  message(observation: Observation, operation: Operation | undefined): string;
  /** Of a change that may hit the API as a whole: what it has in common wherever it is seen, the widest first; none where it is of one place only. */
  spreads?(observation: Observation, contract: Contract): readonly Spread[];
  /** Adds to the first observation of a finding what only the whole run tells. It is no part of the fingerprint. */
  complete?(observation: Observation, provenance: Provenance, run: Run): Observation;
}

export interface AnswerRule extends RuleInfo {
  readonly of: 'answer';
  judge(sample: Sample, knowledge: Knowledge): Iterable<Observation>;
}

export interface RunRule extends RuleInfo {
  readonly of: 'run';
  judge(run: Run): Iterable<Observation>;
}

export interface OutsideRule extends RuleInfo {
  readonly of: 'elsewhere';
}

export type Rule = AnswerRule | RunRule | OutsideRule;

export interface Observed {
  readonly rule: Rule;
  readonly observation: Observation;
}

export function severityOf(
  { severity }: Pick<Rule, 'severity'>,
  provenance: Provenance,
  operation: Operation | undefined,
): Severity {
  if (provenance === 'assumed') return 'info';
  if (typeof severity === 'string') return severity;
  const deprecated = operation?.deprecated === true ? severity.deprecated : undefined;
  return deprecated ?? severity[provenance] ?? (provenance === 'documented' ? 'error' : 'warning');
}

export interface StatedSeverity {
  readonly severity: Severity;
  readonly reason: string;
}

type Base = Pick<Observation, 'operationId' | 'pointer' | 'source' | 'exchanges'>;

export function ofSample({ operation, exchange }: Sample): Base {
  return { operationId: operation.operationId, pointer: '', source: operation.pointer, exchanges: [exchange.seq] };
}

export function ofCall(call: Call, contract: Contract): Base {
  const { operationId } = call;
  const source = contract.operation(operationId)?.pointer ?? '';
  return { operationId, pointer: '', source, exchanges: [finalAttempt(call)?.seq ?? 0] };
}

export function nameOf(operation: Operation | undefined): string {
  return operation?.summary ?? 'The target';
}

export function placeOf({ pointer }: Observation): string {
  return pointer === '' ? 'the body' : pointer;
}
