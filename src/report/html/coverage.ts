import type { FieldCoverage, OperationCoverage, Report } from '../report.ts';
import { count } from '../wrap.ts';
import { type Budget, html, type Markup, shortened } from './markup.ts';

const MOST_CELLS = 160;
const LONGEST = 200;

/** A row per operation, a cell per field that is known of it. */
export function coverageSection({ coverage: { operations } }: Report, budget: Budget): Markup {
  if (operations.length === 0) return html``;
  const called = operations.filter(({ located, exercised }) => located !== null && exercised);
  const idle = operations.filter(({ located, exercised }) => located !== null && !exercised);
  const unknown = operations.filter(({ located }) => located === null);
  const rows: Markup[] = [];
  let missing = 0;
  for (const operation of called) {
    const piece = rowOf(operation);
    if (budget.take(piece)) rows.push(piece);
    else missing += 1;
  }
  return html`<section id="coverage"><h2>Coverage</h2><p>Each row is an operation, each square a field that is known of its answer. Open a row for the names.</p>
<div class="legend"><span><i class="c documented all"></i>documented</span><span><i class="c observed all"></i>recorded</span><span><i class="c assumed all"></i>assumed by the mock</span><span><i class="c documented all"></i>in every answer</span><span><i class="c documented some"></i>in some</span><span><i class="c documented"></i>never seen</span></div>
${called.length > 0 && html`<div class="card map">${rows}${missing > 0 && html`<p class="none">${count(missing, 'more operation')} in the JSON report.</p>`}</div>`}
${namesOf(idle, 'not called', 'left out by policy or for want of a parameter; the checks say why', budget)}${namesOf(unknown, 'not located', 'known by name only, never called by guess', budget)}</section>`;
}

function rowOf({ operationId, located, fields, notShown }: OperationCoverage): Markup {
  const seen = fields.filter((field) => field.seen > 0).length;
  const more = fields.length - MOST_CELLS;
  const cells = fields
    .slice(0, MOST_CELLS)
    .map((field) => html`<i class="c ${field.provenance} ${fillOf(field)}" title="${titleOf(field)}"></i>`);
  const number = fields.length === 0 ? 'no field known' : `${seen} of ${fields.length}`;
  return html`<details><summary><code class="label">${shortened(operationId, LONGEST)}</code><span class="cells" role="img" aria-label="${number} fields seen">${cells}${
    more > 0 && html`<span class="num">+${more}</span>`
  }</span><span class="num">${number}</span></summary><div class="inner">${
    fields.length > 0 &&
    html`<table><thead><tr><th>Field</th><th>Rests on</th><th colspan="2">Seen</th></tr></thead><tbody>${fields
      .slice(0, MOST_CELLS)
      .map(
        (field) =>
          html`<tr><td><code>${shortened(field.pointer, LONGEST)}</code></td><td><span class="chip ${field.provenance}">${field.provenance}</span></td><td>${field.seen} of ${field.of}</td><td class="hide-s"><progress value="${field.seen}" max="${Math.max(1, field.of)}"></progress></td></tr>`,
      )}</tbody></table>`
  }<div class="meta">${located !== 'documented' && html`<span>Path ${located ?? ''}</span>`}${
    notShown.length > 0 && html`<span>Not shown by the reference: ${shortened(notShown.join(', '), 600)}</span>`
  }</div></div></details>
`;
}

function namesOf(operations: readonly OperationCoverage[], what: string, why: string, budget: Budget): Markup {
  if (operations.length === 0) return html``;
  const names = html`${operations.map(({ operationId }) => html`<code>${shortened(operationId, LONGEST)}</code>`)}`;
  return html`<details class="card op"><summary><span class="name">${count(operations.length, 'operation')} ${what}</span><span class="call">${why}</span></summary><div class="names">${budget.take(names) ? names : 'See the JSON report.'}</div></details>`;
}

function fillOf({ seen, of }: FieldCoverage): string {
  return seen === 0 ? 'never' : seen < of ? 'some' : 'all';
}

function titleOf({ pointer, provenance, seen, of }: FieldCoverage): string {
  return `${shortened(pointer, LONGEST)}: ${provenance}, in ${seen} of ${of}`;
}
