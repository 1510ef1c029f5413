import type { Redactor } from '../http/redact.ts';
import { renderJson } from './json.ts';
import type { Report } from './report.ts';
import { renderText } from './text.ts';

export interface RenderOptions {
  /** Escape sequences for colours, in formats for a terminal. */
  readonly color?: boolean;
  /** Width of the terminal. */
  readonly columns?: number | undefined;
  /** Knows the secrets of the run. */
  readonly redactor?: Redactor;
}

/** A format of reports: pure, one file each. */
export interface Format {
  readonly summary: string;
  render(report: Report, options: RenderOptions): string;
}

export const FORMAT_NAMES = ['text', 'json'] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

/** Every format. A name without a row does not compile. */
export const FORMATS: Readonly<Record<FormatName, Format>> = {
  text: { summary: 'for a person at a terminal', render: renderText },
  json: {
    summary: 'everything, as schemas/report.schema.json describes',
    render: (report, { redactor }) => renderJson(report, redactor),
  },
};
