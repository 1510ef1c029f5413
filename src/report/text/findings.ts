import { type Finding, SEVERITIES } from '../../drift/finding.ts';
import { plain } from '../plain.ts';
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

/** `getCard  GET /wallet/…`, with what is known. */
export function titleOf({ operationId, method, path }: Pick<Finding, 'operationId' | 'method' | 'path'>): string {
  const call = [method, path].filter((part) => part !== null).join(' ');
  return plain([operationId ?? 'the target as a whole', call].filter((part) => part !== '').join('  '));
}

function oneFinding(finding: Finding, paint: Paint, width: number): string[] {
  const { severity, rule, pointer, provenance } = finding;
  const place = pointer === '' ? '' : ` at ${plain(pointer)}`;
  const head = `  ${paint.severity(severity, severity.padEnd(7))} ${paint.bold(plain(rule))}${place} ${paint.dim(`(${provenance})`)}`;
  const rows: [string, string][] = [];
  if (finding.expected !== '') rows.push(['expected', finding.expected]);
  if (finding.actual !== '') rows.push(['actual', finding.actual]);
  rows.push(['see', `${finding.reference}; docs/rules/${rule}.md`]);
  const { location } = finding;
  if (location !== null) rows.push(['spec', `${location.file}:${location.line}:${location.column}`]);
  rows.push(['seen', seen(finding)]);
  return [
    head,
    ...wrap(plain(finding.message), width - 10).map((line) => `          ${line}`),
    ...rows.flatMap(([label, text]) => labelled(label, plain(text), paint, width)),
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
