import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '../errors.ts';
import { unreadable } from '../files/read.ts';
import { writeWhole } from '../files/write.ts';
import type { Finding } from '../model/finding.ts';
import type { Check, GoneFinding, Report, RunSummary } from '../model/report.ts';
import type { Redactor } from '../redact/redact.ts';
import { compare } from '../text/words.ts';
import { ageOf, seenIn } from './confirmed.ts';
import { lastRunOfEachDay } from './daily-runs.ts';
import { renderJson } from './format.ts';
import { readReport } from './read.ts';
import { allOf, openAfter, sinceOf } from './since.ts';
import { numbersOf } from './summary.ts';

export const MOST_REPORTS = 120;
/** Days. */
export const MAX_AGE = 60;

/**
 * Reads the JSON reports of a folder. A skipped file or a missing folder has a note. Empty if it is interrupted. Throws
 * `ToolError('file-unreadable')`.
 */
export async function readHistory(
  folder: string,
  signal?: AbortSignal,
): Promise<{ reports: Report[]; notes: string[] }> {
  const found = await readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return null;
    if (cause.code === 'ENOTDIR')
      throw new ToolError('file-unreadable', 'It is no folder.', { place: { file: folder } });
    throw unreadable(folder, cause);
  });
  if (found === null)
    return { reports: [], notes: [`History: there is no folder ${folder}; no earlier run is known.`] };
  const names = found.filter((each) => each.endsWith('.json')).sort();
  const older = names.length - MOST_REPORTS;
  const reports: Report[] = [];
  const notes: string[] = [];
  if (older > 0) {
    notes.push(`History: the last ${MOST_REPORTS} files of ${folder} are read; ${older} older by name may be deleted.`);
  }
  for (const name of names.slice(-MOST_REPORTS)) {
    if (signal?.aborted) return { reports: [], notes };
    try {
      reports.push(forComparison(await readReport(join(folder, name))));
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      notes.push(`History: skipped ${error.describe()}`);
    }
  }
  return { reports: reports.sort(byStart), notes };
}

/** Only the parts that later runs compare, because a target controls the length of texts. */
function forComparison(report: Report): Report {
  const unsaid = { expected: '', actual: '', message: '', reference: '', location: null, exchanges: [] };
  const short = ({ ticket, lastSeen: _, lastConfirmed: __, ...finding }: Finding): Finding => ({
    ...finding,
    ...unsaid,
    ...(ticket && { ticket: { at: ticket.at, requestIds: ticket.requestIds, curl: null } }),
  });
  const { findings, accepted, history, ...rest } = report;
  return {
    ...rest,
    findings: findings.map(short),
    accepted: accepted.map((each) => ({ ...each, finding: short(each.finding) })),
    ...(history && { history: { runs: [], gone: [], notLookedFor: history.notLookedFor ?? [] } }),
  };
}

/** Earlier nights in a row that make a finding of an unknown id, or of evidence that stays balanced. */
const NIGHTS = { idsGone: 3, unsettled: 2 };

/**
 * What each of the last nights before `now` (milliseconds) could not judge either: names of the parameters whose ids
 * the target rejected, and operations whose evidence was balanced.
 */
export function unjudgedIn(earlier: readonly Report[], baseUrl: string, now: number) {
  const today = new Date(now).toISOString().slice(0, 10);
  const isOwn = ({ command, target, startedAt }: Report): boolean =>
    command === 'verify' && target.baseUrl === baseUrl && startedAt < today;
  const nights = lastRunOfEachDay(earlier.filter(isOwn));
  const inEach = (least: number, namesIn: (check: Check) => readonly string[]): string[] => {
    const [first = [], ...others] = nights.slice(-least).map(({ checks }) => checks.flatMap(namesIn));
    const isLasting = others.length === least - 1;
    return isLasting ? [...new Set(first)].filter((name) => others.every((names) => names.includes(name))) : [];
  };
  return {
    idsGone: inEach(NIGHTS.idsGone, ({ why }) => (why?.kind === 'ids-gone' ? why.names : [])),
    unsettled: inEach(NIGHTS.unsettled, ({ why, operationId }) =>
      why?.kind === 'unsettled' && operationId !== null ? [operationId] : [],
    ),
  };
}

/** The ids that the last run of a target found, as digests, and the lists that ever showed an id. */
export function discoveredIn(earlier: readonly Report[], baseUrl: string) {
  const found = earlier.flatMap(({ target, discovered = [] }) =>
    target.baseUrl === baseUrl && discovered.length > 0 ? [discovered] : [],
  );
  return {
    knownIds: (found.at(-1) ?? []).flatMap(({ digest }) => digest ?? []),
    filledLists: [...new Set(found.flat().flatMap(({ from }) => from ?? []))],
  };
}

