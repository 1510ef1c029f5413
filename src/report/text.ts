import { styleText } from 'node:util';
import { plain } from '../text/plain.ts';
import { type Inline, inlines, type Pen, type RichLine, type TableBlock, type Tone, writeAll } from './blocks.ts';
import { documentOf } from './document.ts';
import { type Render, redacting } from './format.ts';
import { headline, type ReportEnding } from './words/verdict.ts';
import { wrap } from './wrap.ts';

const NARROWEST = 60;
const WIDEST = 120;
const LABEL = 10;

type TextStyle = Parameters<typeof styleText>[0];
type Paint = (style: TextStyle, text: string) => string;

const STYLES: Readonly<Record<Tone | ReportEnding, TextStyle>> = {
  error: 'red',
  warning: 'yellow',
  info: 'cyan',
  good: 'green',
  plain: 'reset',
  drift: 'red',
  inconclusive: 'yellow',
  warned: 'yellow',
  agrees: 'green',
  interrupted: 'reset',
};

export const renderText: Render = redacting((report, { color = false, columns = 100, root }) => {
  const { ending, headword, reason, head, sections } = documentOf(report, root);
  // the caller decides on colours, not the stream
  const paint: Paint = (style, text) =>
    color && style !== 'reset' ? styleText(style, text, { validateStream: false }) : text;
  const width = Math.min(WIDEST, Math.max(NARROWEST, columns));
  const pen = createTextPen(width, paint);
  const first = wrap(plain(`${headline({ headword, reason })}.`), width).map((line) =>
    paint('bold', paint(STYLES[ending], line)),
  );
  const parts = sections.flatMap((section) => {
    const body = writeAll(section.blocks, pen).trimEnd();
    const rule = `── ${section.title} ${'─'.repeat(Math.max(0, width - section.title.length - 4))}`;
    return body === '' ? [] : [`${paint('bold', rule)}\n${body}\n`];
  });
  const top = writeAll(head, pen);
  return `${[`${first.join('\n')}\n${top}`, ...parts].join('\n')}`;
});

function createTextPen(width: number, paint: Paint): Pen {
  const pad = (depth: number): string => ' '.repeat(2 * depth);
  /** Wrapped, with a hanging indent. */
  const paragraph = (line: RichLine, prefix: string, hang = prefix.length): string[] =>
    wrap(wordsOf(line), width - hang).map((each, index) => (index === 0 ? prefix : ' '.repeat(hang)) + each);
  const withChip = (line: RichLine, text: string): string => {
    const [chip] = inlines(line);
    if (typeof chip !== 'object' || !('chip' in chip)) return text;
    const word = plain(chip.chip);
    return text.replace(word, () => paint(STYLES[chip.tone], word));
  };
  const joined = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
  return {
    isPage: false,
    text: (line, depth, tone) => joined(paragraph(line, pad(depth)).map((each) => paint(STYLES[tone], each))),
    pairs: (pairs, depth) =>
      joined(
        pairs.flatMap(([label, line]) => {
          const start = pad(Math.max(1, depth));
          return paragraph(line, start + label.padEnd(LABEL)).map((each, index) =>
            index === 0 ? start + paint('dim', label) + each.slice(start.length + label.length) : each,
          );
        }),
      ),
    // always one line, so that it can be copied
    command: (command, depth) => `${pad(depth)}${paint('dim', 'repeat'.padEnd(LABEL))}${plain(command)}\n`,
    yaml: (lines, depth) => lines.map((line) => `${pad(depth + 1)}${plain(line)}\n`).join(''),
    item: (line, depth) => {
      const start = pad(Math.max(1, depth));
      return joined(paragraph(line, `${start}· `).map((each, index) => (index === 0 ? withChip(line, each) : each)));
    },
    rows: (table, depth) => tableRows(table, pad(Math.max(1, depth)), width, withChip),
    list: (items) => items,
    table: (_, rows) => rows,
    group: ({ title, tone }, inner, depth) => {
      const text = wordsOf(title).trimEnd();
      const first = inlines(title)[0];
      const head =
        typeof first === 'object' && 'chip' in first
          ? withChip(title, text)
          : paint('bold', tone === undefined ? text : paint(STYLES[tone], text));
      return `${pad(depth)}${head}\n${inner}${depth === 0 ? '\n' : ''}`;
    },
    more: (number, depth) => `${pad(depth)}${number} more in the JSON report\n`,
  };
}

function tableRows(
  { rows }: TableBlock,
  start: string,
  width: number,
  withChip: (line: RichLine, text: string) => string,
): string[] {
  const words = rows.map((row) => row.map(wordsOf));
  const widths = rows[0]?.map((_, column) => Math.max(...words.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row, index) => {
    const cells = words[index] ?? [];
    const before = cells.slice(0, -1).map((cell, column) => cell.padEnd(widths[column] ?? 0));
    const prefix = start + before.map((cell) => `${cell}  `).join('');
    const painted = start + before.map((cell, column) => `${withChip(row[column] ?? '', cell)}  `).join('');
    return wrap(cells.at(-1) ?? '', Math.max(20, width - prefix.length))
      .map((line, at) => `${((at === 0 ? painted : ' '.repeat(prefix.length)) + line).trimEnd()}\n`)
      .join('');
  });
}

function wordsOf(line: RichLine): string {
  return plain(inlines(line).map(wordOf).join(''));
}

function wordOf(part: Inline): string {
  if (typeof part === 'string') return part;
  if ('code' in part) return part.code;
  if ('chip' in part) return part.chip;
  return 'link' in part ? part.link : `${part.share} of ${part.of}`;
}
