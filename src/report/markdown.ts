import { type Finding, SEVERITIES, type Severity } from '../drift/finding.ts';
import { EXIT } from '../errors.ts';
import type { RenderOptions } from './formats.ts';
import { shownAt } from './location.ts';
import { plain } from './plain.ts';
import { redacted } from './redacted.ts';
import type { Check, Report } from './report.ts';
import { rulePage, ruleTitle } from './rule-page.ts';
import { count } from './wrap.ts';

/** Most characters of a Markdown report: it fits into an issue, a comment (65,536 each) and a job summary. */
export const MARKDOWN_LIMIT = 60_000;

/** Room that is kept for what stands below the findings. */
const TAIL = 12_000;
const LONGEST_CELL = 300;
const MOST_ROWS = 40;

const ICON: Readonly<Record<Severity, string>> = { error: '🔴', warning: '🟠', info: '🔵' };

/** The report for an issue, a comment or a job summary, at most {@link MARKDOWN_LIMIT} characters long. */
export function renderMarkdown(report: Report, { redactor, root }: RenderOptions = {}): string {
  const clean = redacted(report, redactor);
  const below = [
    ...acceptedSection(clean),
    ...staleSection(clean),
    ...checksSection(clean),
    ...coverageSection(clean),
    ...deprecationsSection(clean),
  ].join('\n');
  const tail = below.length > TAIL ? `${below.slice(0, below.lastIndexOf('\n', TAIL))}\n\n…\n` : below;
  const head = headSection(clean).join('\n');
  const room = MARKDOWN_LIMIT - head.length - tail.length - 200;
  return `${[head, ...findingsSection(clean, root, room), tail].join('\n').trimEnd()}\n`;
}

function headSection(report: Report): string[] {
  const { target, startedAt, durationMs, tool } = report;
  return [
    `## ${verdictOf(report)}`,
    '',
    `| | |`,
    `|---|---|`,
    `| Target | ${code(target.baseUrl)}${target.kind === 'mock' ? ' (a mock)' : ''} |`,
    `| Run | ${startedAt.slice(0, 16).replace('T', ' ')} UTC, ${(durationMs / 1000).toFixed(1)} s, ${tool.name} ${tool.version} |`,
    `| Findings | ${findingCounts(report)} |`,
    `| Checks | ${checkCounts(report.checks)} |`,
    '',
  ];
}

function verdictOf({ exitCode, verdict, target, stale }: Report): string {
  if (exitCode === EXIT.interrupted) return '⏹️ Interrupted: the run did not come to its end';
  const who = target.kind === 'journal' ? 'the caller' : 'the target';
  if (verdict === 'drift') return `❌ Drift: ${who} differs from the contract`;
  if (verdict === 'inconclusive') return '❔ Inconclusive: it could not be told whether the target agrees';
  const but = stale.length === 0 ? '' : `, but the baseline has ${count(stale.length, 'stale entry', 'stale entries')}`;
  return `✅ Agrees: ${who} agrees with the contract${but}`;
}

