import { type Finding, SEVERITIES } from '../../drift/finding.ts';
import { plain } from '../plain.ts';
import type { Report } from '../report.ts';
import { count, wrap } from '../wrap.ts';
import type { Paint } from './paint.ts';

const LABEL_WIDTH = 10;
const MOST_EXCHANGES = 5;

/** Findings under the operation that shows them; the operation with the worst finding comes first. */
export function findingLines(findings: readonly Finding[], paint: Paint, width: number): string[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of [...findings].sort(bySeverity)) {
    const title = titleOf(finding);
    groups.set(title, [...(groups.get(title) ?? []), finding]);
  }
  return [...groups].flatMap(([title, group]) => [
    paint.bold(title),
    ...group.flatMap((finding) => oneFinding(finding, paint, width)),
    '',
  ]);
}

/** operationId, method and path template, as far as they are known. */
export function titleOf({ operationId, method, path }: Pick<Finding, 'operationId' | 'method' | 'path'>): string {
  const call = [method, path].filter((part) => part !== null).join(' ');
  return plain([operationId ?? 'the target as a whole', call].filter((part) => part !== '').join('  '));
}

/** Accepted findings as they are, with why they are and until when. */
export function acceptedLines(accepted: Report['accepted'], paint: Paint, width: number): string[] {
  return accepted.flatMap(({ finding, reason, owner, expires }) => {
    const by = owner === null ? '' : ` by ${owner}`;
    const rows: [string, string][] = [['accepted', `${reason} (until ${expires}${by})`], ...shapes(finding)];
    return [
      titleOf(finding),
      headOf(finding, paint),
      ...rows.flatMap(([label, text]) => labelled(label, plain(text), paint, width)),
      '',
    ];
  });
}

function oneFinding(finding: Finding, paint: Paint, width: number): string[] {
  const rows: [string, string][] = [...shapes(finding), ['seen', seen(finding)]];
  return [
    headOf(finding, paint),
    ...wrap(plain(finding.message), width - 10).map((line) => `          ${line}`),
    ...rows.flatMap(([label, text]) => labelled(label, plain(text), paint, width)),
  ];
}

function headOf({ severity, rule, pointer, provenance }: Finding, paint: Paint): string {
  const place = pointer === '' ? '' : ` at ${plain(pointer)}`;
  return `  ${paint.severity(severity, severity.padEnd(7))} ${paint.bold(plain(rule))}${place} ${paint.dim(`(${provenance})`)}`;
}

/** What was expected by which line of the contract, and what came. */
function shapes({ expected, actual, reference, rule, location }: Finding): [label: string, text: string][] {
  return [
    ...(expected === '' ? [] : ([['expected', expected]] as [string, string][])),
    ...(actual === '' ? [] : ([['actual', actual]] as [string, string][])),
    ['see', `${reference}; docs/rules/${rule}.md`],
    ...(location === null
      ? []
      : ([['spec', `${location.file}:${location.line}:${location.column}`]] as [string, string][])),
  ];
}

function labelled(label: string, text: string, paint: Paint, width: number): string[] {
  return wrap(text, width - 10 - LABEL_WIDTH).map(
    (line, index) => `          ${paint.dim((index === 0 ? label : '').padEnd(LABEL_WIDTH))}${line}`,
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

function bySeverity(a: Finding, b: Finding): number {
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
}
