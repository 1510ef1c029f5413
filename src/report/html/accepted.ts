import type { Report } from '../report.ts';
import { ruleTitle } from '../rule-page.ts';
import { type Budget, html, type Markup, shortened } from './markup.ts';

/** What the baseline accepts, and what of it is gone. */
export function acceptedSection({ accepted, stale }: Report, budget: Budget): Markup {
  if (accepted.length === 0 && stale.length === 0) return html``;
  const rows = accepted
    .map(
      ({ finding, reason, owner, expires, fingerprint }) =>
        html`<tr><td><span class="chip ${finding.severity}">${finding.severity}</span></td><td>${ruleTitle(finding.rule)}<br><code>${shortened(`${finding.operationId ?? ''} ${finding.pointer}`.trim(), 300)}</code></td><td>${shortened(reason, 1000)}${
          owner !== null && html`<br><small>${shortened(owner, 200)}</small>`
        }</td><td>until ${expires}<br><code class="hide-s">${fingerprint}</code></td></tr>`,
    )
    .filter((row) => budget.take(row));
  const gone = stale
    .map(({ fingerprint, why }) => html`<tr><td><code>${fingerprint}</code></td><td>${shortened(why, 1000)}</td></tr>`)
    .filter((row) => budget.take(row));
  return html`<section id="accepted"><h2>Accepted by the baseline</h2><p>Known differences that do not fail the run until their date.</p>${
    rows.length > 0 && html`<div class="card pad"><table><tbody>${rows}</tbody></table></div>`
  }${
    gone.length > 0 &&
    html`<h3>Stale</h3><p>These are gone: take them out of the baseline.</p><div class="card pad"><table><tbody>${gone}</tbody></table></div>`
  }</section>`;
}
