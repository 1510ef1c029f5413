import { createHash } from 'node:crypto';
import type { Finding, Severity } from '../model/finding.ts';
import type { OperationCoverage, Outcome, Report } from '../model/report.ts';
import { plain } from '../plain.ts';
import { type Render, redacting } from './format.ts';
import { rulePage, ruleTitle, shownAt } from './links.ts';
import {
  byOperation,
  callersText,
  checkCounts,
  findingCounts,
  numberOf,
  numbersOf,
  requestOf,
  subjectOf,
  tookOf,
  whenOf,
} from './summary.ts';
import { watchWords } from './words/deprecations.ts';
import { infoLines, partInfos } from './words/infos.ts';
import { byReason, partsOf, whyInconclusive, whyNotCalled } from './words/reasons.ts';
import { remarksOf } from './words/remarks.ts';
import { type Newness, newnessIn } from './words/since.ts';
import { ticketTime } from './words/tickets.ts';
import { type Tone, toneOf, VERDICT, verdictSentences } from './words/verdict.ts';
import { capitalised, count } from './wrap.ts';

/** Most characters of a Markdown report: it fits into an issue, a comment (65,536 each) and a job summary. */
export const MARKDOWN_LIMIT = 60_000;

/** Room that is kept for what stands below the findings. */
const TAIL = 12_000;
const LONGEST_CELL = 300;
const MOST_ROWS = 40;
const MOST_REASONS = 5;
const MOST_IDS = 3;

const ICON: Readonly<Record<Severity, string>> = { error: '🔴', warning: '🟠', info: '🔵' };

/** The report for an issue, a comment or a job summary, at most {@link MARKDOWN_LIMIT} characters long. */
export const renderMarkdown: Render = redacting((report, { root }) => {
  const below = [
    ...infosSection(report),
    ...rulesSection(report),
    ...acceptedSection(report),
    ...staleSection(report),
    ...createdSection(report),
    ...checksSection(report),
    ...coverageSection(report),
    ...deprecationsSection(report),
  ].join('\n');
  const tail = below.length > TAIL ? `${below.slice(0, below.lastIndexOf('\n', TAIL))}\n\n…\n` : below;
  const head = headSection(report).join('\n');
  const mark = markOf(report);
  const room = MARKDOWN_LIMIT - head.length - tail.length - mark.length - 200;
  return `${[head, ...findingsSection(report, root, room), tail].join('\n').trimEnd()}\n\n${mark}\n`;
});

/**
 * The last line, for scripts: a digest over the fingerprints of all findings, shown or not, and how many there are of each severity.
 * No text of a target can stand alone in a line, so that none can be taken for it.
 */
function markOf({ findings, accepted }: Report): string {
  const fingerprints = [...new Set(findings.map(({ fingerprint }) => fingerprint))].sort();
  const digest = createHash('sha256').update(JSON.stringify(fingerprints)).digest('hex').slice(0, 16);
  const counts = Object.entries(numbersOf(findings)).map(([severity, number]) => `${severity}=${number}`);
  return `<!-- banking-api findings=${digest} ${counts.join(' ')} accepted=${accepted.length} -->`;
}

function callersRow(report: Report): string[] {
  const callers = callersText(report);
  return callers === null ? [] : [`| Callers | ${escaped(callers)} |`];
}

/** The score card of a caller. */
function rulesSection({ rules = [] }: Report): string[] {
  if (rules.length === 0) return [];
  const rows = rules.map(({ rule, outcome, evidence = '' }) => [
    code(rule),
    outcome.replace('-', ' '),
    escaped(evidence),
  ]);
  return ['### Rules', '', ...table(['Rule', 'Outcome', 'Evidence'], rows), ''];
}

