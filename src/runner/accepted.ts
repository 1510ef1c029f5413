import { type Baseline, type Parted, partByBaseline, type StaleEntry, staleEntries } from '../drift/baseline.ts';
import type { Call } from '../drift/call.ts';
import type { Finding } from '../drift/finding.ts';
import type { Check, OperationCoverage } from '../report/report.ts';
import type { ContractFolder } from '../spec/folder.ts';
import type { SuiteResult } from './engine.ts';

const NONE: Baseline = { entries: [] };

/** Findings with the ids of the checks that show them: by them a baseline knows later whether anybody looked again. */
export function withChecks(
  findings: readonly Finding[],
  calls: readonly Call[],
  results: readonly SuiteResult[],
): Finding[] {
  const checkOf = new Map<number, string>();
  for (const { checkId, attempts } of calls) {
    if (checkId !== null) for (const { seq } of attempts) checkOf.set(seq, checkId);
  }
  return findings.map((finding) => {
    const shown = finding.exchanges.map((seq) => checkOf.get(seq)).filter((id) => id !== undefined);
    const checks = shown.length > 0 || finding.rule !== 'contract-check-failed' ? shown : brokenOf(finding, results);
    return { ...finding, checks: [...new Set(checks)].sort() };
  });
}

/** A check that was broken without a call of its own. */
function brokenOf({ operationId }: Finding, results: readonly SuiteResult[]): string[] {
  return results
    .filter(({ check, errors }) => errors.length > 0 && check.operationId === operationId)
    .map(({ check }) => check.id);
}

/** What the baseline of a run accepts; without one everything is active. `startedAt` in milliseconds since the epoch. */
export function acceptedOf(findings: readonly Finding[], baseline: Baseline | undefined, startedAt: number): Parted {
  return partByBaseline(findings, baseline ?? NONE, new Date(startedAt).toISOString().slice(0, 10));
}

/** What of the baseline is stale after a run. */
export function staleOf(
  baseline: Baseline | undefined,
  ended: {
    readonly findings: readonly Finding[];
    readonly checks: readonly Check[];
    readonly coverage: readonly OperationCoverage[];
    readonly interrupted: boolean;
    readonly rules: ContractFolder['rules'];
  },
): StaleEntry[] {
  return staleEntries(baseline ?? NONE, ended);
}
