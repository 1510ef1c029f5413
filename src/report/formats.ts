import type { Render } from './format.ts';
import { renderJson } from './format.ts';
import { renderGithub } from './github.ts';
import { renderGitlab } from './gitlab.ts';
import { renderHtml } from './html.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import { renderSarif } from './sarif.ts';
import { renderText } from './text.ts';

export const FORMAT_NAMES = ['text', 'json', 'junit', 'sarif', 'github', 'gitlab', 'markdown', 'html'] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

export const FORMATS: Readonly<Record<FormatName, Render>> = {
  text: renderText,
  json: (report, { redactor } = {}) => renderJson(report, redactor),
  junit: renderJunit,
  sarif: renderSarif,
  github: renderGithub,
  gitlab: renderGitlab,
  markdown: renderMarkdown,
  html: renderHtml,
};