function headSection(report: Report): string[] {
  const { target, tool } = report;
  const [first = '', ...rest] = verdictSentences(report);
  return [
    `## ${VERDICT_ICON[toneOf(report)]} ${VERDICT[toneOf(report)]}: ${escaped(first)}`,
    '',
    ...(rest.length === 0 ? [] : [rest.map((sentence) => `${escaped(capitalised(sentence))}.`).join(' '), '']),
    `| | |`,
    `|---|---|`,
    `| Target | ${code(target.baseUrl)}${target.kind === 'mock' ? ' (a mock)' : ''} |`,
    `| Run | ${escaped(`${whenOf(report)}, ${tookOf(report)}, ${tool.name} ${tool.version}`)} |`,
    `| Findings | ${findingCounts(report)} |`,
    `| Checks | ${checkCounts(report.checks)} |`,
    ...callersRow(report),
    '',
    ...whySection(report),
    ...remarksSection(report),
  ];
}

/** What stood in the way of a run that proved nothing. */
function whySection(report: Report): string[] {
  const why = whyInconclusive(report);
  if (why.length === 0) return [];
  const left = why.length - MOST_REASONS;
  return [
    ...why.slice(0, MOST_REASONS).map(({ reason, checks }) => `- ${count(checks.length, 'check')}: ${escaped(reason)}`),
    ...(left > 0 ? [`- ${count(left, 'more reason')}`] : []),
    '',
  ];
}

const VERDICT_ICON: Readonly<Record<Tone, string>> = {
  interrupted: '⏹️',
  drift: '❌',
  inconclusive: '❔',
  agrees: '✅',
  warned: '⚠️',
};

/** What the reader has to know beside the findings. */
function remarksSection(report: Report): string[] {
  const remarks = remarksOf(report);
  if (remarks.length === 0) return [];
  const more = remarks.length - MOST_ROWS;
  return [
    ...remarks.slice(0, MOST_ROWS).map(({ title, severity, text, location }) => {
      const place = location === null ? '' : ` (${code(`${location.file}:${location.line}`)})`;
      return `- ${ICON[severity]} **${title}**: ${escaped(text)}${place}`;
    }),
    ...(more > 0 ? [`- and ${more} more`] : []),
    '',
  ];
}

/** Infos, a line per operation, folded. */
function infosSection({ findings }: Report): string[] {
  const { infos } = partInfos(findings);
  return folded(
    `${infos.length} worth knowing`,
    ['operation', 'what'],
    infoLines(infos).map(({ operationId, text }) => [code(operationId ?? 'the target'), escaped(text)]),
  );
}

