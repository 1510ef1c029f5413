import type { DeprecationWatch, Report } from '../report.ts';
import { html, type Markup, shortened } from './markup.ts';

const NEAR_DAYS = 30;
const DAY = 86_400_000;
const MOST = 50;

/** What is known of each deprecated form, and how near its end is. */
export function deprecationsSection({ deprecations, startedAt }: Report): Markup {
  if (deprecations.length === 0) return html``;
  return html`<section id="deprecations"><h2>Deprecated forms</h2><p>Forms that are to be withdrawn, and what takes their place.</p>
<div class="watch">${deprecations.slice(0, MOST).map((watch) => card(watch, Date.parse(startedAt)))}</div></section>`;
}

function card(
  { operationId, successor, alive, sameShape, deprecation, sunset }: DeprecationWatch,
  now: number,
): Markup {
  const state =
    alive === null
      ? html`<span class="chip">not known whether it lives</span>`
      : alive
        ? html`<span class="chip good">alive</span>`
        : html`<span class="chip error">withdrawn</span>`;
  const shape =
    sameShape === null
      ? html``
      : sameShape
        ? html`<span class="chip good">same shape</span>`
        : html`<span class="chip warning">another shape</span>`;
  return html`<article class="card"><h3><code>${shortened(operationId, 200)}</code></h3><p>use <code>${shortened(successor, 200)}</code></p>
<p>${state} ${shape} ${nearness(sunset, now)}</p>
<div class="meta"><span>Deprecation: ${deprecation === null ? 'not sent' : dated(deprecation)}</span><span>Sunset: ${sunset === null ? 'not sent' : dated(sunset)}</span></div></article>`;
}

function nearness(sunset: string | null, now: number): Markup {
  const end = sunset === null ? Number.NaN : Date.parse(sunset);
  if (Number.isNaN(end) || Number.isNaN(now)) return html``;
  const days = Math.ceil((end - now) / DAY);
  if (days < 0) return html`<span class="chip error">its sunset is over</span>`;
  return html`<span class="chip ${days <= NEAR_DAYS ? 'warning' : ''}">${days} days left</span>`;
}

/** RFC 9745 says a date in seconds: `@1704067200`. */
function dated(value: string): string {
  const [, seconds] = /^@(\d{1,11})$/.exec(value) ?? [];
  if (seconds === undefined) return shortened(value, 100);
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 10)} (${value})`;
}
