import type { Finding } from '../../model/finding.ts';
import type { Report } from '../../model/report.ts';
import { plain } from '../../plain.ts';
import { pageName } from '../links.ts';
import { byOperation, callOf } from '../summary.ts';
import { infoLines, partInfos } from '../words/infos.ts';
import { type Newness, newnessIn } from '../words/since.ts';
import { ticketTime } from '../words/tickets.ts';
import { count, hanging, wrap } from '../wrap.ts';
import { type LabelledText, labelled, type Page } from './page.ts';

/** Where the text of a finding begins. */
const INDENT = 10;
const MOST_EXCHANGES = 5;

/** Findings under the operation that shows them; the operation with the worst finding comes first. Infos have a section of their own. */
export function findingLines(report: Report, page: Page): string[] {
  const newness = newnessIn(report);
  return byOperation(partInfos(report.findings).loud, newness).flatMap((group) => [
    ...group.slice(0, 1).map((first) => page.bold(titleOf(first))),
    ...group.flatMap((finding) => [
      findingHead(finding, page, newness(finding)),
      ...wrap(plain(finding.message), page.width - INDENT).map((line) => ' '.repeat(INDENT) + line),
      ...labelled([...shapes(finding), ...ticketOf(finding), ['seen', seen(finding)]], page, INDENT, INDENT),
      ...repeatLine(finding, page),
    ]),
    '',
  ]);
}

/** Infos, a paragraph per operation. */
export function infoSection({ findings }: Report, page: Page): string[] {
  const lines = infoLines(partInfos(findings).infos).flatMap(({ text }) => hanging(plain(text), page.width));
  return lines.length === 0 ? [] : [...lines, ''];
}

/** Accepted findings as they are, with why they are and until when. */
export function acceptedLines(accepted: Report['accepted'], page: Page): string[] {
  return accepted.flatMap(({ finding, reason, owner, expires }) => {
    const by = owner === null ? '' : ` by ${owner}`;
    const rows: LabelledText[] = [['accepted', `${reason} (until ${expires}${by})`], ...shapes(finding)];
    return [titleOf(finding), findingHead(finding, page), ...labelled(rows, page, INDENT, INDENT), ''];
  });
}

function titleOf(finding: Finding): string {
  return plain(callOf(finding, '  '));
}

function findingHead(
  { severity, rule, pointer, provenance }: Finding,
  page: Page,
  newness: Newness | null = null,
): string {
  const isNew = newness === 'new' ? page.bold(' new') : '';
  const place = pointer === '' ? '' : ` at ${plain(pointer)}`;
  return `  ${page.severity(severity, severity.padEnd(7))} ${page.bold(plain(rule))}${place} ${page.dim(`(${provenance})`)}${isNew}`;
}

/** What was expected by which line of the contract, and what came. */
function shapes(finding: Finding): LabelledText[] {
  const { expected, actual, reference, location } = finding;
  return [
    ['expected', expected],
    ['actual', actual],
    ['see', `${reference}; docs/rules/${pageName(finding)}.md`],
    ['spec', location === null ? '' : `${location.file}:${location.line}:${location.column}`],
  ];
}

/** What a ticket for whoever runs the target says. */
function ticketOf({ ticket }: Finding): LabelledText[] {
  if (ticket === undefined) return [];
  return [['at', ticketTime(ticket)]];
}

/** In one line however long, so that it can be copied. */
function repeatLine({ ticket }: Finding, { dim }: Page): string[] {
  const curl = ticket?.curl ?? '';
  return curl === '' ? [] : [`${' '.repeat(INDENT)}${dim('repeat'.padEnd(INDENT))}${plain(curl)}`];
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