function findingsSection(report: Report, root: string | undefined, room: number): string[] {
  const { tool } = report;
  const findings = partInfos(report.findings).loud;
  const newness = newnessIn(report);
  if (findings.length === 0) return [];
  const lines = ['### Findings', ''];
  let left = room;
  let shown = 0;
  let operation: string | undefined;
  for (const finding of byOperation(findings, newness).flat()) {
    const title = titleOf(finding);
    const block = [
      ...(title === operation ? [] : [`#### ${title}`, '']),
      ...oneFinding(finding, newness(finding), root, tool.version),
    ];
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

function oneFinding(finding: Finding, newness: Newness | null, root: string | undefined, version: string): string[] {
  const { severity, rule, pointer, expected, actual, provenance, fingerprint, occurrences, firstSeen, reference } =
    finding;
  const { file, line } = shownAt(finding, root);
  const place = pointer === '' ? '' : ` at ${code(pointer)}`;
  const since = firstSeen === undefined ? '' : `, first seen ${firstSeen.slice(0, 10)}`;
  return [
    `${ICON[severity]} ${newness === 'new' ? '**new** ' : ''}**${severity}**: ${escaped(ruleTitle(finding))}${place} ([${escaped(rule)}](${rulePage(finding, version)}))`,
    '',
    ...table(['expected', 'actual'], [[`${code(expected)} (${provenance})`, code(actual)]]),
    '',
    `${escaped(finding.message)} Contract: ${code(`${file}:${line}`)} (${escaped(reference)}). Seen ${count(occurrences, 'time')}${since}. Fingerprint ${code(fingerprint)}.`,
    '',
    ...ticketOf(finding),
  ];
}

/** When it was seen, what the target calls the request, and how to send it again. */
function ticketOf({ ticket }: Finding): string[] {
  if (ticket === undefined) return [];
  const curl = ticket.curl === null ? [] : ['', ...block(ticket.curl)];
  return [`At ${escaped(ticketTime(ticket))}.`, ...curl, ''];
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

function createdSection({ created = [] }: Report): string[] {
  const left = created.filter(({ removed }) => !removed).length;
  return folded(
    `${created.length} created by this run${left === 0 ? ', all removed again' : `, ${left} left there`}`,
    ['what', 'by', 'state'],
    created.map(({ id, operationId, removed, reason }) => [
      code(id),
      code(operationId),
      removed ? 'removed again' : `left there: ${escaped(reason)}`,
    ]),
  );
}

function checksSection({ checks }: Report): string[] {
  const table = (outcome: Outcome, words: string): string[] => {
    const rows = byReason(checks.filter((each) => each.outcome === outcome)).map(({ reason, checks: own }) => {
      const ids = own.slice(0, MOST_IDS).map(({ id }) => code(id));
      const more = own.length > MOST_IDS ? ` and ${own.length - MOST_IDS} more` : '';
      return [escaped(reason), ids.join(', ') + more];
    });
    return folded(`${count(numberOf(checks, outcome), 'check')} ${words}`, ['reason', 'checks'], rows);
  };
  return [...table('inconclusive', 'could not be judged'), ...table('skipped', 'skipped')];
}

function coverageSection({ coverage: { operations }, checks }: Report): string[] {
  if (operations.length === 0) return [];
  const { located, answered, unanswered, idle } = partsOf(operations);
  const fields = located.flatMap((operation) => operation.fields);
  const seen = fields.filter((field) => field.seen > 0);
  const names = (own: readonly OperationCoverage[]): string =>
    own.map(({ operationId }) => code(operationId)).join(', ');
  return [
    `**Coverage**: ${located.length} of ${count(operations.length, 'operation')} located, ${answered.length + unanswered.length} called; ${seen.length} of ${count(fields.length, 'known field')} seen.`,
    '',
    ...(unanswered.length === 0 ? [] : [`Called, no good answer: ${names(unanswered)}.`, '']),
    ...(answered.length === 0
      ? []
      : folded(
          `${count(idle.length, 'operation')} not called`,
          ['reason', 'operations'],
          [...whyNotCalled(idle, checks)].map(([why, own]) => [escaped(why || 'no check calls them'), names(own)]),
        )),
  ];
}

function deprecationsSection({ deprecations, startedAt }: Report): string[] {
  return folded(
    'Deprecated forms',
    ['form', 'successor', 'state', 'shape', 'Deprecation', 'Sunset'],
    deprecations.map((watch) => {
      const { life, shape, deprecation, sunset, nearness } = watchWords(watch, startedAt);
      return [
        code(watch.operationId),
        code(watch.successor),
        life,
        shape.text,
        escaped(deprecation),
        escaped(sunset) + (nearness === null ? '' : ` (**${nearness.text}**)`),
      ];
    }),
  );
}

function folded(title: string, columns: readonly string[], rows: readonly string[][]): string[] {
  if (rows.length === 0) return [];
  const more = rows.length - MOST_ROWS;
  return [
    `<details><summary>${title}</summary>`,
    '',
    ...table(columns, rows.slice(0, MOST_ROWS)),
    ...(more > 0 ? ['', `and ${more} more`] : []),
    '',
    '</details>',
    '',
  ];
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [row(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(row)];
}

function titleOf(finding: Finding): string {
  const call = requestOf(finding);
  const name = escaped(subjectOf(finding));
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

/** A block of one line of a shell: nothing in it is markup, and it can be copied as it is. */
function block(line: string): string[] {
  const text = plain(line);
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}sh`, text, fence];
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
