import { EXIT, type ExitCode } from '../errors.ts';
import { type Finding, SEVERITIES, type Threshold } from './finding.ts';
import type { Check, Verdict } from './report.ts';

type Counted = Pick<Finding, 'severity' | 'provenance' | 'compatibility'>;

export interface VerdictFacts {
  readonly interrupted: boolean;
  readonly fault: boolean;
  readonly findings: readonly Counted[];
  readonly failOn: Threshold;
  readonly checks: readonly Pick<Check, 'operationId' | 'outcome'>[];
  readonly tokenOperation?: string | undefined;
  readonly unwatched?: boolean;
  readonly stale: number;
}

export function counts({ severity, provenance, compatibility }: Counted, failOn: Threshold): boolean {
  if (provenance === 'assumed') return false;
  if (failOn !== 'breaking') return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(failOn);
  return severity === 'error' || (severity === 'warning' && compatibility === 'breaking');
}

export function isInconclusive({
  checks,
  tokenOperation,
  unwatched = false,
}: Pick<VerdictFacts, 'checks' | 'tokenOperation' | 'unwatched'>): boolean {
  if (unwatched) return true;
  if (checks.some(({ outcome }) => outcome === 'inconclusive')) return true;
  return !checks.some(
    ({ operationId, outcome }) => operationId !== tokenOperation && (outcome === 'passed' || outcome === 'failed'),
  );
}

/** The exit code if several apply: 130, then 70, then 1, then 4, then 5. */
export function exitCodeOf(ending: VerdictFacts): ExitCode {
  if (ending.interrupted) return EXIT.interrupted;
  if (ending.fault) return EXIT.fault;
  if (ending.findings.some((finding) => counts(finding, ending.failOn))) return EXIT.findings;
  if (isInconclusive(ending)) return EXIT.inconclusive;
  return ending.stale > 0 ? EXIT.stale : EXIT.agrees;
}

export function verdictOf(ending: VerdictFacts): Verdict {
  if (ending.findings.some((finding) => counts(finding, ending.failOn))) return 'drift';
  return ending.interrupted || ending.fault || isInconclusive(ending) ? 'inconclusive' : 'agrees';
}