export async function keepInHistory(folder: string, report: Report, redactor?: Redactor): Promise<string> {
  const time = report.startedAt.replace(/[^\dTZ.]/g, '-');
  const file = join(folder, `${time}-${randomUUID().slice(0, 8)}.json`);
  await writeWhole(file, renderJson(report, redactor));
  return file;
}

/**
 * Adds results of earlier reports of the same command and target: which findings are new, when each first appeared,
 * how the runs ended, which findings are fixed.
 *
 * @param previous report to compare with, of any target. Default: the last of the earlier ones
 * @param maxAge days after which a fact that no run saw again is old
 */
export function withHistory(
  report: Report,
  earlier: readonly Report[],
  previous?: Report,
  maxAge: number = MAX_AGE,
): Report {
  const named = previous === undefined || earlier.some((each) => isSameRun(each, previous)) ? [] : [previous];
  const own = earlier.filter((each) => isSameTarget(each, report) && byStart(each, report) < 0);
  const before = [...own, ...named].sort(byStart);
  const first = firstSeenIn(before);
  const confirmed = seenIn(before);
  const dated = (finding: Finding): Finding => {
    const fact = finding.operationId === null ? undefined : confirmed(finding.operationId, finding.pointer);
    return {
      ...finding,
      firstSeen: first.get(finding.fingerprint) ?? report.startedAt,
      lastSeen: report.startedAt,
      ...(fact && { lastConfirmed: fact.last }),
    };
  };
  const age = ageOf(report, seenIn([...before, report]), maxAge);
  const since = sinceOf(report, previous === undefined ? before : [previous]);
  return {
    ...report,
    findings: report.findings.map(dated),
    accepted: report.accepted.map((each) => ({ ...each, finding: dated(each.finding) })),
    ...(since && { since }),
    ...(age && { age }),
    coverage: withNeverChecked(report.coverage, before),
    history: { runs: [...before, report].map(summaryOf), ...absentFindings(report, before, first) },
  };
}

function withNeverChecked(coverage: Report['coverage'], before: readonly Report[]): Report['coverage'] {
  if (coverage.statements === undefined) return coverage;
  const earlier = before.flatMap((each) => each.coverage.statements ?? []);
  const never = coverage.statements.never.filter(({ id }) =>
    earlier.every((statements) => statements.never.some((one) => one.id === id)),
  );
  return { ...coverage, statements: { ...coverage.statements, never } };
}

function isSameRun(a: Report, b: Report): boolean {
  return a.startedAt === b.startedAt && a.target.baseUrl === b.target.baseUrl && a.command === b.command;
}

function summaryOf({ startedAt, verdict, exitCode, findings, accepted }: Report): RunSummary {
  return { startedAt, verdict, exitCode, findings: numbersOf(findings), accepted: accepted.length };
}

/** The embedded mock has another port in each run. A mock elsewhere that is down looks like any other URL. */
function isSameTarget(a: Report, b: Report): boolean {
  const mocks = a.target.kind === 'mock' && b.target.kind === 'mock';
  return (mocks || a.target.baseUrl === b.target.baseUrl) && a.command === b.command;
}

function byStart(a: Report, b: Report): number {
  return compare(a.startedAt, b.startedAt);
}

const MOST = 100;

function absentFindings(report: Report, before: readonly Report[], first: ReadonlyMap<string, string>) {
  const last = new Map<string, { readonly finding: Finding; readonly seen: string }>();
  for (const each of before) {
    for (const finding of allOf(each)) last.set(finding.fingerprint, { finding, seen: each.startedAt });
  }
  const here = new Set(allOf(report).map(({ fingerprint }) => fingerprint));
  const open = openAfter([...before, report]);
  const absent = [...last.values()]
    .filter(({ finding }) => !here.has(finding.fingerprint))
    .sort((a, b) => compare(b.seen, a.seen) || compare(a.finding.fingerprint, b.finding.fingerprint));
  const listed = (gone: boolean): GoneFinding[] =>
    absent
      .filter(({ finding }) => open.has(finding.fingerprint) !== gone)
      .slice(0, MOST)
      .map(({ finding: { fingerprint, rule, severity, operationId, pointer, checks }, seen }) => ({
        fingerprint,
        rule,
        severity,
        operationId,
        pointer,
        ...(checks && { checks }),
        firstSeen: first.get(fingerprint) ?? seen,
        lastSeen: seen,
      }));
  return { gone: listed(true), notLookedFor: listed(false) };
}

/** By fingerprint. Dates that the reports carry over from older ones count. */
function firstSeenIn(reports: readonly Report[]): Map<string, string> {
  const first = new Map<string, string>();
  for (const report of reports) {
    for (const { fingerprint, firstSeen = report.startedAt } of allOf(report)) {
      const known = first.get(fingerprint);
      if (known === undefined || firstSeen < known) first.set(fingerprint, firstSeen);
    }
  }
  return first;
}
