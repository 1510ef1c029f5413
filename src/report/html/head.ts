import { SEVERITIES } from '../../model/finding.ts';
import type { Check, Outcome, Report } from '../../model/report.ts';
import { callersText, numberOf, numbersOf, severityWord, tookOf, whenOf } from '../summary.ts';
import { nextSteps } from '../words/next-steps.ts';
import { partsOf, whyInconclusive } from '../words/reasons.ts';
import { remarksOf } from '../words/remarks.ts';
import { sinceSentence } from '../words/since.ts';
import { butWarnings, toneOf, VERDICT, warningsOf } from '../words/verdict.ts';
import { capitalised, count } from '../wrap.ts';
import { html, type Markup, more, shortened } from './markup.ts';

const MOST_REASONS = 5;
const MOST_REMARKS = 40;
const LONGEST = 400;

const TICK = html`<path d="M6.5 12.5l3.6 3.6 7.4-8" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/>`;
const CROSS = html`<path d="M8 8l8 8M16 8l-8 8" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round"/>`;
const QUERY = html`<path d="M9.2 9.2a2.9 2.9 0 1 1 4.3 2.6c-1 .6-1.5 1.1-1.5 2.2M12 17.2v.1" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round"/>`;

/** The verdict in a title of a window. */
export function titleOf(report: Report): string {
  const warnings = warningsOf(report).length;
  const word = VERDICT[toneOf(report)];
  return warnings === 0 ? word : `${word}, ${count(warnings, 'warning')}`;
}

export function hero(report: Report): Markup {
  const { target, tool, exitCode, command } = report;
  const tone = toneOf(report);
  const callers = callersText(report);
  const icon = tone === 'agrees' || tone === 'warned' ? TICK : tone === 'drift' ? CROSS : QUERY;
  const fact = (name: string, value: Markup): Markup => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return html`<header class="hero ${tone}"><div class="wrap">
<p class="eyebrow">Contract report of ${command === 'audit' ? 'a caller' : 'a banking API'}</p>
<h1><svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="10.5" fill="none" stroke="currentColor" stroke-width="1.8"/>${icon}</svg>${VERDICT[tone]}</h1>
<p class="lead">${sinceOf(report)}${leadOf(report)}</p>${whyList(report)}${remarkList(report)}
<dl class="facts">${fact('Target', html`<code>${target.baseUrl}</code>${target.kind === 'mock' ? ' (a mock)' : ''}`)}${fact('Run', html`${whenOf(report)}`)}${fact('Took', html`${tookOf(report)}`)}${fact('By', html`${tool.name} ${tool.version}, ${command}`)}${fact('Exit code', html`${exitCode}`)}${callers !== null && fact('Callers', html`${callers}`)}</dl>
</div></header>`;
}

/** What is new, before all else. */
function sinceOf(report: Report): Markup {
  const since = sinceSentence(report);
  return since === null ? html`` : html`<b>${capitalised(since)}.</b> `;
}

/** What the reader has to know beside the findings. */
function remarkList(report: Report): Markup {
  const remarks = remarksOf(report);
  if (remarks.length === 0) return html``;
  const rows = remarks.slice(0, MOST_REMARKS).map(({ title, severity, text, location }) => {
    const place = location === null ? '' : `${location.file}:${location.line}`;
    return html`<li><span class="chip ${severity}">${title}</span> ${shortened(text, LONGEST)}${place !== '' && html` <code>${shortened(place, LONGEST)}</code>`}</li>`;
  });
  return html`<ul class="why remarks" aria-label="To mind">${rows}</ul>${more(remarks.length - rows.length, 'remark')}`;
}

/** The verdict in one sentence, for somebody who reads no further. */
function leadOf(report: Report): string {
  const { command, findings, accepted, stale, checks, target } = report;
  const who = command === 'audit' ? 'The caller' : target.kind === 'mock' ? 'The mock' : 'The API';
  const failing = findings.filter(({ severity }) => severity !== 'info');
  const known =
    accepted.length === 0
      ? ''
      : ` ${count(accepted.length, 'known difference')} ${accepted.length === 1 ? 'is' : 'are'} accepted until a date.`;
  const gone =
    stale.length === 0
      ? ''
      : ` ${count(stale.length, 'accepted difference')} ${stale.length === 1 ? 'is' : 'are'} gone and can be taken out of the baseline.`;
  switch (toneOf(report)) {
    case 'drift': {
      const shown = failing.length > 0 ? failing : findings;
      const operations = new Set(shown.map(({ operationId }) => operationId)).size;
      return `${who} differs from its contract in ${count(shown.length, 'place')}, in ${count(operations, 'operation')}.${known}`;
    }
    case 'warned':
      return `${capitalised(butWarnings(report))}.${known}${gone}`;
    case 'agrees': {
      const judged = count(numberOf(checks, 'passed', 'failed'), 'check');
      return `${who} agrees with its contract in all ${judged} that could be made.${known}${gone}`;
    }
    case 'interrupted':
      return 'The run was interrupted. What follows was known by then.';
    default: {
      const unclear = numberOf(checks, 'inconclusive');
      const some = unclear === 0 ? 'Too little could be checked.' : `${count(unclear, 'check')} could not be judged.`;
      return `${some} This proves neither agreement nor drift.${failing.length > 0 ? ` ${count(failing.length, 'difference')} showed nevertheless.` : ''}`;
    }
  }
}

