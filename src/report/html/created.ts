import type { Created, Report } from '../report.ts';
import { count } from '../wrap.ts';
import { type Budget, html, type Markup, shortened } from './markup.ts';

const LONGEST = 300;

/** What the run created in the target: what is left first, because somebody has to look after it. */
export function createdSection({ created = [] }: Report, budget: Budget): Markup {
  if (created.length === 0) return html``;
  const left = created.filter(({ removed }) => !removed);
  const rows: Markup[] = [];
  let missing = 0;
  for (const one of [...left, ...created.filter(({ removed }) => removed)]) {
    const piece = row(one);
    if (budget.take(piece)) rows.push(piece);
    else missing += 1;
  }
  const sentence =
    left.length === 0
      ? 'All of it was removed again.'
      : `${count(left.length, 'thing')} ${left.length === 1 ? 'is' : 'are'} still there, or may be.`;
  return html`<section id="created"><h2>Created by this run</h2><p>What the run made in the target. ${sentence}</p>
<div class="card"><table><thead><tr><th>What</th><th>By</th><th>State</th></tr></thead><tbody>${rows}</tbody></table>${
    missing > 0 && html`<p class="none">${count(missing, 'more thing')} in the JSON report.</p>`
  }</div></section>`;
}

function row({ id, operationId, removed, reason }: Created): Markup {
  const state = removed
    ? html`<span class="chip good">removed again</span>`
    : html`<span class="chip warning">left there</span> ${shortened(reason, LONGEST)}`;
  return html`<tr><td><code>${shortened(id, LONGEST)}</code></td><td><code>${shortened(operationId, LONGEST)}</code></td><td>${state}</td></tr>`;
}
