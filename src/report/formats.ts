import type { Report } from '../model/report.ts';
import type { Redactor } from '../redact/redact.ts';
import { renderGithub } from './github.ts';
import { renderGitlab } from './gitlab.ts';
import { renderHtml } from './html.ts';
import { renderJson } from './json.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import { renderSarif } from './sarif.ts';
import { renderText } from './text.ts';

export interface RenderOptions {
  /** Escape sequences for colours, in formats for a terminal. */
  readonly color?: boolean;
  /** Width of the terminal. */
  readonly columns?: number | undefined;
  /** Knows the secrets of the run. */
  readonly redactor?: Redactor;
  /** The checkout: files below it are named relative to it, in formats that put findings on a line. */
  readonly root?: string | undefined;
}

/** A format of reports: pure, one file each. */
export interface Format {
  readonly summary: string;
  render(report: Report, options: RenderOptions): string;
}

export const FORMAT_NAMES = ['text', 'json', 'junit', 'sarif', 'github', 'gitlab', 'markdown', 'html'] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

/** Every format. A name without a row does not compile. */
export const FORMATS: Readonly<Record<FormatName, Format>> = {
  text: { summary: 'for a person at a terminal', render: renderText },
  json: {
    summary: 'everything, as schemas/report.schema.json describes',
    render: (report, { redactor }) => renderJson(report, redactor),
  },
  junit: { summary: 'JUnit XML, for the test view of a CI system', render: renderJunit },
  sarif: { summary: 'SARIF 2.1.0, for code scanning', render: renderSarif },
  github: { summary: 'annotations in GitHub Actions, and the job summary', render: renderGithub },
  gitlab: { summary: "GitLab's code quality report", render: renderGitlab },
  markdown: { summary: 'for an issue, a comment or a job summary; bounded', render: renderMarkdown },
  html: { summary: 'one page for a browser, complete in itself', render: renderHtml },
};
