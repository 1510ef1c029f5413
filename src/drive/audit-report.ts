import type { Audited } from '../audit/judge-caller.ts';
import { tool } from '../files/tool.ts';
import type { Severity } from '../model/finding.ts';
import type { Check, Report } from '../model/report.ts';
import { exitCodeOf, verdictOf } from '../model/verdict.ts';

export interface AuditReportOptions {
  readonly audited: Audited;
  readonly target: Report['target'];
  readonly checks: readonly Check[];
  readonly failOn: Severity;
  readonly startedAt: number;
  readonly interrupted: boolean;
  /** Milliseconds since the epoch; `Date.now` by default. */
  readonly clock?: () => number;
}

/** The report on a caller; its score card is `rules`. */
export function auditReport(options: AuditReportOptions): Report {
  const { audited, checks, failOn, interrupted } = options;
  const ending = { interrupted, fault: false, findings: audited.findings, failOn, checks, stale: 0 };
  return {
    reportVersion: 1,
    tool,
    command: 'audit',
    target: options.target,
    startedAt: new Date(options.startedAt).toISOString(),
    durationMs: (options.clock ?? Date.now)() - options.startedAt,
    exitCode: exitCodeOf(ending),
    verdict: verdictOf(ending),
    findings: audited.findings,
    accepted: [],
    stale: [],
    checks,
    coverage: { operations: [] },
    deprecations: [],
    callers: audited.callers,
    rules: audited.rules,
  };
}
