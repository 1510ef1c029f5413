import { createHash } from 'node:crypto';
import {
  type Block,
  createRoom,
  type Inline,
  inlines,
  type Pen,
  type RichLine,
  type Section,
  writeAll,
} from './blocks.ts';
import { documentOf } from './document.ts';
import { type Render, redacting } from './format.ts';
import { html, type Markup, shortened } from './markup.ts';
import { SCRIPT, STYLE } from './style.ts';
import { headline } from './words/verdict.ts';

export const HTML_LIMIT: number = 6 * 1024 * 1024;

const FINDINGS_BYTES = 3.5 * 1024 * 1024;
/** For the head and for each section except findings, at most 12. */
const SECTION_BYTES = 160 * 1024;
const LONGEST = 2_000;
const LONGEST_TITLE = 160;
/** Number of findings from which the browser lays out only visible ones. */
const MANY = 60;

/** Its policy forbids every address. Only the search needs a script. */
export const renderHtml: Render = redacting((report, { root }) => {
  const document = documentOf(report, root);
  const { ending, headword, reason, head, sections } = document;
  // `frame-ancestors` is not for a meta element; a server sends it as a header
  const policy = `default-src 'none'; style-src '${hashOf(STYLE)}'; script-src '${hashOf(SCRIPT)}'; base-uri 'none'; form-action 'none'`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${shortened(headline(document), LONGEST_TITLE)}</title>
<style>${{ markup: STYLE }}</style>
</head>
<body>
<a class="skip" href="#main">To the report</a>
<header class="hero ${ending}"><div class="wrap">
<p class="eyebrow">Contract report of ${report.command === 'audit' ? 'a caller' : 'an API'}</p>
<h1>${headword}</h1>
<p class="lead">${shortened(reason, LONGEST)}</p>
${written(head, SECTION_BYTES)}</div></header>
<nav aria-label="Sections"><div class="wrap">${sections.map(
    ({ id, title, number }) => html`<a href="#${id}">${title}${number !== undefined && html` <b>${number}</b>`}</a>`,
  )}</div></nav>
<main class="wrap" id="main">
${sections.map(sectionOf)}
</main>
<footer><div class="wrap">Written by ${report.tool.name} ${report.tool.version}. Secrets are masked. This page loads nothing.</div></footer>
<script>${{ markup: SCRIPT }}</script>
</body>
</html>
`;
  return page.markup;
});

const SEARCH = html`<div class="tools"><label id="q-box" hidden>Search <input type="search" id="q" autocomplete="off" spellcheck="false"><output id="q-out"></output></label></div>`;

function sectionOf(section: Section): Markup {
  const { id, title, number = 0 } = section;
  const isFindings = id === 'findings';
  return html`<section id="${id}"${number > MANY && html` class="many"`}><h2>${title}</h2>${isFindings && SEARCH}
<div class="card">${written(section.blocks, isFindings ? FINDINGS_BYTES : SECTION_BYTES)}</div></section>
`;
}

function written(blocks: readonly Block[], bytes: number): Markup {
  const room = createRoom(bytes, (piece) => Buffer.byteLength(piece));
  return { markup: writeAll(blocks, PEN, room) };
}

const PEN: Pen = {
  isPage: true,
  text: (line) => html`<p>${marked(line)}</p>\n`.markup,
  pairs: (pairs) =>
    html`<dl>${pairs.map(([label, line, first]) =>
      first === undefined
        ? html`<div><dt>${label}</dt><dd>${marked(line)}</dd></div>`
        : html`<div class="wide"><dt>${label}</dt><dd><details><summary>${first}</summary>${String(line).slice(first.length + 2)}</details></dd></div>`,
    )}</dl>\n`.markup,
  command: (command) =>
    html`<details class="repeat"><summary>Repeat the request</summary><pre tabindex="0">${command}</pre></details>\n`
      .markup,
  yaml: (lines) => html`<pre tabindex="0">${lines.join('\n')}</pre>\n`.markup,
  item: (line) => html`<li>${marked(line)}</li>\n`.markup,
  rows: ({ rows }) => rows.map((row) => html`<tr>${row.map((cell) => html`<td>${marked(cell)}</td>`)}</tr>\n`.markup),
  list: (items) => html`<ul>${{ markup: items }}</ul>\n`.markup,
  table: (columns, rows) =>
    html`<table class="stacked"><thead><tr>${columns.map((column) => html`<th>${column}</th>`)}</tr></thead><tbody>${{ markup: rows }}</tbody></table>\n`
      .markup,
  group({ title, tone = 'plain', id, open }, inner) {
    const body = { markup: inner };
    const anchor = id !== undefined && html` id="${id}"`;
    if (open === undefined)
      return html`<article class="f ${tone}"${anchor}><h3>${marked(title)}</h3>${body}</article>\n`.markup;
    return html`<details class="op"${anchor}${open && html` open`}><summary>${marked(title)}</summary>${body}</details>\n`
      .markup;
  },
  more: (number) => html`<p class="none">${number} more in the JSON report.</p>\n`.markup,
};

function marked(line: RichLine): Markup[] {
  return inlines(line).map(markedInline);
}

function markedInline(part: Inline): Markup {
  if (typeof part === 'string') return html`${shortened(part, LONGEST)}`;
  if ('code' in part) return part.code === '' ? html`none` : html`<code>${shortened(part.code, LONGEST)}</code>`;
  if ('chip' in part) return html`<span class="chip ${part.tone}">${shortened(part.chip, LONGEST)}</span>`;
  if ('link' in part) return html`<a href="${part.to}" rel="noreferrer noopener">${part.link}</a>`;
  return html`<span class="nb">${part.share} of ${part.of}</span> <progress value="${part.share}" max="${Math.max(1, part.of)}"></progress>`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
