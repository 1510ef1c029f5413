import { EXIT } from '../errors.ts';
import { type Finding, SEVERITIES, type Severity } from '../model/finding.ts';
import type { Check, Outcome, Report, Verdict } from '../model/report.ts';
import { plain } from '../plain.ts';
import { ruleTitle } from './links.ts';
import { count } from './wrap.ts';

const OUTCOMES = ['passed', 'failed', 'inconclusive', 'skipped'] as const;
const MOST_TITLES = 3;
const MOST_CALLERS = 8;

/** How many findings there are of each severity. */
export function numbersOf(findings: readonly Pick<Finding, 'severity'>[]): Record<Severity, number> {
  const of = (severity: Severity): number => findings.filter((each) => each.severity === severity).length;
  return { error: of('error'), warning: of('warning'), info: of('info') };
}

/** How many checks ended so. */
export function numberOf(checks: readonly Pick<Check, 'outcome'>[], ...outcomes: readonly Outcome[]): number {
  return checks.filter(({ outcome }) => outcomes.includes(outcome)).length;
}

/** The word for that many findings of a severity. */
export function severityWord(number: number, severity: Severity): string {
  return number === 1 || severity === 'info' ? severity : `${severity}s`;
}

/** `1 error`, `3 warnings`, `2 info`. */
export function severityCount(number: number, severity: Severity): string {
  return `${number} ${severityWord(number, severity)}`;
}

/** {@link severityCount} of each severity that has any, the worst first. */
export function severityCounts(findings: readonly Pick<Finding, 'severity'>[]): [severity: Severity, words: string][] {
  const numbers = numbersOf(findings);
  return SEVERITIES.filter((severity) => numbers[severity] > 0).map((severity) => [
    severity,
    severityCount(numbers[severity], severity),
  ]);
}

/** How many findings of which severity, accepted ones and stale entries, in one line. */
export function findingCounts({ findings, accepted, stale }: Report): string {
  const parts = severityCounts(findings).map(([, words]) => words);
  if (accepted.length > 0) parts.push(`${accepted.length} accepted`);
  if (stale.length > 0) parts.push(`${stale.length} stale`);
  return parts.join(', ') || 'none';
}

/** How many checks ended how, in one line. */
export function checkCounts(checks: readonly Check[]): string {
  if (checks.length === 0) return 'none';
  return OUTCOMES.map((outcome) => [numberOf(checks, outcome), outcome] as const)
    .filter(([number, outcome]) => number > 0 || outcome === 'passed')
    .map(([number, outcome]) => `${number} ${outcome}`)
    .join(', ');
}

/** Findings from the worst to the least. */
export function worstFirst(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}

/** Findings under the operation that shows them; the operation with the worst finding comes first. */
export function byOperation(findings: readonly Finding[]): Finding[][] {
  const keyOf = ({ operationId, method, path }: Finding): string => JSON.stringify([operationId, method, path]);
  return [...Map.groupBy(worstFirst(findings), keyOf).values()];
}

/** Method and path template, as far as they are known. */
export function requestOf({ method, path }: Pick<Finding, 'method' | 'path'>): string {
  return [method, path].filter((part) => part !== null).join(' ');
}

/** operationId, method and path template, as far as they are known. */
export function callOf(finding: Pick<Finding, 'operationId' | 'method' | 'path'>, separator = ' · '): string {
  const name = finding.operationId ?? 'the target as a whole';
  return [name, requestOf(finding)].filter((part) => part !== '').join(separator);
}

/** What was expected and what came, as a sentence behind another one; empty where neither is said. */
export function shapesOf({ expected, actual }: Finding): string {
  return expected === '' && actual === '' ? '' : ` Expected ${expected || '?'}, got ${actual || '?'}.`;
}

/** When a run began, to the minute. */
export function whenOf({ startedAt }: Pick<Report, 'startedAt'>): string {
  return `${startedAt.slice(0, 16).replace('T', ' ')} UTC`;
}

/** How long a run took. */
export function tookOf({ durationMs }: Pick<Report, 'durationMs'>): string {
  return `${(durationMs / 1000).toFixed(1)} s`;
}

/** How a run ended; `warned` is one that agrees with warnings. */
export type Tone = Verdict | 'interrupted' | 'warned';

/** How a run ended. */
export function toneOf(report: Report): Tone {
  if (report.exitCode === EXIT.interrupted) return 'interrupted';
  return warningsOf(report).length > 0 ? 'warned' : report.verdict;
}

/** The word for each way to end. */
export const VERDICT: Readonly<Record<Tone, string>> = {
  drift: 'Drift',
  inconclusive: 'Inconclusive',
  interrupted: 'Interrupted',
  agrees: 'Agrees',
  warned: 'Agrees',
};

/** What the verdict means here, in one sentence or two, without capitals and full stops. */
export function verdictSentences(report: Report): string[] {
  const who = report.command === 'audit' ? 'the caller' : 'the target';
  const stale = report.stale.length;
  const gone = stale === 0 ? [] : [`the baseline has ${count(stale, 'stale entry', 'stale entries')}`];
  switch (toneOf(report)) {
    case 'interrupted':
      return ['the run did not come to its end'];
    case 'drift':
      return [`${who} differs from the contract`];
    case 'inconclusive':
      return [`it could not be told whether ${who} agrees`];
    case 'agrees':
      return [[`${who} agrees with the contract`, ...gone].join(', but ')];
    case 'warned':
      return [butWarnings(report), ...gone];
  }
}

/** What a run that agrees warns of nevertheless. Empty for any other verdict. */
export function warningsOf({ verdict, findings }: Report): Finding[] {
  return verdict === 'agrees' ? findings.filter(({ severity }) => severity === 'warning') : [];
}

/** `no error, but 3 warnings: it differs from its recording in 2 places; an operation is no longer there`, of a run that agrees with warnings. */
export function butWarnings(report: Report): string {
  const warnings = warningsOf(report);
  const recorded = warnings.filter(({ provenance }) => provenance === 'observed').length;
  const others = Map.groupBy(
    warnings.filter(({ provenance }) => provenance !== 'observed'),
    (finding) => lowered(ruleTitle(finding)),
  );
  const titles = [...others].map(([title, own]) => (own.length === 1 ? title : `${title} (${own.length} times)`));
  const more = titles.length - MOST_TITLES;
  const what = [
    ...(recorded === 0 ? [] : [`it differs from its recording in ${count(recorded, 'place')}`]),
    ...titles.slice(0, MOST_TITLES),
    ...(more > 0 ? [`${more} more of another kind`] : []),
  ];
  return `no error, but ${count(warnings.length, 'warning')}: ${what.join('; ')}`;
}

function lowered(title: string): string {
  return title.charAt(0).toLowerCase() + title.slice(1);
}

/** How many programs were heard and who they are, in one line; null for reports that tell of none. */
export function callersText({ callers }: Pick<Report, 'callers'>): string | null {
  if (callers === undefined || callers.length === 0) return null;
  const more = callers.length - MOST_CALLERS;
  const named = callers.slice(0, MOST_CALLERS).map(({ name, connections, exchanges }) => {
    const parts = [...(connections === null ? [] : [count(connections, 'connection')]), count(exchanges, 'exchange')];
    return `${plain(name)} (${parts.join(', ')})`;
  });
  return `${callers.length}: ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}
