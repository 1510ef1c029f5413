import type { FieldCoverage, OperationCoverage, Report } from '../../model/report.ts';
import { partsOf, whyNotAnswered, whyNotCalled } from '../words/reasons.ts';
import { count } from '../wrap.ts';
import { type Budget, html, type Markup, more, shortened } from './markup.ts';

const MOST_CELLS = 160;
const LONGEST = 200;

const LEGEND = html`<div class="legend"><span><i class="c documented all"></i>documented</span><span><i class="c observed all"></i>recorded</span><span><i class="c assumed all"></i>assumed by the mock</span><span><i class="c documented all"></i>in every answer</span><span><i class="c documented some"></i>in some</span><span><i class="c documented"></i>never seen</span></div>`;

/** A row per operation, a cell per field that is known of it. */
export function coverageSection({ coverage: { operations }, checks }: Report, budget: Budget): Markup {
  if (operations.length === 0) return html``;
  const { answered, unanswered, idle, notLocated } = partsOf(operations);
  const rows = answered.map(rowOf).filter(budget.take);
  const map =
    answered.length > 0 &&
    html`<p>Each row is an operation, each square a field that is known of its answer. Open a row for the names.</p>
${LEGEND}
<div class="card map">${rows}${more(answered.length - rows.length, 'operation')}</div>`;
  return html`<section id="coverage"><h2>Coverage</h2>${map || html`<p>No operation gave a good answer, so that no field was seen.</p>`}
${namesOf('called, no good answer', whyNotAnswered(unanswered, checks), budget)}${namesOf('not called', whyNotCalled(idle, checks), budget)}${namesOf('not located', new Map([['known by name only, never called by guess', notLocated]]), budget)}</section>`;
}

function rowOf({ operationId, located, fields, notShown }: OperationCoverage): Markup {
  const seen = fields.filter((field) => field.seen > 0).length;
  const left = fields.length - MOST_CELLS;
  const cells = fields
    .slice(0, MOST_CELLS)
    .map((field) => html`<i class="c ${field.provenance} ${fillOf(field)}" title="${titleOf(field)}"></i>`);
  const number = fields.length === 0 ? 'no field known' : `${seen} of ${fields.length}`;
  return html`<details><summary><code class="label">${shortened(operationId, LONGEST)}</code><span class="cells" role="img" aria-label="${number} fields seen">${cells}${
    left > 0 && html`<span class="num">+${left}</span>`
  }</span><span class="num">${number}</span></summary><div class="inner">${
    fields.length > 0 &&
    html`<table class="stack"><thead><tr><th>Field</th><th>Rests on</th><th colspan="2">Seen</th></tr></thead><tbody>${fields
      .slice(0, MOST_CELLS)
      .map(
        (field) =>
          html`<tr><td><code>${shortened(field.pointer, LONGEST)}</code></td><td><span class="chip ${field.provenance}">${field.provenance}</span></td><td class="nb">${field.seen} of ${field.of}</td><td class="hide-s"><progress value="${field.seen}" max="${Math.max(1, field.of)}"></progress></td></tr>`,
      )}</tbody></table>`
  }<div class="meta">${located !== 'documented' && html`<span>Path ${located ?? ''}</span>`}${
    notShown.length > 0 && html`<span>Not shown by the reference: ${shortened(notShown.join(', '), 600)}</span>`
  }</div></div></details>
`;
}

/** Names of operations under the reason that they share. */
function namesOf(what: string, groups: ReadonlyMap<string, readonly OperationCoverage[]>, budget: Budget): Markup {
  const number = [...groups.values()].reduce((sum, own) => sum + own.length, 0);
  if (number === 0) return html``;
  const [only] = [...groups.keys()];
  const rows = [...groups].map(([why, own]) => {
    const names = own.map(({ operationId }) => html`<code>${shortened(operationId, LONGEST)}</code>`);
    return html`<div class="names">${groups.size > 1 && html`<p>${reasonOf(why)}</p>`}${names}</div>`;
  });
  const list = html`${rows}`;
  return html`<details class="card op"><summary><span class="name">${count(number, 'operation')} ${what}</span><span class="call">${
    groups.size > 1 ? `for ${groups.size} reasons` : reasonOf(only ?? '')
  }</span></summary>${budget.take(list) ? list : html`<p class="none">See the JSON report.</p>`}</details>`;
}

function reasonOf(why: string): string {
  return why === '' ? 'no check says why' : shortened(why, LONGEST);
}

function fillOf({ seen, of }: FieldCoverage): string {
  return seen === 0 ? 'never' : seen < of ? 'some' : 'all';
}

function titleOf({ pointer, provenance, seen, of }: FieldCoverage): string {
  return `${shortened(pointer, LONGEST)}: ${provenance}, in ${seen} of ${of}`;
}
