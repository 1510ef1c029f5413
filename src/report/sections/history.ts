import type { GoneFinding, Report } from '../../model/report.ts';
import { count } from '../../text/words.ts';
import { list, pageTable, type Section, text } from '../blocks.ts';
import { severityCounts, timeOf } from '../summary.ts';

/** Most runs with a row of their own; the JSON report has all. */
const MOST_RUNS = 60;
const MOST_NAMED = 10;

export function goneSection(report: Report): Section {
  const gone = goneTexts(report);
  const open = report.history?.notLookedFor ?? [];
  const blocks = [
    ...list(gone),
    ...(open.length === 0
      ? []
      : [
          text('Not rechecked, because their checks did not finish:'),
          ...list(open.slice(0, MOST_NAMED).map(goneText)),
          ...(open.length > MOST_NAMED ? [text(`and ${open.length - MOST_NAMED} more in the JSON report`)] : []),
        ]),
  ];
  return { id: 'gone', title: 'Gone or not rechecked', number: gone.length + open.length, blocks };
}

export function goneTexts({ since, history }: Report): string[] {
  const known = new Map(history?.gone.map((finding) => [finding.fingerprint, finding]));
  return (since?.gone ?? []).map((fingerprint) => {
    const finding = known.get(fingerprint);
    return finding === undefined ? fingerprint : goneText(finding);
  });
}

function goneText(finding: GoneFinding): string {
  const { fingerprint, severity, firstSeen, lastSeen } = finding;
  return `${severity} ${gonePlace(finding)}, first seen ${firstSeen.slice(0, 10)}, last seen ${lastSeen.slice(0, 10)} (${fingerprint})`;
}

/** `type-contradicted in someOperation at /pointer`. */
export function gonePlace(finding: Pick<GoneFinding, 'rule' | 'operationId' | 'pointer'>): string {
  const { rule, operationId, pointer } = finding;
  return `${rule}${operationId === null ? '' : ` in ${operationId}`}${pointer === '' ? '' : ` at ${pointer}`}`;
}

export function historySection({ history }: Report): Section {
  const { runs = [] } = history ?? {};
  const shown = runs.slice(-MOST_RUNS).toReversed();
  const left = runs.length - shown.length;
  const rows = shown.map(({ startedAt, verdict, findings }) => {
    return [
      timeOf(startedAt),
      { chip: verdict, tone: verdict === 'drift' ? 'error' : verdict === 'agrees' ? 'good' : 'warning' } as const,
      severityCounts(findings).join(', ') || 'none',
    ];
  });
  const title = `${count(runs.length, 'run')}${left > 0 ? `, the last ${MOST_RUNS} shown` : ''}`;
  const all = pageTable(title, ['Run', 'Verdict', 'Findings'], rows, true);
  return { id: 'history', title: 'History', number: runs.length, blocks: runs.length < 2 ? [] : [all] };
}
