import { createHash } from 'node:crypto';
import type { Report } from '../model/report.ts';
import type { RenderOptions } from './formats.ts';
import { checksSection } from './html/checks.ts';
import { coverageSection } from './html/coverage.ts';
import { findingsSection } from './html/findings.ts';
import { hero, tiles, titleOf } from './html/head.ts';
import { historySection } from './html/history.ts';
import { createBudget, html, type Markup } from './html/markup.ts';
import { rulesSection } from './html/rules.ts';
import { acceptedSection, createdSection, deprecationsSection, staleSection } from './html/sections.ts';
import { SCRIPT, STYLE } from './html/style.ts';
import { redacted } from './redacted.ts';

/** No page is larger than this many bytes, whatever the report holds. */
export const HTML_LIMIT: number = 6 * 1024 * 1024;

const FINDINGS_BYTES = 4 * 1024 * 1024;
const PART_BYTES = 512 * 1024;

/**
 * The report as one page that needs nothing else: no address is loaded, the policy in its head forbids it, and all but the search works
 * without a script. At most {@link HTML_LIMIT} bytes: what does not fit is counted and left to the JSON report.
 */
export function renderHtml(report: Report, { redactor, root }: RenderOptions = {}): string {
  const clean = redacted(report, redactor);
  // `frame-ancestors` is not for a meta element; a server that hands the page out sends it as a header
  const policy = `default-src 'none'; style-src '${hashOf(STYLE)}'; script-src '${hashOf(SCRIPT)}'; base-uri 'none'; form-action 'none'`;
  const sections: readonly [id: string, title: string, number: number | null, Markup][] = [
    ['findings', 'Findings', clean.findings.length, findingsSection(clean, root, createBudget(FINDINGS_BYTES))],
    ['rules', 'Rules', clean.rules?.length ?? null, rulesSection(clean, createBudget(PART_BYTES / 4))],
    ['accepted', 'Accepted', clean.accepted.length, acceptedSection(clean, root, createBudget(PART_BYTES / 2))],
    ['stale', 'Stale', clean.stale.length, staleSection(clean, createBudget(PART_BYTES / 4))],
    ['created', 'Created', clean.created?.length ?? null, createdSection(clean, createBudget(PART_BYTES / 4))],
    ['coverage', 'Coverage', null, coverageSection(clean, createBudget(PART_BYTES))],
    ['checks', 'Checks', clean.checks.length, checksSection(clean, createBudget(PART_BYTES))],
    ['deprecations', 'Deprecated forms', null, deprecationsSection(clean)],
    ['history', 'History', null, historySection(clean, createBudget(PART_BYTES / 4))],
  ];
  const shown = sections.filter(([, , , section]) => section.markup !== '');
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${titleOf(clean)}: ${clean.target.baseUrl.slice(0, 100)}</title>
<style>${{ markup: STYLE }}</style>
</head>
<body>
<a class="skip" href="#findings">To the findings</a>
${hero(clean)}
<nav aria-label="Sections"><div class="wrap">${shown.map(
    ([id, title, number]) => html`<a href="#${id}">${title}${number !== null && html` <b>${number}</b>`}</a>`,
  )}</div></nav>
<main class="wrap">
${tiles(clean)}
${shown.map(([, , , section]) => section)}
</main>
<footer><div class="wrap">Written by ${clean.tool.name} ${clean.tool.version}. Secrets are masked. This page loads nothing from anywhere.</div></footer>
<script>${{ markup: SCRIPT }}</script>
</body>
</html>
`;
  return page.markup;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
