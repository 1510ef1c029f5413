import type { Finding, Severity } from '../../model/finding.ts';
import type { Report } from '../../model/report.ts';
import { allOf } from '../since.ts';
import { callOf } from '../summary.ts';
import { count } from '../wrap.ts';

/** What the reader of a report has to know beside its findings. */
export interface Remark {
  /** A few words, with a capital. */
  readonly title: string;
  readonly severity: Exclude<Severity, 'error'>;
  /** Whole sentences. */
  readonly text: string;
  /** The line that it is about. */
  readonly location: Finding['location'];
  /** The finding that it is about, or a word for the kind of remark. */
  readonly about: string;
}

/** An acceptance that ends within so many days is told of. */
const SOON_DAYS = 7;
const DAY = 86_400_000;

/** Remarks that only say what was left out. */
const QUIET: ReadonlySet<string> = new Set(['baseline-of-another-target']);

/** What weakens the verdict, which acceptances have expired, and which soon will: the weightiest first. */
export function remarksOf(report: Report): Remark[] {
  const { command, notices = [], expired = [], accepted } = report;
  const missed = command === 'diff' ? 'Not compared' : 'Not watched';
  const findings = new Map(allOf(report).map((finding) => [finding.fingerprint, finding]));
  const told = notices.map(
    ({ code, message, location, unwatched = [] }): Remark => ({
      title: QUIET.has(code) ? 'Left aside' : 'Weakens the verdict',
      severity: QUIET.has(code) ? 'info' : 'warning',
      text: unwatched.length === 0 ? message : `${message} ${missed}: ${unwatched.join(', ')}.`,
      location,
      about: code,
    }),
  );
  const over = expired.map(
    (entry): Remark => ({
      title: 'Acceptance expired',
      severity: 'warning',
      text: `${nameOf(findings.get(entry.fingerprint))} was accepted until ${entry.expires}${whyOf(entry)}. It counts again: renew it by banking-api accept, or have it mended.`,
      location: null,
      about: entry.fingerprint,
    }),
  );
  const soon = accepted.flatMap(({ finding, ...entry }): Remark[] => {
    const left = daysLeft(entry.expires, report.startedAt);
    if (left === null || left > SOON_DAYS) return [];
    const when = left <= 0 ? 'today is its last day' : `${count(left, 'day')} left`;
    return [
      {
        title: 'Acceptance ends soon',
        severity: 'warning',
        text: `${nameOf(finding)} is accepted until ${entry.expires} (${when})${whyOf(entry)}.`,
        location: null,
        about: entry.fingerprint,
      },
    ];
  });
  return [...told.filter(isLoud), ...over, ...soon, ...told.filter((remark) => !isLoud(remark))];
}

function isLoud({ severity }: Remark): boolean {
  return severity === 'warning';
}

/** How many days of the calendar an acceptance has left; null where one of the two is no date. */
function daysLeft(expires: string, startedAt: string): number | null {
  const days = (Date.parse(expires) - Date.parse(startedAt.slice(0, 10))) / DAY;
  return Number.isNaN(days) ? null : Math.floor(days);
}

function whyOf({ reason, owner }: NonNullable<Report['expired']>[number]): string {
  return ` by ${owner ?? 'nobody named'}: ${reason.replace(/\.$/, '')}`;
}

function nameOf(finding: Finding | undefined): string {
  if (finding === undefined) return 'A finding';
  const { rule, operationId, pointer, fingerprint } = finding;
  const where = pointer === '' ? '' : ` at ${pointer}`;
  return `${rule} in ${operationId ?? callOf(finding)}${where} (${fingerprint})`;
}
