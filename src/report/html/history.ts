import { SEVERITIES } from '../../drift/finding.ts';
import type { GoneFinding, Report, RunSummary } from '../report.ts';
import { severityCount } from '../summary.ts';
import { count } from '../wrap.ts';
import { type Budget, html, type Markup, more, shortened } from './markup.ts';
import { plot, TONE } from './plot.ts';

/** So many runs have a column; the JSON report has all. */
const MOST_RUNS = 60;

/** How the runs went so far, as a plot, and what is no longer seen. */
export function historySection({ history }: Report, budget: Budget): Markup {
  if (history === undefined || history.runs.length < 2) return html``;
  const runs = history.runs.slice(-MOST_RUNS);
  const last = history.runs.length > runs.length ? `; the last ${runs.length} are shown` : '';
  return html`<section id="history"><h2>History</h2><p>${count(history.runs.length, 'run')} of the same target${last}. A column is a run with its findings, the strip below its verdict.</p>
<div class="legend">${SEVERITIES.map((severity) => html`<span><i class="dot ${severity}"></i>${severity}</span>`)}${Object.entries(
    TONE,
  ).map(([verdict, tone]) => html`<span><i class="pill ${tone}"></i>${verdict}</span>`)}</div>
<div class="card pad">${plot(runs)}
<details><summary>Numbers</summary><table class="stack"><thead><tr><th>Run</th><th>Verdict</th><th>Findings</th></tr></thead><tbody>${runs
    .toReversed()
    .map(runRow)}</tbody></table></details></div>${absent(
    'Gone',
    'Seen in earlier runs; their checks ran and did not find them any more.',
    history.gone,
    budget,
  )}${absent(
    'Not looked for this time',
    'Seen in earlier runs; their checks did not run to an end, so that nobody knows.',
    history.notLookedFor ?? [],
    budget,
  )}</section>`;
}

function runRow({ startedAt, verdict, findings }: RunSummary): Markup {
  const numbers = SEVERITIES.filter((severity) => findings[severity] > 0).map(
    (severity) =>
      html`<span class="nb"><i class="dot ${severity}"></i>${severityCount(findings[severity], severity)}</span> `,
  );
  return html`<tr><td><span class="nb">${startedAt.slice(0, 10)}</span> <span class="nb">${startedAt.slice(11, 16)}</span></td><td><span class="nb"><i class="dot ${TONE[verdict]}"></i>${verdict}</span></td><td>${
    numbers.length === 0 ? 'none' : numbers
  }</td></tr>`;
}

function spanOf(first: string, last: string): string {
  return first === last ? first : `${first} to ${last}`;
}

function absent(title: string, what: string, findings: readonly GoneFinding[], budget: Budget): Markup {
  if (findings.length === 0) return html``;
  const rows = findings
    .map(
      ({ rule, operationId, pointer, severity, firstSeen, lastSeen }) =>
        html`<tr><td><span class="chip ${severity}">${severity}</span></td><td>${shortened(rule, 100)} <code>${shortened(`${operationId ?? ''} ${pointer}`.trim(), 200)}</code></td><td class="nb">${spanOf(firstSeen.slice(0, 10), lastSeen.slice(0, 10))}</td></tr>`,
    )
    .filter(budget.take);
  return html`<h3>${title}</h3><p>${what}</p><div class="card pad"><table class="stack"><tbody>${rows}</tbody></table>${more(findings.length - rows.length, 'finding')}</div>`;
}
