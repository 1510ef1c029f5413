import { type Finding, SEVERITIES, type Severity } from '../drift/finding.ts';
import type { Check, Report } from './report.ts';
import { count } from './wrap.ts';

const OUTCOMES = ['passed', 'failed', 'inconclusive', 'skipped'] as const;

/** `1 error`, `3 warnings`, `2 info`. */
export function severityCount(number: number, severity: Severity): string {
  return severity === 'info' ? `${number} info` : count(number, severity);
}

/** The word for that many findings of a severity. */
export function severityWord(number: number, severity: Severity): string {
  return number === 1 || severity === 'info' ? severity : `${severity}s`;
}

/** How many findings there are of each severity that has any, the worst first. */
export function severityCounts(findings: readonly Pick<Finding, 'severity'>[]): [severity: Severity, number: number][] {
  return SEVERITIES.map((severity): [Severity, number] => [
    severity,
    findings.filter((finding) => finding.severity === severity).length,
  ]).filter(([, number]) => number > 0);
}

/** How many findings of which severity, accepted ones and stale entries, in one line. */
export function findingCounts({ findings, accepted, stale }: Report): string {
  const parts = severityCounts(findings).map(([severity, number]) => severityCount(number, severity));
  if (accepted.length > 0) parts.push(`${accepted.length} accepted`);
  if (stale.length > 0) parts.push(`${stale.length} stale`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}

/** How many checks ended how, in one line. */
export function checkCounts(checks: readonly Check[]): string {
  if (checks.length === 0) return 'none';
  return OUTCOMES.map((outcome) => [checks.filter((check) => check.outcome === outcome).length, outcome] as const)
    .filter(([number, outcome]) => number > 0 || outcome === 'passed')
    .map(([number, outcome]) => `${number} ${outcome}`)
    .join(', ');
}
