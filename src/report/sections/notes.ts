import type { Finding, Severity } from '../../model/finding.ts';
import type { Report } from '../../model/report.ts';
import { count } from '../../text/words.ts';
import { list, type RichLine, type Section } from '../blocks.ts';
import { shownAt } from '../links.ts';
import { allOf } from '../since.ts';
import { callText } from '../summary.ts';
import { byReason, reasonLine } from '../words/reasons.ts';
import { gonePlace, goneTexts } from './history.ts';

export interface Note {
  readonly title: string;
  readonly severity: Exclude<Severity, 'error'>;
  readonly text: string;
  readonly location: Finding['location'];
  readonly about: string;
}

const SOON_DAYS = 7;
const DAY = 86_400_000;

/** Titles of notices that do not weaken the verdict, by code. */
const QUIET: ReadonlyMap<string, string> = new Map([
  ['baseline-of-another-target', 'Ignored'],
  ['rate-limited', 'Slowed down'],
  ['skip-ended', 'Skip ended'],
]);

export function notesSection(report: Report, root: string | undefined): Section {
  const items = notesOf(report).map(({ title, severity, text, location }): RichLine => {
    const { file, line, column } = shownAt({ location }, root);
    const place = location === null ? [] : [' (', { code: `${file}:${line}:${column}` }, ')'];
    return [{ chip: title, tone: severity }, `: ${text}`, ...place];
  });
  return { id: 'notes', title: 'Notes', number: items.length, blocks: list(items) };
}

export function notesOf(report: Report): Note[] {
  const { command, notices = [], expired = [], accepted } = report;
  const missed = command === 'diff' ? 'Not compared' : 'Not watched';
  const findings = new Map(allOf(report).map((finding) => [finding.fingerprint, finding]));
  const noticed = notices.map(
    ({ code, message, location, unwatched = [] }): Note => ({
      title: QUIET.get(code) ?? 'Weakens the verdict',
      severity: QUIET.has(code) ? 'info' : 'warning',
      text: unwatched.length === 0 ? message : `${message} ${missed}: ${unwatched.join(', ')}.`,
      location,
      about: code,
    }),
  );
  const acceptance = (title: string, about: string, text: string): Note => {
    return { title, severity: 'warning', text, location: null, about };
  };
  const over = expired.map((entry) =>
    acceptance(
      'Acceptance expired',
      entry.fingerprint,
      `${nameOf(findings.get(entry.fingerprint))} was accepted until ${entry.expires}${whyOf(entry)}. It counts again. Fix it, or accept it again with banking-api accept.`,
    ),
  );
  const soon = accepted.flatMap(({ finding, ...entry }): Note[] => {
    const left = daysLeft(entry.expires, report.startedAt);
    if (left === null || left > SOON_DAYS) return [];
    const when = left <= 0 ? 'today is the last day' : `${count(left, 'day')} left`;
    const text = `${nameOf(finding)} is accepted until ${entry.expires} (${when})${whyOf(entry)}.`;
    return [acceptance('Acceptance ends soon', entry.fingerprint, text)];
  });
  const { warning = [], info = [] } = Object.groupBy(noticed, ({ severity }) => severity);
  return [...warning, ...over, ...soon, ...info];
}

export function remarksOf(report: Report): Note[] {
  const remark = (title: string, text: string, severity: Note['severity'] = 'warning'): Note => {
    return { title, severity, text, location: null, about: '' };
  };
  const unclear = report.checks.filter(({ outcome }) => outcome === 'inconclusive');
  return [
    ...notesOf(report),
    ...goneTexts(report).map((gone) => remark('Gone', gone, 'info')),
    ...byReason(unclear).map((shared) => remark('Could not be judged', reasonLine(shared))),
    ...report.stale.map(({ fingerprint, why }) => remark('Stale in the baseline', `${fingerprint}: ${why}`)),
  ];
}

/** Calendar days; null if a date is invalid. */
function daysLeft(expires: string, startedAt: string): number | null {
  const days = (Date.parse(expires) - Date.parse(startedAt.slice(0, 10))) / DAY;
  return Number.isNaN(days) ? null : Math.floor(days);
}

function whyOf({ reason, owner }: NonNullable<Report['expired']>[number]): string {
  return ` by ${owner ?? 'an unnamed owner'}: ${reason.replace(/\.$/, '')}`;
}

function nameOf(finding: Finding | undefined): string {
  if (finding === undefined) return 'A finding';
  return `${gonePlace({ ...finding, operationId: finding.operationId ?? callText(finding) })} (${finding.fingerprint})`;
}
