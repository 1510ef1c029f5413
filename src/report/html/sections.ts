import type { Created, DeprecationWatch, Report } from '../../model/report.ts';
import { ruleTitle } from '../links.ts';
import { subjectOf } from '../summary.ts';
import { type Fact, watchWords } from '../words/deprecations.ts';
import { capitalised, count } from '../wrap.ts';
import { findingCard } from './findings.ts';
import { type Budget, html, type Markup, more, shortened } from './markup.ts';

const LONGEST = 1_000;
const LONGEST_NAME = 200;
const LONGEST_ID = 300;
const MOST_FORMS = 50;

const RULE_CHIP = {
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
        html`<tr><td><code>${shortened(rule, LONGEST_ID)}</code></td><td>${RULE_CHIP[outcome]}</td><td>${shortened(evidence, LONGEST_ID)}</td></tr>`,
    )
    .filter(budget.take);
  return html`<section id="rules"><h2>Rules</h2><p>Kept is said only of what was seen.</p>
<div class="card"><table><thead><tr><th>Rule</th><th>Outcome</th><th>Evidence</th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

/** What the baseline accepts, each with why, until when, and all that is known of the finding. */
export function acceptedSection({ accepted, tool }: Report, root: string | undefined, budget: Budget): Markup {
  if (accepted.length === 0) return html``;
  const cards = accepted
    .map(({ finding, reason, owner, expires }) => {
      const place = `${subjectOf(finding)} ${finding.pointer}`.trim();
      const why = html`<p class="accepted"><b>Accepted until ${expires}</b>${
        owner !== null && html` by ${shortened(owner, LONGEST_NAME)}`
      }: ${shortened(reason, LONGEST)}</p>`;
      return html`<details class="card op"><summary><span class="chip ${finding.severity}">${finding.severity}</span><span class="name">${ruleTitle(finding)}</span><code class="call">${shortened(place, LONGEST_NAME)}</code><span class="chip">until ${expires}</span></summary>${why}${findingCard(finding, root, tool.version)}</details>
`;
    })
    .filter(budget.take);
  return html`<section id="accepted"><h2>Accepted by the baseline</h2><p>Known differences that do not fail the run until their date.</p>${cards}${more(accepted.length - cards.length, 'accepted finding', 'accepted findings', 'card none')}</section>`;
}

/** Entries of the baseline whose finding is gone. */
export function staleSection({ stale }: Report, budget: Budget): Markup {
  if (stale.length === 0) return html``;
  const rows = stale
    .map(
      ({ fingerprint, why }) =>
        html`<tr><td><code>${shortened(fingerprint, LONGEST_NAME)}</code></td><td>${shortened(why, LONGEST)}</td></tr>`,
    )
    .filter(budget.take);
  return html`<section id="stale"><h2>Stale in the baseline</h2><p>The findings of these entries are gone: take them out of the baseline.</p><div class="card pad"><table class="stack"><tbody>${rows}</tbody></table>${more(stale.length - rows.length, 'entry', 'entries')}</div></section>`;
}

/** What the run created in the target: what is left first, because somebody has to look after it. */
export function createdSection({ created = [] }: Report, budget: Budget): Markup {
  if (created.length === 0) return html``;
  const left = created.filter(({ removed }) => !removed);
  const rows = [...left, ...created.filter(({ removed }) => removed)].map(createdRow).filter(budget.take);
  const sentence =
    left.length === 0
      ? 'All of it was removed again.'
      : `${count(left.length, 'thing')} ${left.length === 1 ? 'is' : 'are'} still there, or may be.`;
  return html`<section id="created"><h2>Created by this run</h2><p>What the run made in the target. ${sentence}</p>
<div class="card"><table><thead><tr><th>What</th><th>By</th><th>State</th></tr></thead><tbody>${rows}</tbody></table>${more(created.length - rows.length, 'thing')}</div></section>`;
}

function createdRow({ id, operationId, removed, reason }: Created): Markup {
  const state = removed
    ? html`<span class="chip good">removed again</span>`
    : html`<span class="chip warning">left there</span> ${shortened(reason, LONGEST_ID)}`;
  return html`<tr><td><code>${shortened(id, LONGEST_ID)}</code></td><td><code>${shortened(operationId, LONGEST_ID)}</code></td><td>${state}</td></tr>`;
}

/** What is known of each deprecated form, and how near its end is. */
export function deprecationsSection({ deprecations, startedAt }: Report): Markup {
  if (deprecations.length === 0) return html``;
  return html`<section id="deprecations"><h2>Deprecated forms</h2><p>Forms that are to be withdrawn, and what takes their place.</p>
<div class="watch">${deprecations.slice(0, MOST_FORMS).map((watch) => formCard(watch, startedAt))}</div>${more(deprecations.length - MOST_FORMS, 'form')}</section>`;
}

function formCard(watch: DeprecationWatch, startedAt: string): Markup {
  const { state, since, shape, deprecation, sunset, nearness } = watchWords(watch, startedAt);
  return html`<article class="card"><h3><code>${shortened(watch.operationId, LONGEST_NAME)}</code></h3><p>use <code>${shortened(watch.successor, LONGEST_NAME)}</code></p>
<div class="chips">${chip(state)}${chip(shape)}${
    nearness !== null && chip({ ...nearness, text: `Sunset: ${nearness.text}` })
  }</div>${since.length > 0 && html`<p class="since">${since.map((part) => html`<span>${capitalised(part)}</span>`)}</p>`}
<dl><dt>Deprecation</dt><dd>${shortened(deprecation, LONGEST_NAME)}</dd><dt>Sunset</dt><dd>${shortened(sunset, LONGEST_NAME)}</dd></dl></article>`;
}

function chip({ text, tone }: Fact): Markup {
  return html`<span class="chip ${tone === 'plain' ? '' : tone}">${text}</span>`;
}
