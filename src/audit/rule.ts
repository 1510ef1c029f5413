import type { Contract, Operation } from '../contract/contract.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { Schemas } from '../judge/schemas.ts';
import type { Severity } from '../model/finding.ts';
import type { SecretKeys } from '../redact/keys.ts';
import type { Provenance } from '../schema/schema-document.ts';
import type { Attempts } from './attempts.ts';
import type { Caller } from './callers.ts';
import type { Renewal } from './renewals.ts';
import { GIVEN_UP } from './times.ts';
import type { Sent, Traffic } from './traffic.ts';

export interface RuleObservation {
  /** Default: the operation that issues tokens. */
  readonly operationId?: string | null;
  readonly pointer?: string;
  /** A shape, never a value from the exchange. */
  readonly expected: string;
  readonly actual: string;
  readonly detail?: string;
  readonly evidence: readonly Sent[];
  readonly source?: string;
  readonly provenance?: Provenance;
  readonly severity?: Severity;
  /** How often this evidence shows the breach; 1 by default. */
  readonly times?: number;
}

/** The effect of an intent after the answer to one write was lost. */
export interface WriteOutcome {
  readonly operationId: string;
  /** `OPERATION #1 by /alias`: what tells it from others. */
  readonly intent: string;
  readonly intended: number;
  readonly sent: number;
  readonly done: number;
  /** The outcome that the program reports, by its exit status or by a line of its own. */
  readonly said: 'done' | 'failed' | 'unknown';
  readonly isClaimed: boolean;
  /** True for the write whose answer was lost. */
  readonly isStruck: boolean;
  /** True if that loss left open whether it was done. */
  readonly isOpen: boolean;
  readonly exchanges: readonly number[];
}

export interface WriteEvidence {
  readonly outcomes: readonly WriteOutcome[];
  readonly isLookedUp: boolean;
}

/** How a program got on with changed answers. */
export interface EvolutionEvidence {
  readonly tried: number;
  readonly tolerated: number;
  /** The smallest set of changes that makes a difference. The first one stands for all. */
  readonly broken?: {
    readonly operationId: string;
    readonly pointer: string;
    readonly change: string;
    readonly because: string;
    readonly outcome: string;
    /** The ids of all changes if there are several. */
    readonly together: readonly string[];
    readonly lastLines: readonly string[];
    readonly again: string;
    readonly source: string;
    readonly isHostile: boolean;
  };
}

export interface Case {
  readonly contract: Contract;
  readonly schemas: Schemas;
  /** Key names whose values are secret. */
  readonly keys: SecretKeys;
  readonly caller: Caller;
  readonly traffic: Traffic;
  readonly renewals: readonly Renewal[];
  readonly attempts: Attempts;
  /** The whole journal. */
  readonly all: readonly Sent[];
  readonly single: boolean;
  /** False if nothing shows how the caller authenticates, as in a capture without Authorization. */
  readonly showsTokens: boolean;
  /**
   * When the journal was read, by the clock that wrote it. Null if nothing can follow. Milliseconds since the epoch.
   */
  readonly readAt: number | null;
  /** Largest difference of two clocks plus delay of a request. Milliseconds. */
  readonly tolerance: number;
  readonly situation: string | undefined;
  /** Secrets that the program printed, by their kind. Undefined if its output was not watched. */
  readonly printed: readonly string[] | undefined;
  readonly writes: WriteEvidence | undefined;
  /** The intent that a write names. Undefined if it names none. */
  readonly intentOf: ((write: JournalEntry) => string | undefined) | undefined;
  readonly evolution: EvolutionEvidence | undefined;
}

export interface RuleJudgement {
  readonly occasions: number;
  readonly kept: number;
  readonly observations: readonly RuleObservation[];
  /** Breaches seen, and the number from which the rule counts as broken. */
  readonly seen?: number;
  readonly needed?: number;
  readonly open?: boolean;
}

/** Lists, types, the table of docs/audit.md and the head of the rule's page are generated from it. */
export interface AuditRule<Id extends string = string> {
  readonly id: Id;
  readonly title: string;
  /** What the contract says of tokens, if the rule judges that. Without it and an RFC, the rule judges the operation. */
  readonly part?: 'scheme' | 'grant' | 'lifetime' | 'reuse' | 'refresh';
  /** RFC that the rule enforces. */
  readonly reference?: string;
  readonly severity: Severity;
  /** Other severities and their conditions, for the documentation. */
  readonly exceptions?: string;
  /** A breach of that rule causes a breach of this one. If both are broken, only that one is reported. */
  readonly followsFrom?: AuditRule;
  /** Judges each program alone, because several programs together look like one that breaks the rule. */
  readonly isPerProgram?: true;
  message(observation: RuleObservation, operation: Operation | undefined): string;
  /** What else the journal must show, if the rule is neither kept nor broken: `needs a 401 and its retry`. */
  readonly needs: string;
  evidence(occasions: number, kept: number): string;
  judge(of: Case): RuleJudgement;
}

export function isOpen(at: number, { readAt }: Pick<Case, 'readAt'>): boolean {
  return readAt !== null && readAt - at <= GIVEN_UP;
}
export function observeAlike<T>(
  seen: Iterable<T>,
  keyOf: (one: T) => unknown,
  observe: (first: T, all: readonly T[]) => RuleObservation,
): RuleObservation[] {
  return [...Map.groupBy(seen, keyOf).values()].map((all) => ({ times: all.length, ...observe(all[0] as T, all) }));
}

/** Judges each exchange separately. Equal faults become one observation. */
export function judgeEach(
  sent: readonly Sent[],
  faultsOf: (one: Sent) => readonly Omit<RuleObservation, 'evidence'>[],
): RuleJudgement {
  const found = sent.flatMap((one) => faultsOf(one).map((fault) => ({ one, fault })));
  return {
    occasions: sent.length,
    kept: sent.length - new Set(found.map(({ one }) => one)).size,
    observations: observeAlike(
      found,
      ({ fault }) => JSON.stringify(fault),
      ({ fault }, all) => ({ ...fault, evidence: all.map(({ one }) => one) }),
    ),
  };
}

export function subject(operation: Operation | undefined): string {
  return operation?.summary ?? 'A request';
}
