import type { Report } from '../model/report.ts';
import { plain } from '../text/plain.ts';
import {
  createRoom,
  type Inline,
  inlines,
  type Pen,
  type RichLine,
  type Room,
  type Section,
  type Tone,
  writeAll,
} from './blocks.ts';
import { documentOf } from './document.ts';
import { type Render, redacting } from './format.ts';
import { shortened } from './markup.ts';
import { numbersOf, shortDigest } from './summary.ts';
import { headline, type ReportEnding } from './words/verdict.ts';

/** Characters. Fits into an issue, a comment (65,536 each) and a job summary. */
export const MARKDOWN_LIMIT = 60_000;

/** Characters of each section except findings, which get the remaining space. */
const BESIDE = 4_000;
const LONGEST = 1_000;
const LONGEST_CODE = 300;

const ICON: Readonly<Record<Tone, string>> = { error: '🔴 ', warning: '🟠 ', info: '🔵 ', good: '🟢 ', plain: '' };

const ENDINGS: Readonly<Record<ReportEnding, string>> = {
  interrupted: '⏹️',
  drift: '❌',
  inconclusive: '❔',
  agrees: '✅',
  warned: '⚠️',
};

const OPEN: ReadonlySet<string> = new Set(['notes', 'findings', 'next']);

export const renderMarkdown: Render = redacting((report, { root }) => {
  const { ending, headword, reason, head, sections } = documentOf(report, root);
  const facts = writeAll(head, PEN, roomFor(BESIDE));
  const top = `## ${ENDINGS[ending]} ${headline({ headword, reason: escaped(reason) })}.\n\n${facts}`;
  const mark = markOf(report);
  const others = new Map(sections.map((each) => [each.id, each.id === 'findings' ? '' : framed(each, BESIDE)]));
  const used = [top, mark, ...others.values()].reduce((sum, { length }) => sum + length, 0);
  const parts = sections.map((each) => others.get(each.id) || framed(each, MARKDOWN_LIMIT - used - 200));
  return `${[top, ...parts].join('\n').trimEnd()}\n\n${mark}\n`.replace(/\n{3,}/g, '\n\n');
});

function roomFor(size: number): Room {
  return createRoom(size, ({ length }) => length);
}

function framed(section: Section, size: number): string {
  const body = writeAll(section.blocks, PEN, roomFor(size));
  if (body === '') return '';
  if (OPEN.has(section.id)) return `### ${section.title}\n\n${body}`;
  const number = section.number === undefined ? '' : ` (${section.number})`;
  return `<details><summary>${section.title}${number}</summary>\n\n${body.trimEnd()}\n\n</details>\n`;
}

/** For scripts: digests and counts. A text of a target can never fill a line of its own. */
function markOf({ findings, accepted, target }: Report): string {
  const fingerprints = [...new Set(findings.map(({ fingerprint }) => fingerprint))].sort();
  const digest = shortDigest(JSON.stringify(fingerprints));
  const counts = Object.entries(numbersOf(findings)).map(([severity, number]) => `${severity}=${number}`);
  const about = shortDigest(target.baseUrl);
  return `<!-- banking-api findings=${digest} target=${about} ${counts.join(' ')} accepted=${accepted.length} -->`;
}

const PEN: Pen = {
  isPage: false,
  text: (line) => `${marked(line)}\n\n`,
  pairs: (pairs) => `${pairs.map(([label, line]) => `- **${label}**: ${marked(line)}\n`).join('')}\n`,
  command: (command) => `${fenced([command], 'sh')}\n\n`,
  yaml: (lines) => `${fenced(lines, 'yaml')}\n\n`,
  item: (line) => `- ${marked(line)}\n`,
  rows: ({ rows }) => rows.map((row) => `| ${row.map(marked).join(' | ')} |\n`),
  list: (items) => `${items}\n`,
  table: (columns, rows) => `| ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length)}\n${rows}\n`,
  group: ({ title }, inner, depth) => `${depth === 0 ? '#### ' : ''}${marked(title)}\n\n${inner}`,
  more: (number) => `**${number} more** in the JSON report.\n\n`,
};

function marked(line: RichLine): string {
  return inlines(line).map(markedInline).join('');
}

function markedInline(part: Inline): string {
  if (typeof part === 'string') return escaped(part);
  if ('code' in part) return code(part.code);
  if ('chip' in part) return `${ICON[part.tone]}**${escaped(part.chip)}**`;
  return 'link' in part ? `[${escaped(part.link)}](${part.to})` : `${part.share} of ${part.of}`;
}

function code(value: string): string {
  const text = plain(shortened(value, LONGEST_CODE)).trim();
  if (text === '') return 'none';
  // a pipe behind a backslash ends a cell even in code
  if (/\\\|/.test(text)) return `<code>${escaped(text)}</code>`;
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  // inside code, a table recognises only the backslash before a pipe
  return `${fence}${pad}${text.replaceAll('|', '\\|')}${pad}${fence}`;
}

function fenced(lines: readonly string[], language: string): string {
  const text = lines.map(plain).join('\n');
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Prose without markup, HTML, and text that GitHub would turn into a link. */
function escaped(value: string): string {
  return plain(shortened(value, LONGEST))
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
