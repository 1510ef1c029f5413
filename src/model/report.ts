import type { ExitCode } from '../errors.ts';
import type { Provenance } from '../schema/schema-document.ts';
import type { Finding, Severity } from './finding.ts';
import type { Reason } from './reason.ts';

export type Verdict = 'agrees' | 'drift' | 'inconclusive';
export type CheckKind = 'any' | 'probe' | 'mock-only';
export type Outcome = 'passed' | 'failed' | 'skipped' | 'inconclusive';

export interface Check {
  readonly id: string;
  readonly operationId: string | null;
  readonly kind: CheckKind;
  /** `own`: from the user's folder of checks. */
  readonly source?: 'own';
  readonly outcome: Outcome;
  /** Why it was skipped, failed or not judged; a note if it passed after a retry; else empty. */
  readonly reason: string;
  /** The same as data, if it is skipped or shares its reason with others. Absent in reports of early versions. */
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
  /** Judged successes. Absent in reports of early versions, where `exercised` means that one arrived. */
  readonly goodAnswers?: number;
  readonly fields: readonly FieldCoverage[];
  readonly notShown: readonly string[];
}

/** How much of a contract a run covered. */
export interface Share {
  /** `of` also counts operations that are skipped or not located. */
  readonly operations: { readonly called: number; readonly of: number };
  /** Documented fields of located operations. */
  readonly fields: { readonly seen: number; readonly of: number };
  readonly skipped: number;
  readonly notLocated: number;
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

/** A parameter of reads that the configuration does not give. */
export interface DiscoveredInput {
  readonly parameter: string;
  /** The operation whose answer shows the value; null for an example of the document. */
  readonly from: string | null;
  /** Keyed digest of the value, to find the same one on the next night. Only with a history. */
  readonly digest?: string;
}

export interface Created {
  readonly operationId: string;
  /** `(unknown)` if the answer was lost or has no new id. */
  readonly id: string;
  readonly removed: boolean;
  readonly reason: string;
}

export interface ReportNotice {
  readonly code: string;
  /** One sentence, and one with the fix. */
  readonly message: string;
  readonly location: Finding['location'];
  /** Recorded operations that are no longer covered. `verify` is inconclusive then. */
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
  /** Expired entries of the baseline whose finding still appears: it counts again. */
  readonly expired?: readonly Omit<Report['accepted'][number], 'finding'>[];
  readonly stale: readonly { readonly fingerprint: string; readonly why: string }[];
  readonly checks: readonly Check[];
  readonly coverage: {
    readonly operations: readonly OperationCoverage[];
    readonly share?: Share;
    /** Statements of the reference that checks cover, if the contract lists them. */
    readonly statements?: {
      readonly checked: number;
      readonly of: number;
      readonly never: readonly { readonly id: string; readonly about?: string; readonly reason: string }[];
    };
  };
  readonly deprecations: readonly DeprecationWatch[];
  readonly created?: readonly Created[];
  readonly discovered?: readonly DiscoveredInput[];
  readonly callers?: readonly {
    readonly name: string;
    readonly connections: number | null;
    readonly exchanges: number;
  }[];
  readonly rules?: readonly {
    readonly rule: string;
    readonly outcome: 'kept' | 'broken' | 'undecided' | 'not-exercised';
    /** Evidence for the outcome: `3 responses of 401, 3 retried`, and what is still needed. Absent in reports of early versions. */
    readonly evidence?: string;
    readonly seen?: number;
    readonly needed?: number;
  }[];
  /** Fixes, the costliest problem first. */
  readonly advice?: readonly string[];
  /** Limitations of the verdict. */
  readonly notices?: readonly ReportNotice[];
  /** Comparison with the last run that reached a verdict, if there is one: fingerprints of findings. */
  readonly since?: {
    /** ISO 8601 date-time: start of that run. */
    readonly previous: string;
    readonly new: readonly string[];
    readonly known: readonly string[];
    /** Findings of that run that are absent now, although their checks completed. */
    readonly gone: readonly string[];
    /** Loss of coverage: documented fields no longer seen, and operations with such fields or no longer called. */
    readonly lost?: { readonly fields: number; readonly operations: readonly string[] };
  };
  /** Fields that earlier runs saw, and how many of them no run saw for some days. Only if more than a tenth are old. */
  readonly age?: { readonly old: number; readonly of: number; readonly days: number };
  /** Runs of the same target, oldest first and this one last, if earlier reports are available. */
  readonly history?: {
    readonly runs: readonly RunSummary[];
    readonly gone: readonly GoneFinding[];
    /** Findings of earlier runs that were not rechecked, because their checks did not complete. 100 at most. */
    readonly notLookedFor?: readonly GoneFinding[];
  };
}
