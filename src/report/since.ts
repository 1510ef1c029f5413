import { ownFolder } from '../contract/folder.ts';
import { EXIT } from '../errors.ts';
import { type BaselineEntry, namesOf, staleEntries } from '../judge/baseline.ts';
import type { Finding } from '../model/finding.ts';
import type { GoneFinding, OperationCoverage, Report } from '../model/report.ts';
import { documentedFields } from './words/reasons.ts';

type EarlierFinding = Finding | GoneFinding;

export type Newness = 'new' | 'known';

export type NewnessOf = (finding: Pick<Finding, 'fingerprint'>) => Newness | null;

export function newnessIn({ since }: Pick<Report, 'since'>): NewnessOf {
  if (since === undefined) return () => null;
  const fresh = new Set(since.new);
  return ({ fingerprint }) => (fresh.has(fingerprint) ? 'new' : 'known');
}

export function allOf({ findings, accepted }: Report): Finding[] {
  return [...findings, ...accepted.map(({ finding }) => finding)];
}

function hasVerdict({ exitCode, verdict }: Report): boolean {
  return exitCode !== EXIT.interrupted && exitCode !== EXIT.fault && verdict !== 'inconclusive';
}

/** By fingerprint, the oldest run first. A missing finding stays open unless its checks completed. */
export function openAfter(runs: readonly Report[]): Map<string, EarlierFinding> {
  const open = new Map<string, EarlierFinding>();
  for (const [index, run] of runs.entries()) {
    const isGone = goneIn(run, [...open.values()]);
    for (const [fingerprint, finding] of open) if (isGone(finding)) open.delete(fingerprint);
    const carried = index === 0 ? (run.history?.notLookedFor ?? []) : [];
    for (const finding of [...carried, ...allOf(run)]) open.set(finding.fingerprint, finding);
  }
  return open;
}

/** Compares a report with the last of the earlier runs (oldest first) that reached a verdict, if there is one. */
export function sinceOf(report: Report, earlier: readonly Report[]): Report['since'] {
  const judged = earlier.filter(hasVerdict);
  const previous = judged.at(-1);
  if (previous === undefined) return undefined;
  const open = openAfter(judged);
  const findings = [...new Map(report.findings.map((finding) => [finding.fingerprint, finding])).values()];
  const here = new Set(allOf(report).flatMap(namesOf));
  const before = new Set([...open.values()].flatMap(namesOf));
  // a merged finding is known if all its parts are, and a part if its merged finding is
  const isKnown = ({ fingerprint, parts = [] }: Finding): boolean =>
    before.has(fingerprint) || (parts.length > 0 && parts.every((part) => before.has(part.fingerprint)));
  const fingerprintsOf = (known: boolean): string[] =>
    findings.filter((finding) => isKnown(finding) === known).map(({ fingerprint }) => fingerprint);
  const absent = [...open.values()].filter((finding) => !namesOf(finding).some((name) => here.has(name)));
  return {
    previous: previous.startedAt,
    new: fingerprintsOf(false),
    known: fingerprintsOf(true),
    gone: absent.filter(goneIn(report, absent)).map(({ fingerprint }) => fingerprint),
    ...lostSince(previous, report),
  };
}

function lostSince(previous: Report, { coverage }: Report): Pick<NonNullable<Report['since']>, 'lost'> {
  const seenIn = (operations: readonly OperationCoverage[]): number => documentedFields(operations).seen;
  const before = previous.coverage.operations;
  const fields = Math.max(0, seenIn(before) - seenIn(coverage.operations));
  const calledIn = (operations: readonly OperationCoverage[]): Set<string> =>
    new Set(operations.flatMap(({ exercised, operationId }) => (exercised ? [operationId] : [])));
  const [calledBefore, called] = [calledIn(before), calledIn(coverage.operations)];
  if (fields === 0 && called.size >= calledBefore.size) return {};
  const operations = before.map(({ operationId }) => operationId);
  const isMissing = (id: string): boolean => calledBefore.has(id) && !called.has(id);
  const of = (all: readonly OperationCoverage[], id: string): number =>
    seenIn(all.filter(({ operationId }) => operationId === id));
  return {
    lost: {
      fields,
      operations: operations.filter((id) => isMissing(id) || of(coverage.operations, id) < of(before, id)),
    },
  };
}

/** Decides whether a finding is fixed, as for an entry of a baseline. An audit rule must have been exercised. */
export function goneIn(report: Report, absent: readonly EarlierFinding[]): (finding: EarlierFinding) => boolean {
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
    return outcome === undefined ? stale.has(fingerprint) : ['kept', 'broken'].includes(outcome);
  };
}

function entryOf(finding: EarlierFinding): BaselineEntry {
  const { fingerprint, rule, operationId, pointer } = finding;
  const { engineRule = rule, checks = [] }: Partial<Finding> = finding;
  return {
    fingerprint,
    rule: engineRule,
    operation: operationId,
    pointer,
    checks,
    parts: [],
    reason: '',
    owner: null,
    expires: '',
  };
}
