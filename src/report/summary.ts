import { createHash } from 'node:crypto';
import { type Finding, SEVERITIES, type Severity } from '../model/finding.ts';
import type { Check, Outcome, Report } from '../model/report.ts';
import { plain } from '../text/plain.ts';
import { count, firstFew } from '../text/words.ts';
import type { NewnessOf } from './since.ts';

const OUTCOMES = ['passed', 'failed', 'inconclusive', 'skipped'] as const;
const MOST_CALLERS = 8;

export function numbersOf(findings: readonly Pick<Finding, 'severity'>[]): Record<Severity, number> {
  const of = (severity: Severity): number => findings.filter((each) => each.severity === severity).length;
  return { error: of('error'), warning: of('warning'), info: of('info') };
}

export function numberOf(checks: readonly Pick<Check, 'outcome'>[], ...outcomes: readonly Outcome[]): number {
  return checks.filter(({ outcome }) => outcomes.includes(outcome)).length;
}

/** `1 error`, `3 warnings`, `2 info`, the gravest first. */
export function severityCounts(numbers: Readonly<Record<Severity, number>>): string[] {
  return SEVERITIES.filter((severity) => numbers[severity] > 0).map((severity) =>
    count(numbers[severity], severity, severity === 'info' ? severity : `${severity}s`),
  );
}

export function checkCounts(checks: readonly Check[]): string {
  if (checks.length === 0) return 'none';
  return OUTCOMES.map((outcome) => [numberOf(checks, outcome), outcome] as const)
    .filter(([number, outcome]) => number > 0 || outcome === 'passed')
    .map(([number, outcome]) => `${number} ${outcome}`)
    .join(', ');
}

/** Within one severity, new findings come first. */
export function worstFirst(findings: readonly Finding[], newness: NewnessOf = () => null): Finding[] {
  const age = (finding: Finding): number => (newness(finding) === 'known' ? 1 : 0);
  return findings.toSorted(
    (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || age(a) - age(b),
  );
}

export function byOperation(findings: readonly Finding[], newness?: NewnessOf): Finding[][] {
  const keyOf = (finding: Finding): string => JSON.stringify([subjectOf(finding), finding.method, finding.path]);
  return [...Map.groupBy(worstFirst(findings, newness), keyOf).values()];
}

const MOST_NAMED = 3;

export function subjectOf({ operationId, parts = [] }: Pick<Finding, 'operationId' | 'parts'>): string {
  if (operationId !== null) return operationId;
  const names = [...new Set(parts.flatMap((part) => part.operationId || []))];
  if (names.length > MOST_NAMED) return `${names.length} operations`;
  return names.join(', ') || 'the target as a whole';
}

export function requestOf({ method, path }: Pick<Finding, 'method' | 'path'>): string {
  return [method, path].filter((part) => part !== null).join(' ');
}

export function callText(finding: Pick<Finding, 'operationId' | 'method' | 'path' | 'parts'>): string {
  return [subjectOf(finding), requestOf(finding)].filter((part) => part !== '').join(' · ');
}

export function shapesOf({ expected, actual }: Finding): string {
  return expected === '' && actual === '' ? '' : ` Expected ${expected || '?'}, got ${actual || '?'}.`;
}

export function timeOf(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`;
}

export function callersText({ callers }: Pick<Report, 'callers'>): string | null {
  if (callers === undefined || callers.length === 0) return null;
  const named = callers.map(({ name, connections, exchanges }) => {
    const parts = [...(connections === null ? [] : [count(connections, 'connection')]), count(exchanges, 'exchange')];
    return `${plain(name)} (${parts.join(', ')})`;
  });
  return `${callers.length}: ${firstFew(named, MOST_CALLERS, '; ')}`;
}

/** 16 hexadecimal digits. */
export function shortDigest(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}
