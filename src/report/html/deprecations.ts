import type { DeprecationWatch, Report } from '../report.ts';
import { type Fact, watchWords } from '../watch-words.ts';
import { capitalised, count } from '../wrap.ts';
import { html, type Markup, shortened } from './markup.ts';

const MOST = 50;
const LONGEST = 200;

/** What is known of each deprecated form, and how near its end is. */
export function deprecationsSection({ deprecations, startedAt }: Report): Markup {
  if (deprecations.length === 0) return html``;
  const missing = deprecations.length - MOST;
  return html`<section id="deprecations"><h2>Deprecated forms</h2><p>Forms that are to be withdrawn, and what takes their place.</p>
<div class="watch">${deprecations.slice(0, MOST).map((watch) => card(watch, startedAt))}</div>${
    missing > 0 && html`<p class="none">${count(missing, 'more form')} in the JSON report.</p>`
  }</section>`;
}

function card(watch: DeprecationWatch, startedAt: string): Markup {
  const { state, since, shape, deprecation, sunset, nearness } = watchWords(watch, startedAt);
  return html`<article class="card"><h3><code>${shortened(watch.operationId, LONGEST)}</code></h3><p>use <code>${shortened(watch.successor, LONGEST)}</code></p>
<div class="chips">${chip(state)}${chip(shape)}${
    nearness !== null && chip({ ...nearness, text: `Sunset: ${nearness.text}` })
  }</div>${since.length > 0 && html`<p class="since">${since.map((part) => html`<span>${capitalised(part)}</span>`)}</p>`}
<dl><dt>Deprecation</dt><dd>${shortened(deprecation, LONGEST)}</dd><dt>Sunset</dt><dd>${shortened(sunset, LONGEST)}</dd></dl></article>`;
}

function chip({ text, tone }: Fact): Markup {
  return html`<span class="chip ${tone === 'plain' ? '' : tone}">${text}</span>`;
}
