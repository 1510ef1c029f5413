import { SEVERITIES } from '../../drift/finding.ts';
import type { RunSummary } from '../report.ts';
import { severityCount } from '../summary.ts';
import { html, type Markup } from './markup.ts';

/*
 * Heights are pixels and widths shares of the whole, and there is no viewBox: nothing is scaled, so that the numbers of the axis can be
 * read on a phone, too.
 */
const TOP = 10;
const BASE = 150;
const STRIP = BASE + 10;
/** Widest column, percent. */
const WIDEST = 4;
/** How each verdict is coloured. */
export const TONE: Readonly<Record<RunSummary['verdict'], string>> = {
  agrees: 'good',
  drift: 'error',
  inconclusive: 'warning',
};

/** A column per run, its findings on one another, and a strip with the verdicts. */
export function plot(runs: readonly RunSummary[]): Markup {
  const total = ({ findings }: RunSummary): number => findings.error + findings.warning + findings.info;
  const most = niceMaximum(Math.max(...runs.map(total)));
  const scale = (BASE - TOP) / most;
  const step = 100 / runs.length;
  const wide = Math.min(WIDEST, step * 0.72);
  const marks = [...new Set([0, Math.round(most / 2), most])].map((value) => ({ value, y: BASE - value * scale }));
  const columns = runs.map((run, index) => {
    const x = `${(step * index + (step - wide) / 2).toFixed(2)}%`;
    const width = `${wide.toFixed(2)}%`;
    let y = BASE;
    const bars = SEVERITIES.map((severity) => {
      const height = run.findings[severity] * scale;
      y -= height;
      return html`<rect class="f-${severity}" x="${x}" y="${y.toFixed(1)}" width="${width}" height="${height.toFixed(1)}"/>`;
    });
    return html`<g><title>${titleOf(run)}</title>${bars}<rect class="f-${TONE[run.verdict]}" x="${x}" y="${STRIP}" width="${width}" height="7" rx="2"/></g>`;
  });
  return html`<div class="plot"><svg class="axis" aria-hidden="true">${marks.map(
    ({ value, y }) => html`<text x="100%" y="${(y + 4).toFixed(1)}" text-anchor="end">${value}</text>`,
  )}</svg><svg class="trend" role="img" aria-label="Findings per run">${marks.map(
    ({ y }) => html`<line class="grid" x1="0" x2="100%" y1="${y.toFixed(1)}" y2="${y.toFixed(1)}"/>`,
  )}${columns}</svg><div class="ends"><span>${runs[0]?.startedAt.slice(0, 10)}</span><span>${runs.at(-1)?.startedAt.slice(0, 10)}</span></div></div>`;
}

function titleOf({ startedAt, verdict, findings }: RunSummary): string {
  const numbers = SEVERITIES.map((severity) => severityCount(findings[severity], severity)).join(', ');
  return `${startedAt.slice(0, 16).replace('T', ' ')}: ${verdict}; ${numbers}`;
}

function niceMaximum(value: number): number {
  if (value <= 4) return 4;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= value) ?? value;
}
