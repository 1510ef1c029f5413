import type { Finding } from '../../model/finding.ts';
import type { Report } from '../../model/report.ts';
import { plain } from '../../plain.ts';
import { byOperation, callOf } from '../summary.ts';
import { count, wrap } from '../wrap.ts';
import type { Paint } from './paint.ts';

const INDENT = ' '.repeat(10);
const LABEL_WIDTH = 10;
const MOST_EXCHANGES = 5;

/** A fact about a finding, under a label; nothing is said of an empty one. */
type Row = readonly [label: string, text: string];

/** Findings under the operation that shows them; the operation with the worst finding comes first. */
export function findingLines(findings: readonly Finding[], paint: Paint, width: number): string[] {
  return byOperation(findings).flatMap((group) => [
    ...group.slice(0, 1).map((first) => paint.bold(titleOf(first))),
    ...group.flatMap((finding) => [
      headOf(finding, paint),
      ...wrap(plain(finding.message), width - INDENT.length).map((line) => INDENT + line),
      ...labelled([...shapes(finding), ['seen', seen(finding)]], paint, width),
    ]),
    '',
  ]);
}

/** Accepted findings as they are, with why they are and until when. */
export function acceptedLines(accepted: Report['accepted'], paint: Paint, width: number): string[] {
  return accepted.flatMap(({ finding, reason, owner, expires }) => {
    const by = owner === null ? '' : ` by ${owner}`;
    const rows: Row[] = [['accepted', `${reason} (until ${expires}${by})`], ...shapes(finding)];
    return [titleOf(finding), headOf(finding, paint), ...labelled(rows, paint, width), ''];
  });
}

function titleOf(finding: Finding): string {
  return plain(callOf(finding, '  '));
}

function headOf({ severity, rule, pointer, provenance }: Finding, paint: Paint): string {
  const place = pointer === '' ? '' : ` at ${plain(pointer)}`;
  return `  ${paint.severity(severity, severity.padEnd(7))} ${paint.bold(plain(rule))}${place} ${paint.dim(`(${provenance})`)}`;
}

/** What was expected by which line of the contract, and what came. */
function shapes({ expected, actual, reference, rule, location }: Finding): Row[] {
  return [
    ['expected', expected],
    ['actual', actual],
    ['see', `${reference}; docs/rules/${rule}.md`],
    ['spec', location === null ? '' : `${location.file}:${location.line}:${location.column}`],
  ];
}

function labelled(rows: readonly Row[], paint: Paint, width: number): string[] {
  return rows
    .filter(([, text]) => text !== '')
    .flatMap(([label, text]) =>
      wrap(plain(text), width - INDENT.length - LABEL_WIDTH).map(
        (line, index) => `${INDENT}${paint.dim((index === 0 ? label : '').padEnd(LABEL_WIDTH))}${line}`,
      ),
    );
}

function seen({ occurrences, exchanges, fingerprint, firstSeen }: Finding): string {
  const numbers = exchanges.slice(0, MOST_EXCHANGES).join(', ');
  const more = exchanges.length > MOST_EXCHANGES ? ', …' : '';
  const parts = [
    count(occurrences, 'time'),
    ...(exchanges.length === 0 ? [] : [`exchange${exchanges.length === 1 ? '' : 's'} ${numbers}${more}`]),
    ...(firstSeen === undefined ? [] : [`first ${firstSeen.slice(0, 10)}`]),
    `fingerprint ${fingerprint}`,
  ];
  return parts.join(', ');
}
