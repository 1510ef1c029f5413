import { styleText } from 'node:util';
import type { Severity } from '../../model/finding.ts';

type Style = Parameters<typeof styleText>[0];

/** Colours, or none. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly severity: (severity: Severity, text: string) => string;
}

const OF: Readonly<Record<Severity, Style>> = { error: 'red', warning: 'yellow', info: 'cyan' };

/** Colours for a terminal where `color`, else none. The caller decides; the stream is not asked. */
export function createPaint(color: boolean): Paint {
  const paint =
    (style: Style) =>
    (text: string): string =>
      color ? styleText(style, text, { validateStream: false }) : text;
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    good: paint('green'),
    severity: (severity, text) => paint(OF[severity])(text),
  };
}
