import { styleText } from 'node:util';
import type { Severity } from '../../model/finding.ts';
import { plain } from '../../plain.ts';
import { wrap } from '../wrap.ts';

const NARROWEST = 60;
const WIDEST = 120;

/** What the lines are made for: a width, and colours or none. */
export interface Page {
  readonly width: number;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly severity: (severity: Severity, text: string) => string;
}

type Style = Parameters<typeof styleText>[0];

const STYLES: Readonly<Record<Severity, Style>> = { error: 'red', warning: 'yellow', info: 'cyan' };

/** The caller decides on colours; the stream is not asked. */
export function createPage(color: boolean, columns: number): Page {
  const paint =
    (style: Style) =>
    (text: string): string =>
      color ? styleText(style, text, { validateStream: false }) : text;
  return {
    width: Math.min(WIDEST, Math.max(NARROWEST, columns)),
    bold: paint('bold'),
    dim: paint('dim'),
    good: paint('green'),
    severity: (severity, text) => paint(STYLES[severity])(text),
  };
}

/** A text under a label. */
export type LabelledText = readonly [label: string, text: string];

/** Rows whose labels stand `indent` characters in and are `label` wide; nothing is said of an empty text. */
export function labelled(rows: readonly LabelledText[], { width, dim }: Page, indent: number, label: number): string[] {
  return rows
    .filter(([, text]) => text !== '')
    .flatMap(([name, text]) =>
      wrap(plain(text), width - indent - label).map(
        (line, index) => `${' '.repeat(indent)}${dim((index === 0 ? name : '').padEnd(label))}${line}`,
      ),
    );
}