function findingCounts({ findings, accepted, stale }: Report): string {
  const of = (severity: Severity): number => findings.filter((finding) => finding.severity === severity).length;
  const parts = SEVERITIES.filter((severity) => of(severity) > 0).map((severity) =>
    severity === 'info' ? `${of(severity)} info` : count(of(severity), severity),
  );
  if (accepted.length > 0) parts.push(`${accepted.length} accepted`);
  if (stale.length > 0) parts.push(`${stale.length} stale`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function checkCounts(checks: readonly Check[]): string {
  const counts = (['passed', 'failed', 'inconclusive', 'skipped'] as const)
    .map((outcome) => [checks.filter((check) => check.outcome === outcome).length, outcome] as const)
    .filter(([number]) => number > 0);
  return counts.length === 0 ? 'none' : counts.map(([number, outcome]) => `${number} ${outcome}`).join(', ');
}

function findingsSection({ findings, tool }: Report, root: string | undefined, room: number): string[] {
  if (findings.length === 0) return [];
  const lines = ['### Findings', ''];
  let left = room;
  let shown = 0;
  let operation: string | undefined;
  for (const finding of grouped(findings)) {
    const title = titleOf(finding);
    const block = [...(title === operation ? [] : [`#### ${title}`, '']), ...oneFinding(finding, root, tool.version)];
    const size = block.reduce((sum, line) => sum + line.length + 1, 0);
    if (size > left) break;
    left -= size;
    shown += 1;
    operation = title;
    lines.push(...block);
  }
  const missing = findings.length - shown;
  if (missing > 0)
    lines.push(
      `**${count(missing, 'more finding')}** ${missing === 1 ? 'is' : 'are'} not shown here; the JSON report has all.`,
      '',
    );
  return lines;
}

function oneFinding(finding: Finding, root: string | undefined, version: string): string[] {
  const { severity, rule, pointer, expected, actual, provenance, fingerprint, occurrences, firstSeen, reference } =
    finding;
  const { file, line } = shownAt(finding, root);
  const place = pointer === '' ? '' : ` at ${code(pointer)}`;
  const since = firstSeen === undefined ? '' : `, first seen ${firstSeen.slice(0, 10)}`;
  return [
    `${ICON[severity]} **${severity}**: ${escaped(ruleTitle(rule))}${place} ([${escaped(rule)}](${rulePage(rule, version)}))`,
    '',
    '| expected | actual |',
    '|---|---|',
    `| ${code(expected)} (${provenance}) | ${code(actual)} |`,
    '',
    `${escaped(finding.message)} Contract: ${code(`${file}:${line}`)} (${escaped(reference)}). Seen ${count(occurrences, 'time')}${since}. Fingerprint ${code(fingerprint)}.`,
    '',
  ];
}

function acceptedSection({ accepted }: Report): string[] {
  return folded(
    `${accepted.length} accepted by the baseline`,
    ['finding', 'reason', 'until', 'owner'],
    accepted.map(({ finding, reason, expires, owner }) => [
      `${escaped(finding.rule)} ${code(`${finding.operationId ?? ''} ${finding.pointer}`.trim())}`,
      escaped(reason),
      escaped(expires),
      escaped(owner ?? ''),
    ]),
  );
}

function staleSection({ stale }: Report): string[] {
  return folded(
    `${stale.length} stale in the baseline`,
    ['fingerprint', 'why'],
    stale.map(({ fingerprint, why }) => [code(fingerprint), escaped(why)]),
  );
}

function checksSection({ checks }: Report): string[] {
  const rows = (outcome: Check['outcome']): string[][] => {
    const byReason = new Map<string, string[]>();
    for (const check of checks.filter((each) => each.outcome === outcome)) {
      byReason.set(check.reason, [...(byReason.get(check.reason) ?? []), check.id]);
    }
    return [...byReason].map(([reason, ids]) => [
      escaped(reason || 'no reason given'),
      ids.slice(0, 3).map(code).join(', ') + (ids.length > 3 ? ` and ${ids.length - 3} more` : ''),
    ]);
  };
  const of = (outcome: Check['outcome']): number => checks.filter((each) => each.outcome === outcome).length;
  return [
    ...folded(`${count(of('inconclusive'), 'check')} could not be judged`, ['reason', 'checks'], rows('inconclusive')),
    ...folded(`${count(of('skipped'), 'check')} skipped`, ['reason', 'checks'], rows('skipped')),
  ];
}

function coverageSection({ coverage: { operations } }: Report): string[] {
  if (operations.length === 0) return [];
  const located = operations.filter((operation) => operation.located !== null);
  const called = located.filter((operation) => operation.exercised);
  const fields = located.flatMap((operation) => operation.fields);
  const seen = fields.filter((field) => field.seen > 0);
  return [
    `**Coverage**: ${located.length} of ${count(operations.length, 'operation')} located, ${called.length} called; ${seen.length} of ${count(fields.length, 'known field')} seen.`,
    '',
  ];
}

function deprecationsSection({ deprecations }: Report): string[] {
  const word = (value: boolean | null, yes: string, no: string): string => (value === null ? '?' : value ? yes : no);
  return folded(
    'Deprecated forms',
    ['form', 'successor', 'state', 'shape', 'Deprecation', 'Sunset'],
    deprecations.map(({ operationId, successor, alive, sameShape, deprecation, sunset }) => [
      code(operationId),
      code(successor),
      word(alive, 'alive', 'withdrawn'),
      word(sameShape, 'same', 'differs'),
      deprecation === null ? 'none' : code(deprecation),
      sunset === null ? 'none' : code(sunset),
    ]),
  );
}

function folded(title: string, columns: readonly string[], rows: readonly string[][]): string[] {
  if (rows.length === 0) return [];
  const more = rows.length - MOST_ROWS;
  return [
    `<details><summary>${title}</summary>`,
    '',
    `| ${columns.join(' | ')} |`,
    `|${'---|'.repeat(columns.length)}`,
    ...rows.slice(0, MOST_ROWS).map((cells) => `| ${cells.join(' | ')} |`),
    ...(more > 0 ? ['', `and ${more} more`] : []),
    '',
    '</details>',
    '',
  ];
}

/** By operation, the one with the worst finding first. */
function grouped(findings: readonly Finding[]): Finding[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of [...findings].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity))) {
    const title = titleOf(finding);
    const group = groups.get(title);
    if (group === undefined) groups.set(title, [finding]);
    else group.push(finding);
  }
  return [...groups.values()].flat();
}

function titleOf({ operationId, method, path }: Finding): string {
  const call = [method, path].filter((part) => part !== null).join(' ');
  const name = operationId === null ? 'The target as a whole' : escaped(operationId);
  return call === '' ? name : `${name} ${code(call)}`;
}

/** A code span, also within a table: nothing in it is markup, a mention or a link. */
function code(value: string): string {
  const text = plain(shortened(value)).trim();
  if (text === '') return 'none';
  // a pipe behind a backslash ends a cell even in code
  if (/\\\|/.test(text)) return `<code>${escaped(text)}</code>`;
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  // a backslash before a pipe is the one escape that a table knows within code
  return `${fence}${pad}${text.replaceAll('|', '\\|')}${pad}${fence}`;
}

/** Prose: no markup, no HTML, and no mention, reference or address that GitHub would make a link of. */
function escaped(value: string): string {
  return plain(shortened(value))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_{}[\]()~!$^]/g, '\\$&')
    .replace(/^([-+#=])/, '\\$1')
    .replace(/^(\d+)\./, '$1\\.')
    .replace(/[@#]|(?<=www)\.|:(?=\/\/)|(?<=\bGH)-/gi, '$&<!-- -->')
    .replace(/:(?=[\w+-]+:)/g, '&#58;')
    .replaceAll('|', '&#124;');
}

function shortened(text: string): string {
  return text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
