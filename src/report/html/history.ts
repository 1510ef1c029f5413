import { SEVERITIES } from '../../drift/finding.ts';
import type { Report, RunSummary } from '../report.ts';
import { count } from '../wrap.ts';
import { type Budget, html, type Markup, shortened } from './markup.ts';

const WIDTH = 720;
const HEIGHT = 190;
const TOP = 12;
const BASE = 150;
const LEFT = 34;
const MOST_RUNS = 60;
const TONE: Readonly<Record<RunSummary['verdict'], string>> = {
  agrees: 'good',
  drift: 'error',
  inconclusive: 'warning',
};

/** How the runs went so far, as a plot, and what is no longer seen. */
export function historySection({ history }: Report, budget: Budget): Markup {
  if (history === undefined || history.runs.length < 2) return html``;
  const runs = history.runs.slice(-MOST_RUNS);
  const [first, last] = [runs[0], runs.at(-1)];
  const gone = history.gone
    .map(
      ({ rule, operationId, pointer, severity, firstSeen, lastSeen }) =>
        html`<tr><td><span class="chip ${severity}">${severity}</span></td><td>${rule} <code>${shortened(`${operationId ?? ''} ${pointer}`.trim(), 300)}</code></td><td>${firstSeen.slice(0, 10)} to ${lastSeen.slice(0, 10)}</td></tr>`,
    )
    .filter((row) => budget.take(row));
  return html`<section id="history"><h2>History</h2><p>${count(runs.length, 'run')} of the same target; a column is a run, a dot its verdict.</p>
<div class="legend">${SEVERITIES.map((severity) => html`<span><i class="dot ${severity}"></i>${severity}</span>`)}<span><i class="o passed"></i>agrees</span><span><i class="o failed"></i>drift</span><span><i class="o inconclusive"></i>inconclusive</span></div>
<div class="card pad">${plot(runs)}<div class="ends"><span>${first?.startedAt.slice(0, 10)}</span><span>${last?.startedAt.slice(0, 10)}</span></div>
<details><summary>Numbers</summary><table><thead><tr><th>Run</th><th>Verdict</th><th>Errors</th><th>Warnings</th><th>Infos</th></tr></thead><tbody>${runs
    .toReversed()
    .map(
      (run) =>
        html`<tr><td>${run.startedAt.slice(0, 16).replace('T', ' ')}</td><td><i class="dot ${TONE[run.verdict]}"></i>${run.verdict}</td><td>${run.findings.error}</td><td>${run.findings.warning}</td><td>${run.findings.info}</td></tr>`,
    )}</tbody></table></details></div>${
    gone.length > 0 &&
    html`<h3>Seen before, not in this run</h3><div class="card pad"><table><tbody>${gone}</tbody></table></div>`
  }</section>`;
}

function plot(runs: readonly RunSummary[]): Markup {
  const total = ({ findings }: RunSummary): number => findings.error + findings.warning + findings.info;
  const most = niceMaximum(Math.max(...runs.map(total)));
  const step = (WIDTH - LEFT) / runs.length;
  const wide = Math.min(28, step * 0.72);
  const scale = (BASE - TOP) / most;
  const grid = [...new Set([0, Math.round(most / 2), most])].map((value) => {
    const y = (BASE - value * scale).toFixed(1);
    return html`<line class="grid" x1="${LEFT}" x2="${WIDTH}" y1="${y}" y2="${y}"/><text x="${LEFT - 8}" y="${(BASE - value * scale + 4).toFixed(1)}" text-anchor="end">${value}</text>`;
  });
  const columns = runs.map((run, index) => {
    const x = LEFT + step * index + (step - wide) / 2;
    let y = BASE;
    const bars = SEVERITIES.map((severity) => {
      const height = run.findings[severity] * scale;
      y -= height;
      return html`<rect class="f-${severity}" x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${wide.toFixed(1)}" height="${height.toFixed(1)}"/>`;
    });
    const { error, warning, info } = run.findings;
    const title = `${run.startedAt.slice(0, 16).replace('T', ' ')}: ${run.verdict}; ${count(error, 'error')}, ${count(warning, 'warning')}, ${info} info`;
    const radius = Math.min(5, wide / 2).toFixed(1);
    return html`<g><title>${title}</title>${bars}<circle class="f-${TONE[run.verdict]}" cx="${(x + wide / 2).toFixed(1)}" cy="${BASE + 16}" r="${radius}"/></g>`;
  });
  return html`<svg class="trend" viewBox="0 0 ${WIDTH} ${HEIGHT - 14}" role="img" aria-label="Findings per run">${grid}${columns}</svg>`;
}

function niceMaximum(value: number): number {
  if (value <= 4) return 4;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= value) ?? value;
}
