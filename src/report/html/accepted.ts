import type { Report } from '../report.ts';
import { ruleTitle } from '../rule-page.ts';
import { count } from '../wrap.ts';
import { findingCard } from './findings.ts';
import { type Budget, html, type Markup, shortened } from './markup.ts';

const LONGEST = 1_000;
const LONGEST_PLACE = 200;

/** What the baseline accepts, each with why, until when, and all that is known of the finding. */
export function acceptedSection({ accepted, tool }: Report, root: string | undefined, budget: Budget): Markup {
  if (accepted.length === 0) return html``;
  const cards = accepted
    .map(({ finding, reason, owner, expires }) => {
      const place = `${finding.operationId ?? 'The target as a whole'} ${finding.pointer}`.trim();
      const why = html`<p class="accepted"><b>Accepted until ${expires}</b>${
        owner !== null && html` by ${shortened(owner, LONGEST_PLACE)}`
      }: ${shortened(reason, LONGEST)}</p>`;
      return html`<details class="card op"><summary><span class="chip ${finding.severity}">${finding.severity}</span><span class="name">${ruleTitle(finding.rule)}</span><code class="call">${shortened(place, LONGEST_PLACE)}</code><span class="chip">until ${expires}</span></summary>${why}${findingCard(finding, root, tool.version)}</details>
`;
    })
    .filter((card) => budget.take(card));
  const missing = accepted.length - cards.length;
  return html`<section id="accepted"><h2>Accepted by the baseline</h2><p>Known differences that do not fail the run until their date.</p>${cards}${
    missing > 0 && html`<div class="card none">${count(missing, 'more accepted finding')} in the JSON report.</div>`
  }</section>`;
}

/** Entries of the baseline whose finding is gone. */
export function staleSection({ stale }: Report, budget: Budget): Markup {
  if (stale.length === 0) return html``;
  const rows = stale
    .map(
      ({ fingerprint, why }) =>
        html`<tr><td><code>${shortened(fingerprint, LONGEST_PLACE)}</code></td><td>${shortened(why, LONGEST)}</td></tr>`,
    )
    .filter((row) => budget.take(row));
  const missing = stale.length - rows.length;
  return html`<section id="stale"><h2>Stale in the baseline</h2><p>The findings of these entries are gone: take them out of the baseline.</p><div class="card pad"><table class="stack"><tbody>${rows}</tbody></table>${
    missing > 0 && html`<p class="more">${count(missing, 'more entry', 'more entries')} in the JSON report.</p>`
  }</div></section>`;
}
