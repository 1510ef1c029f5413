import { randomUUID } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding } from '../drift/finding.ts';
import { ToolError } from '../errors.ts';
import { unreadable } from '../files/read.ts';
import { writeWhole } from '../files/write.ts';
import type { Redactor } from '../http/redact.ts';
import { renderJson } from './json.ts';
import { readReport } from './read.ts';
import type { GoneFinding, Report, RunSummary } from './report.ts';

/** So many reports of a folder are read, those that come last by name; what they carry on from older ones is not lost. */
export const MOST_REPORTS = 120;
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_GONE = 100;

/** Reports of a folder, oldest first, and a sentence for each file that is none. */
export interface ReadHistory {
  readonly reports: readonly Report[];
  readonly notes: readonly string[];
}

/**
 * Reads the JSON reports of a folder. A file that is no report of ours is skipped with a note; a folder that is not there is empty.
 * Throws `ToolError('file-unreadable')` where the folder cannot be read.
 */
export async function readHistory(folder: string): Promise<ReadHistory> {
  const names = await readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return [];
    if (cause.code === 'ENOTDIR')
      throw new ToolError('file-unreadable', 'It is no folder.', { place: { file: folder } });
    throw unreadable(folder, cause);
  });
  const reports: Report[] = [];
  const notes: string[] = [];
  for (const name of names
    .filter((each) => each.endsWith('.json'))
    .sort()
    .slice(-MOST_REPORTS)) {
    try {
      reports.push(await readOne(join(folder, name)));
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      notes.push(`History: skipped ${error.describe()}`);
    }
  }
  return { reports: reports.sort(byStart), notes };
}

async function readOne(file: string): Promise<Report> {
  const found = await stat(file).catch((cause: unknown) => {
    throw unreadable(file, cause);
  });
  if (!found.isFile()) throw new ToolError('file-unreadable', 'It is no file.', { place: { file } });
  if (found.size > MOST_BYTES)
    throw new ToolError('report-invalid', 'It is too large for a report.', { place: { file } });
  return readReport(file);
}

/** Writes a report into the folder, under a name that sorts by time, as a whole or not at all. Returns the file. */
export async function keepInHistory(folder: string, report: Report, redactor?: Redactor): Promise<string> {
  const time = report.startedAt.replace(/[^\dTZ.]/g, '-');
  const file = join(folder, `${time}-${randomUUID().slice(0, 8)}.json`);
  await writeWhole(file, renderJson(report, redactor));
  return file;
}

/**
 * The report with what earlier ones tell: when each finding was first seen, how the runs went, what is gone. Only reports of the same
 * command and target that began before it count.
 */
export function withHistory(report: Report, earlier: readonly Report[]): Report {
  const before = earlier.filter((each) => isSameTarget(each, report) && byStart(each, report) < 0).sort(byStart);
  const first = new Map<string, string>();
  const last = new Map<string, { readonly finding: Finding; readonly seen: string }>();
  for (const each of before) {
    for (const finding of allOf(each)) {
      const since = finding.firstSeen ?? each.startedAt;
      const known = first.get(finding.fingerprint);
      if (known === undefined || since < known) first.set(finding.fingerprint, since);
      last.set(finding.fingerprint, { finding, seen: each.startedAt });
    }
  }
  const dated = (finding: Finding): Finding => ({
    ...finding,
    firstSeen: first.get(finding.fingerprint) ?? report.startedAt,
    lastSeen: report.startedAt,
  });
  const now = new Set(allOf(report).map(({ fingerprint }) => fingerprint));
  const gone = [...last.values()]
    .filter(({ finding }) => !now.has(finding.fingerprint))
    .sort((a, b) => compare(b.seen, a.seen) || compare(a.finding.fingerprint, b.finding.fingerprint))
    .slice(0, MOST_GONE)
    .map(({ finding, seen }): GoneFinding => {
      const { fingerprint, rule, severity, operationId, pointer } = finding;
      return {
        fingerprint,
        rule,
        severity,
        operationId,
        pointer,
        firstSeen: first.get(fingerprint) ?? seen,
        lastSeen: seen,
      };
    });
  return {
    ...report,
    findings: report.findings.map(dated),
    accepted: report.accepted.map((each) => ({ ...each, finding: dated(each.finding) })),
    history: { runs: [...before, report].map(summaryOf), gone },
  };
}

function summaryOf({ startedAt, verdict, exitCode, findings, accepted }: Report): RunSummary {
  const of = (severity: Finding['severity']): number => findings.filter((each) => each.severity === severity).length;
  const counts = { error: of('error'), warning: of('warning'), info: of('info') };
  return { startedAt, verdict, exitCode, findings: counts, accepted: accepted.length };
}

function allOf({ findings, accepted }: Report): Finding[] {
  return [...findings, ...accepted.map(({ finding }) => finding)];
}

/** The embedded mock has another port in each run. */
function isSameTarget(a: Report, b: Report): boolean {
  const same = a.target.kind === b.target.kind && (a.target.kind === 'mock' || a.target.baseUrl === b.target.baseUrl);
  return same && a.command === b.command;
}

function byStart(a: Report, b: Report): number {
  return compare(a.startedAt, b.startedAt);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
