import type { Check, Outcome, Report } from '../../model/report.ts';
import { numberOf } from '../summary.ts';
import { areaOf, byReason, NO_REASON } from '../words/reasons.ts';
import { count } from '../wrap.ts';
import { type Budget, html, type Markup, more, shortened } from './markup.ts';

const MOST_DOTS = 200;
const LONGEST = 400;
const ORDER: readonly Outcome[] = ['failed', 'inconclusive', 'skipped', 'passed'];
const TONE: Readonly<Record<Outcome, string>> = {
  failed: 'error',
  inconclusive: 'warning',
  skipped: '',
  passed: 'good',
};

/** A row per area of checks, a dot per check. */
export function checksSection({ checks }: Report, budget: Budget): Markup {
  if (checks.length === 0) return html``;
  const rows: Markup[] = [];
  let missing = 0;
  for (const [area, group] of Map.groupBy(checks, ({ id }) => areaOf(id))) {
    const piece = rowOf(area, group);
    if (budget.take(piece)) rows.push(piece);
    else missing += group.length;
  }
  return html`<section id="checks"><h2>Checks</h2><p>Each dot is a check of the suite. What could not be judged proves nothing either way.</p>
<div class="legend"><span><i class="o passed"></i>passed</span><span><i class="o failed"></i>failed</span><span><i class="o inconclusive"></i>could not be judged</span><span><i class="o skipped"></i>skipped</span></div>
<div class="card map">${rows}${more(missing, 'check')}</div></section>`;
}

function rowOf(area: string, checks: readonly Check[]): Markup {
  const dots = checks
    .slice(0, MOST_DOTS)
    .map(({ id, outcome }) => html`<i class="o ${outcome}" title="${shortened(id, 120)}: ${outcome}"></i>`);
  const of = (outcome: Outcome): number => numberOf(checks, outcome);
  const label = ORDER.filter((outcome) => of(outcome) > 0)
    .map((outcome) => `${of(outcome)} ${outcome}`)
    .join(', ');
  const left = checks.length - MOST_DOTS;
  const loud = of('failed') + of('inconclusive') > 0;
  return html`<details${loud && html` open`}><summary><code class="label">${shortened(area, 120)}</code><span class="cells" role="img" aria-label="${label}">${dots}${
    left > 0 && html`<span class="num">+${left}</span>`
  }</span><span class="num">${of('passed')} of ${checks.length}</span></summary><div class="inner"><table class="stack"><tbody>${ORDER.flatMap(
    (outcome) => groupsOf(checks.filter((check) => check.outcome === outcome)),
  )}</tbody></table></div></details>
`;
}

/** Checks with the same outcome and the same reason in one row. */
function groupsOf(checks: readonly Check[]): Markup[] {
  return byReason(checks).map(({ reason, checks: group }) => {
    const outcome = group[0]?.outcome ?? 'passed';
    const names = group.slice(0, MOST_DOTS).map(({ id }) => html`<code>${shortened(id, 120)}</code>`);
    const list = html`<div class="ids">${names}</div>`;
    const quiet = outcome === 'passed' && reason === NO_REASON;
    return html`<tr><td><span class="chip ${TONE[outcome]}">${outcome}</span></td><td>${
      quiet
        ? html`<details><summary>${count(group.length, 'check')} without a note</summary>${list}</details>`
        : html`${shortened(reason, LONGEST)}${list}`
    }</td></tr>`;
  });
}