/** What stood in the way of a run that proved nothing, or not all, once per reason. */
function whyList(report: Report): Markup {
  const why = toneOf(report) === 'interrupted' ? [] : whyInconclusive(report);
  if (why.length === 0) return html``;
  const left = why.length - MOST_REASONS;
  return html`<ul class="why">${why
    .slice(0, MOST_REASONS)
    .map(
      ({ reason, checks }) => html`<li><b>${count(checks.length, 'check')}</b> ${shortened(reason, LONGEST)}</li>`,
    )}${left > 0 && html`<li><a href="#checks">${count(left, 'more reason')}</a></li>`}</ul>`;
}

export function tiles(report: Report): Markup {
  return html`<div class="tiles">${findingsTile(report)}${checksTile(report.checks)}${coverageTile(report)}</div>`;
}

function findingsTile({ findings, accepted }: Report): Markup {
  const numbers = numbersOf(findings);
  return html`<div class="card tile"><h3>Findings</h3><p class="big">${findings.length}</p>${bar(
    SEVERITIES.map((severity) => [numbers[severity], severity]),
  )}<p class="split">${SEVERITIES.map(
    (severity) =>
      html`<span><i class="dot ${severity}"></i><b>${numbers[severity]}</b> ${severityWord(numbers[severity], severity)}</span>`,
  )}<span><i class="dot"></i><b>${accepted.length}</b> accepted</span></p></div>`;
}

const OUTCOMES = [
  ['passed', 'good'],
  ['failed', 'error'],
  ['inconclusive', 'warning'],
  ['skipped', 'rest'],
] as const satisfies readonly (readonly [Outcome, string])[];

function checksTile(checks: readonly Check[]): Markup {
  const of = (outcome: Outcome): number => numberOf(checks, outcome);
  return html`<div class="card tile"><h3>Checks</h3><p class="big">${of('passed')} <small>of ${checks.length} passed</small></p>${bar(
    OUTCOMES.map(([outcome, tone]) => [of(outcome), tone]),
  )}<p class="split">${OUTCOMES.slice(1).map(
    ([outcome, tone]) => html`<span><i class="dot ${tone}"></i><b>${of(outcome)}</b> ${outcome}</span>`,
  )}</p></div>`;
}

function coverageTile({ coverage: { operations } }: Report): Markup {
  const { located, answered, unanswered } = partsOf(operations);
  const called = answered.length + unanswered.length;
  const fields = located.flatMap((operation) => operation.fields);
  const seen = fields.filter((field) => field.seen > 0);
  const share = fields.length === 0 ? 0 : Math.floor((100 * seen.length) / fields.length);
  return html`<div class="card tile"><h3>Known fields seen</h3><p class="big">${share}<small> %</small></p>${bar([
    [seen.length, 'doc'],
    [fields.length - seen.length, 'rest'],
  ])}<p class="split"><span><b>${seen.length}</b> of ${count(fields.length, 'field')}</span><span><b>${called}</b> of ${count(operations.length, 'operation')} called</span>${
    unanswered.length > 0 && html`<span><b>${unanswered.length}</b> without a good answer</span>`
  }</p></div>`;
}

/** Shares of a whole, side by side. */
function bar(parts: readonly (readonly [number: number, tone: string])[]): Markup {
  const whole = parts.reduce((sum, [number]) => sum + number, 0);
  let at = 0;
  return html`<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">${parts.map(
    ([number, tone]) => {
      const width = whole === 0 ? 0 : (1000 * number) / whole;
      const rect = html`<rect class="f-${tone}" x="${at.toFixed(1)}" width="${width.toFixed(1)}" height="10"/>`;
      at += width;
      return rect;
    },
  )}</svg>`;
}

/** Advice: it stands below what was found. */
export function next(report: Report): Markup {
  const steps = nextSteps(report);
  if (steps.length === 0) return html``;
  return html`<section id="next"><h2>What to do next</h2><div class="card next"><ul>${steps.map((step) => html`<li>${step}</li>`)}</ul></div></section>`;
}
