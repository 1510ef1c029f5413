import { type BaselineEntry, staleEntries } from '../drift/baseline.ts';
import type { Finding } from '../drift/finding.ts';
import { compare } from '../drift/order.ts';
import { EXIT } from '../errors.ts';
import { ownFolder } from '../spec/folder.ts';
import type { GoneFinding, Report } from './report.ts';

/** So many of each sort are kept, those that were seen last. */
const MOST = 100;

/** Findings of earlier runs that this one did not show. */
export interface Absent {
  /** Those whose checks ran to an end without them. */
  readonly gone: readonly GoneFinding[];
  /** The others: nobody could see whether they are still there. */
  readonly notLookedFor: readonly GoneFinding[];
}

/** Parts the findings of earlier reports, oldest first, that are not in this one by whether anybody looked for them. */
export function absentFindings(report: Report, before: readonly Report[]): Absent {
  const first = firstSeenIn(before);
  const last = new Map<string, { readonly finding: Finding; readonly seen: string }>();
  for (const each of before) {
    for (const finding of allOf(each)) last.set(finding.fingerprint, { finding, seen: each.startedAt });
  }
  const here = new Set(allOf(report).map(({ fingerprint }) => fingerprint));
  const absent = [...last.values()]
    .filter(({ finding }) => !here.has(finding.fingerprint))
    .sort((a, b) => compare(b.seen, a.seen) || compare(a.finding.fingerprint, b.finding.fingerprint));
  const isGone = goneIn(
    report,
    absent.map(({ finding }) => finding),
  );
  const listed = (gone: boolean): GoneFinding[] =>
    absent
      .filter(({ finding }) => isGone(finding) === gone)
      .slice(0, MOST)
      .map(({ finding: { fingerprint, rule, severity, operationId, pointer }, seen }) => ({
        fingerprint,
        rule,
        severity,
        operationId,
        pointer,
        firstSeen: first.get(fingerprint) ?? seen,
        lastSeen: seen,
      }));
  return { gone: listed(true), notLookedFor: listed(false) };
}

/** When each finding of earlier reports was seen first, by fingerprint; what they carry on from still older ones counts. */
export function firstSeenIn(reports: readonly Report[]): Map<string, string> {
  const first = new Map<string, string>();
  for (const report of reports) {
    for (const { fingerprint, firstSeen = report.startedAt } of allOf(report)) {
      const known = first.get(fingerprint);
      if (known === undefined || firstSeen < known) first.set(fingerprint, firstSeen);
    }
  }
  return first;
}

/** All findings of a report, accepted or not. */
function allOf({ findings, accepted }: Report): Finding[] {
  return [...findings, ...accepted.map(({ finding }) => finding)];
}

/** Whether a finding is gone is decided as for an entry of a baseline; of a rule on a caller, by whether the rule was exercised. */
function goneIn(report: Report, absent: readonly Finding[]): (finding: Finding) => boolean {
  const stale = new Set(
    staleEntries(
      { entries: absent.map(entryOf) },
      {
        findings: allOf(report),
        checks: report.checks,
        coverage: report.coverage.operations,
        interrupted: report.exitCode === EXIT.interrupted,
        rules: ownFolder.rules,
      },
    ).map(({ fingerprint }) => fingerprint),
  );
  const rules = new Map(report.rules?.map(({ rule, outcome }) => [rule, outcome]));
  return ({ fingerprint, rule }) => {
    const outcome = rules.get(rule);
    return outcome === undefined ? stale.has(fingerprint) : outcome !== 'not-exercised';
  };
}

function entryOf({ fingerprint, rule, operationId, pointer, checks }: Finding): BaselineEntry {
  return {
    fingerprint,
    rule,
    operation: operationId,
    pointer,
    checks: checks ?? [],
    reason: '',
    owner: null,
    expires: '',
  };
}
