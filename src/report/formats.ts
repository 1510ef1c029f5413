import type { Render } from './format.ts';
import { renderJson } from './format.ts';
import { renderGithub } from './github.ts';
import { renderGitlab } from './gitlab.ts';
import { renderHtml } from './html.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import { renderSarif } from './sarif.ts';
import { renderText } from './text.ts';

export const FORMATS = {
  text: renderText,
  json: (report, { redactor } = {}) => renderJson(report, redactor),
  junit: renderJunit,
  sarif: renderSarif,
  github: renderGithub,
  gitlab: renderGitlab,
  markdown: renderMarkdown,
  html: renderHtml,
} satisfies Readonly<Record<string, Render>>;

export type FormatName = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];
