import { SEVERITIES } from '../../model/finding.ts';
import type { GoneFinding, Report, RunSummary } from '../../model/report.ts';
import { severityCount } from '../summary.ts';
import { count } from '../wrap.ts';
import { type Budget, html, type Markup, more, shortened } from './markup.ts';

/** So many runs have a column; the JSON report has all. */
const MOST_RUNS = 60;

/** How a run ended, with the lane of the plot that it has: place and sign tell it, colour only helps. */
const LANES = [
  { tone: 'drift', sign: '✕', colour: 'error', words: 'drift' },
  { tone: 'inconclusive', sign: '?', colour: 'rest', words: 'inconclusive' },
  { tone: 'warned', sign: '!', colour: 'warning', words: 'agrees, with warnings' },
  { tone: 'agrees', sign: '✓', colour: 'good', words: 'agrees' },
] as const;

function laneOf({ verdict, findings }: RunSummary): (typeof LANES)[number] {
  const tone = verdict === 'agrees' && findings.warning > 0 ? 'warned' : verdict;
  return LANES.find((lane) => lane.tone === tone) ?? LANES[1];
}

/** How the runs went so far, as a plot, and what is no longer seen. */
export function historySection({ history }: Report, budget: Budget): Markup {
  if (history === undefined || history.runs.length < 2) return html``;
  const runs = history.runs.slice(-MOST_RUNS);
  const last = history.runs.length > runs.length ? `; the last ${runs.length} are shown` : '';
  return html`<section id="history"><h2>History</h2><p>${count(history.runs.length, 'run')}, this one last${last}. A column is a run with its findings, the mark below it its verdict.</p>
<div class="legend">${SEVERITIES.map((severity) => html`<span><i class="dot ${severity}"></i>${severity}</span>`)}${LANES.map(({ sign, colour, words }) => html`<span><b class="sign ${colour}">${sign}</b>${words}</span>`)}</div>
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

function runRow(run: RunSummary): Markup {
  const { startedAt, findings } = run;
  const { sign, colour, words } = laneOf(run);
  const numbers = SEVERITIES.filter((severity) => findings[severity] > 0).map(
    (severity) =>
      html`<span class="nb"><i class="dot ${severity}"></i>${severityCount(findings[severity], severity)}</span> `,
  );
  return html`<tr><td><span class="nb">${startedAt.slice(0, 10)}</span> <span class="nb">${startedAt.slice(11, 16)}</span></td><td><span class="nb"><b class="sign ${colour}">${sign}</b>${words}</span></td><td>${
    numbers.length === 0 ? 'none' : numbers
  }</td></tr>`;
}

function spanOf(first: string, last: string): string {
  return first === last ? first : `${first} to ${last}`;
}

function absent(title: string, what: string, findings: readonly GoneFinding[], budget: Budget): Markup {
  if (findings.length === 0) return html``;
  const [loud, infos] = [false, true].map((quiet) =>
    findings.filter(({ severity }) => (severity === 'info') === quiet),
  );
  const list = (own: readonly GoneFinding[] = []): Markup => {
    const rows = own.map(absentRow).filter(budget.take);
    return html`<table class="stack"><tbody>${rows}</tbody></table>${more(own.length - rows.length, 'finding')}`;
  };
  // what is only worth knowing would drown the rest
  return html`<h3>${title}</h3><p>${what}</p><div class="card pad">${loud?.length !== 0 && list(loud)}${
    infos?.length !== 0 &&
    html`<details><summary>${infos?.length ?? 0} of severity info</summary>${list(infos)}</details>`
  }</div>`;
}

function absentRow({ rule, operationId, pointer, severity, firstSeen, lastSeen }: GoneFinding): Markup {
  return html`<tr><td><span class="chip ${severity}">${severity}</span></td><td>${shortened(rule, 100)} <code>${shortened(`${operationId ?? ''} ${pointer}`.trim(), 200)}</code></td><td class="nb">${spanOf(firstSeen.slice(0, 10), lastSeen.slice(0, 10))}</td></tr>`;
}

/*
 * Heights are pixels and widths shares of the whole, and there is no viewBox: nothing is scaled, so that the numbers of the axis can be
 * read on a phone, too.
 */
const TOP = 10;
const BASE = 150;
/** The lanes of the verdicts, below. */
const LANE = 13;
const STRIP = BASE + 12;
/** Widest column, percent. */
const WIDEST = 4;

/** A column per run, its findings on one another, and a mark in the lane of its verdict. */
function plot(runs: readonly RunSummary[]): Markup {
  const total = ({ findings }: RunSummary): number => findings.error + findings.warning + findings.info;
  const most = niceMaximum(Math.max(...runs.map(total)));
  const scale = (BASE - TOP) / most;
  const step = 100 / runs.length;
  const wide = Math.min(WIDEST, step * 0.72);
  const marks = [...new Set([0, Math.round(most / 2), most])].map((value) => ({ value, y: BASE - value * scale }));
  const columns = runs.map((run, index) => {
    const x = `${(step * index + (step - wide) / 2).toFixed(2)}%`;
    const width = `${wide.toFixed(2)}%`;
    const lane = laneOf(run);
    let y = BASE;
    const bars = SEVERITIES.map((severity) => {
      const height = run.findings[severity] * scale;
      y -= height;
      return html`<rect class="f-${severity}" x="${x}" y="${y.toFixed(1)}" width="${width}" height="${height.toFixed(1)}"/>`;
    });
    return html`<g><title>${columnTitle(run)}</title>${bars}<rect class="f-${lane.colour} mark" x="${x}" y="${STRIP + LANES.indexOf(lane) * LANE}" width="${width}" height="8" rx="2"/></g>`;
  });
  return html`<div class="plot"><svg class="axis" aria-hidden="true">${marks.map(
    ({ value, y }) => html`<text x="100%" y="${(y + 4).toFixed(1)}" text-anchor="end">${value}</text>`,
  )}${LANES.map(
    ({ sign }, index) => html`<text x="100%" y="${STRIP + 8 + index * LANE}" text-anchor="end">${sign}</text>`,
  )}</svg><svg class="trend" role="img" aria-label="Findings per run">${marks.map(
    ({ y }) => html`<line class="grid" x1="0" x2="100%" y1="${y.toFixed(1)}" y2="${y.toFixed(1)}"/>`,
  )}${LANES.map(
    (_, index) =>
      html`<line class="grid" x1="0" x2="100%" y1="${STRIP + 4 + index * LANE}" y2="${STRIP + 4 + index * LANE}"/>`,
  )}${columns}</svg><div class="ends"><span>${runs[0]?.startedAt.slice(0, 10)}</span><span>${runs.at(-1)?.startedAt.slice(0, 10)}</span></div></div>`;
}

function columnTitle(run: RunSummary): string {
  const { startedAt, findings } = run;
  const numbers = SEVERITIES.map((severity) => severityCount(findings[severity], severity)).join(', ');
  return `${startedAt.slice(0, 16).replace('T', ' ')}: ${laneOf(run).words}; ${numbers}`;
}

function niceMaximum(value: number): number {
  if (value <= 4) return 4;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= value) ?? value;
}
