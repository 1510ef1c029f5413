import { createHash } from 'node:crypto';
import { type Render, redacting } from './format.ts';
import { checksSection } from './html/checks.ts';
import { coverageSection } from './html/coverage.ts';
import { findingsSection } from './html/findings.ts';
import { hero, next, tiles, titleOf } from './html/head.ts';
import { historySection } from './html/history.ts';
import { createBudget, html, type Markup } from './html/markup.ts';
import { acceptedSection, createdSection, deprecationsSection, rulesSection, staleSection } from './html/sections.ts';
import { SCRIPT, STYLE } from './html/style.ts';

/** No page is larger than this many bytes, whatever the report holds. */
export const HTML_LIMIT: number = 6 * 1024 * 1024;

const FINDINGS_BYTES = 4 * 1024 * 1024;
const PART_BYTES = 512 * 1024;

/**
 * The report as one page that needs nothing else: no address is loaded, the policy in its head forbids it, and all but the search works
 * without a script. At most {@link HTML_LIMIT} bytes: what does not fit is counted and left to the JSON report.
 */
export const renderHtml: Render = redacting((report, { root }) => {
  // `frame-ancestors` is not for a meta element; a server that hands the page out sends it as a header
  const policy = `default-src 'none'; style-src '${hashOf(STYLE)}'; script-src '${hashOf(SCRIPT)}'; base-uri 'none'; form-action 'none'`;
  const sections: readonly [id: string, title: string, number: number | null, Markup][] = [
    ['findings', 'Findings', report.findings.length, findingsSection(report, root, createBudget(FINDINGS_BYTES))],
    ['next', 'What to do next', null, next(report)],
    ['rules', 'Rules', report.rules?.length ?? null, rulesSection(report, createBudget(PART_BYTES / 4))],
    ['accepted', 'Accepted', report.accepted.length, acceptedSection(report, root, createBudget(PART_BYTES / 2))],
    ['stale', 'Stale', report.stale.length, staleSection(report, createBudget(PART_BYTES / 4))],
    ['created', 'Created', report.created?.length ?? null, createdSection(report, createBudget(PART_BYTES / 4))],
    ['coverage', 'Coverage', null, coverageSection(report, createBudget(PART_BYTES))],
    ['checks', 'Checks', report.checks.length, checksSection(report, createBudget(PART_BYTES))],
    ['deprecations', 'Deprecated forms', null, deprecationsSection(report)],
    ['history', 'History', null, historySection(report, createBudget(PART_BYTES / 4))],
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
<title>${titleOf(report)}: ${report.target.baseUrl.slice(0, 100)}</title>
<style>${{ markup: STYLE }}</style>
</head>
<body>
<a class="skip" href="#findings">To the findings</a>
${hero(report)}
<nav aria-label="Sections"><div class="wrap">${shown.map(
    ([id, title, number]) => html`<a href="#${id}">${title}${number !== null && html` <b>${number}</b>`}</a>`,
  )}</div></nav>
<main class="wrap">
${tiles(report)}
${shown.map(([, , , section]) => section)}
</main>
<footer><div class="wrap">Written by ${report.tool.name} ${report.tool.version}. Secrets are masked. This page loads nothing from anywhere.</div></footer>
<script>${{ markup: SCRIPT }}</script>
</body>
</html>
`;
  return page.markup;
});

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
