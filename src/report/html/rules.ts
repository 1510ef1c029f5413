import type { Report } from '../../model/report.ts';
import { type Budget, html, type Markup, shortened } from './markup.ts';

const LONGEST = 300;
const CHIP = {
  kept: html`<span class="chip good">kept</span>`,
  broken: html`<span class="chip error">broken</span>`,
  'not-exercised': html`<span class="chip">not exercised</span>`,
} as const;

/** The score card of a caller: every rule, what became of it, and what that rests on. */
export function rulesSection({ rules = [] }: Report, budget: Budget): Markup {
  if (rules.length === 0) return html``;
  const rows = rules
    .map(
      ({ rule, outcome, evidence = '' }) =>
        html`<tr><td><code>${shortened(rule, LONGEST)}</code></td><td>${CHIP[outcome]}</td><td>${shortened(evidence, LONGEST)}</td></tr>`,
    )
    .filter((row) => budget.take(row));
  return html`<section id="rules"><h2>Rules</h2><p>Kept is said only of what was seen.</p>
<div class="card"><table><thead><tr><th>Rule</th><th>Outcome</th><th>Evidence</th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
}
