import type { Provenance } from '../contract/contract.ts';
import type { ExitCode } from '../errors.ts';
import type { Finding, Severity } from './finding.ts';
import type { Reason } from './reason.ts';

export type Verdict = 'agrees' | 'drift' | 'inconclusive';
export type CheckKind = 'any' | 'probe' | 'mock-only';
export type Outcome = 'passed' | 'failed' | 'skipped' | 'inconclusive';

export interface Check {
  readonly id: string;
  readonly operationId: string | null;
  readonly kind: CheckKind;
  readonly outcome: Outcome;
  /** Why it was skipped, failed or could not be judged; a note where it passed after a retry; else empty. */
  readonly reason: string;
  /** The same as data: of a skipped check, and of one that could not be judged for a reason that it shares with others; reports of early versions do not have it. */
  readonly why?: Reason;
  readonly durationMs: number;
}

export interface FieldCoverage {
  readonly pointer: string;
  readonly provenance: Provenance;
  readonly seen: number;
  readonly of: number;
}

export interface OperationCoverage {
  readonly operationId: string;
  readonly located: Provenance | null;
  readonly exercised: boolean;
  /** Good answers that were looked at; reports of early versions do not say it, and there `exercised` means that one came. */
  readonly goodAnswers?: number;
  readonly fields: readonly FieldCoverage[];
  readonly notShown: readonly string[];
}

export interface DeprecationWatch {
  readonly operationId: string;
  readonly successor: string;
  readonly alive: boolean | null;
  readonly sameShape: boolean | null;
  readonly deprecation: string | null;
  readonly sunset: string | null;
}

/** Below it, a run is inconclusive. */
export interface RequiredCoverage {
  readonly fields?: number;
  readonly statements?: number;
}

export interface RunSummary {
  /** ISO 8601 date-time. */
  readonly startedAt: string;
  readonly verdict: Verdict;
  readonly exitCode: ExitCode;
  readonly findings: Readonly<Record<Severity, number>>;
  readonly accepted: number;
}

export interface GoneFinding
  extends Pick<Finding, 'fingerprint' | 'rule' | 'severity' | 'operationId' | 'pointer' | 'checks'> {
  /** ISO 8601 date-time. */
  readonly firstSeen: string;
  /** ISO 8601 date-time. */
  readonly lastSeen: string;
}

export interface Created {
  readonly operationId: string;
  /** `(unknown)` where the answer was lost or names no new id. */
  readonly id: string;
  readonly removed: boolean;
  readonly reason: string;
}

export interface ReportNotice {
  readonly code: string;
  /** One sentence, and one that says what to do. */
  readonly message: string;
  readonly location: Finding['location'];
  /** Operations that a recording describes and that this leaves unwatched: the verdict of `verify` is inconclusive for it. */
  readonly unwatched?: readonly string[];
}

export interface Report {
  readonly reportVersion: 1;
  readonly tool: { readonly name: string; readonly version: string };
  readonly command: string;
  readonly target: { readonly kind: 'mock' | 'url' | 'journal'; readonly baseUrl: string };
  /** ISO 8601 date-time. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly exitCode: ExitCode;
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
  readonly accepted: readonly {
    readonly fingerprint: string;
    readonly reason: string;
    readonly owner: string | null;
    readonly expires: string;
    readonly finding: Finding;
  }[];
  /** Entries of the baseline past their date whose finding is there: it counts again. */
  readonly expired?: readonly Omit<Report['accepted'][number], 'finding'>[];
  readonly stale: readonly { readonly fingerprint: string; readonly why: string }[];
  readonly checks: readonly Check[];
  readonly coverage: {
    readonly operations: readonly OperationCoverage[];
    /** Statements of the reference that checks carry, where the contract lists them. */
    readonly statements?: {
      readonly checked: number;
      readonly of: number;
      readonly never: readonly { readonly id: string; readonly reason: string }[];
    };
  };
  readonly deprecations: readonly DeprecationWatch[];
  readonly created?: readonly Created[];
  readonly callers?: readonly {
    readonly name: string;
    readonly connections: number | null;
    readonly exchanges: number;
  }[];
  readonly rules?: readonly {
    readonly rule: string;
    readonly outcome: 'kept' | 'broken' | 'not-exercised';
    /** What the outcome rests on: `3 refusals seen, 3 retried`; reports of early versions have none. */
    readonly evidence?: string;
    readonly seen?: number;
    readonly needed?: number;
  }[];
  /** What to fix, the costliest first. */
  readonly advice?: readonly string[];
  /** What makes the verdict say less than it seems to. */
  readonly notices?: readonly ReportNotice[];
  /** This run held to the last one before it that came to a verdict, where there is one: fingerprints of findings. */
  readonly since?: {
    /** ISO 8601 date-time: start of that run. */
    readonly previous: string;
    readonly new: readonly string[];
    readonly known: readonly string[];
    /** Open then; their checks ran to an end in this run without them. */
    readonly gone: readonly string[];
    /** How many documented fields fewer were seen, and in which operations. */
    readonly lost?: { readonly fields: number; readonly operations: readonly string[] };
  };
  /** Runs of the same target, oldest first and this one last, where earlier reports were given. */
  readonly history?: {
    readonly runs: readonly RunSummary[];
    readonly gone: readonly GoneFinding[];
    /** Findings of earlier runs that nobody could have seen in this one: their checks did not run to an end. 100 at most. */
    readonly notLookedFor?: readonly GoneFinding[];
  };
}
