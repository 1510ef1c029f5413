import type { Circumstances } from '../contract/conditions.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import { type Call, finalAttempt } from '../model/call.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Severity } from '../model/finding.ts';
import type { Content } from '../model/media.ts';
import type { Provenance } from '../schema/schema-document.ts';
import type { Judgement, Rejection } from './judgement.ts';
import type { Schemas } from './schemas.ts';
import type { Shape } from './shape.ts';

export interface Observation {
  readonly operationId: string | null;
  /** For a request that matches no operation: its method, path template, status and possible operations. */
  readonly stray?: {
    readonly method: string;
    readonly path: string;
    readonly status: string | null;
    readonly candidates: readonly string[];
  };
  /** Pointer into the answer's body, with `*` for list indices; empty for the whole answer. */
  readonly pointer: string;
  /** Shape that was expected; never a value that was sent. */
  readonly expected: string;
  readonly actual: string;
  /** Pointer into the bundle to the contradicted part. It gives provenance, reference, file and line. */
  readonly source: string;
  /** The subject in the contract's own words, for example the name of a condition. */
  readonly about?: string;
  /** Set if it does not follow from `source`. */
  readonly provenance?: Provenance;
  readonly exchanges: readonly number[];
  /** How often the place showed it; once by default. */
  readonly times?: number;
  /** The number of answers of a target that must show it; one by default. */
  readonly least?: number;
  /** For a missing field, the places that still have it: `in 2 of 3 places`. */
  readonly presence?: string | undefined;
  /** `expected` in more words, for a person. The fingerprint still uses `expected`. */
  readonly wanted?: string | undefined;
  /** The values as far as they are worth showing, merged over several observations. `actual` is their types. */
  readonly found?: Shape | undefined;
  /** Used for the fingerprint if `expected` and `actual` are prose. */
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

/** Limit of differences per rule and operation. More are not read, and a hostile answer has any number. */
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
  /** For values of one expected kind: their places count, not their operations. */
  readonly kind?: string;
  /** How many operations, or places of a kind, make a pattern; three by default. */
  readonly least?: number;
  /** For a place in an object: its schema's name, or empty if only recordings know the object. */
  readonly object?: string;
}

interface RuleInfo {
  readonly id: string;
  /** Heading of its findings and its page; no full stop. */
  readonly title: string;
  readonly severity: Severity | Severities;
  /** RFC that the rule enforces, if the contradicted part names no section of the reference. */
  readonly reference?: string;
  readonly judges: readonly Occasion[];
  /** True if its findings concern a field that no answer has. They can be seen although the field cannot. */
  readonly ofAbsence?: true;
  /** True if one place is one finding, whatever its value. */
  readonly ofPlace?: true;
  message(observation: Observation, operation: Operation | undefined): string;
  /** The common parts of a change that may affect the whole API, widest first. Empty for a change of one place. */
  spreads?(observation: Observation, contract: Contract): readonly Spread[];
  /** Adds facts that need the whole run to a finding's first observation. The fingerprint does not include them. */
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
