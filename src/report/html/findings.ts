import type { Finding } from '../../model/finding.ts';
import type { Report } from '../../model/report.ts';
import { rulePage, ruleTitle, shownAt } from '../links.ts';
import { byOperation, requestOf, severityCounts, subjectOf } from '../summary.ts';
import { infoLines, partInfos } from '../words/infos.ts';
import { type Newness, newnessIn } from '../words/since.ts';
import { ticketIds } from '../words/tickets.ts';
import { count } from '../wrap.ts';
import { type Budget, html, lines, type Markup, more, shortened } from './markup.ts';

/** So many findings are shown with all that is known of them, so many more in a line each; the JSON report has all. */
const MOST_IN_FULL = 1_000;
const LONGEST = 2_000;
const MOST_IDS = 50;
const LONGEST_IN_LINE = 160;
const LONGEST_POINTER = 160;
/** Groups stand open as long as there is little to read. */
const MOST_OPEN = 60;

export function findingsSection(report: Report, root: string | undefined, budget: Budget): Markup {
  const { loud: findings, infos } = partInfos(report.findings);
  const newness = newnessIn(report);
  if (findings.length + infos.length === 0) {
    return html`<section id="findings"><h2>Findings</h2><p>What differs from the contract.</p><div class="card none">${
      report.verdict === 'agrees' ? 'Nothing was found.' : 'Nothing was found in what could be judged.'
    }</div></section>`;
  }
  let shown = 0;
  let full = MOST_IN_FULL;
  const shownGroups: Markup[] = [];
  for (const group of byOperation(findings, newness)) {
    const cards: Markup[] = [];
    const rows: Markup[] = [];
    for (const finding of group) {
      const piece = full > 0 ? findingCard(finding, root, report.tool.version, newness(finding)) : row(finding);
      if (!budget.take(piece)) break;
      if (full > 0) cards.push(piece);
      else rows.push(piece);
      full -= 1;
      shown += 1;
    }
    if (cards.length + rows.length === 0) break;
    shownGroups.push(groupOf(group, cards, rows, findings.length <= MOST_OPEN));
  }
  const missing = findings.length - shown;
  return html`<section id="findings"${findings.length > MOST_OPEN && html` class="many"`}><h2>Findings</h2>
<p>What differs from the contract, under the operation that shows it. What is documented and does not hold is an error, what was recorded a warning.</p>
${
  findings.length > 0 &&
  html`<div class="tools">${severityCounts(findings).map(
    ([severity]) =>
      html`<label><input type="checkbox" id="s-${severity}" checked><i class="dot ${severity}"></i>${severity}</label>`,
  )}<label id="q-box" hidden>Search <input type="search" id="q" autocomplete="off" spellcheck="false"><output id="q-out"></output></label></div>`
}
${shownGroups}${
  missing > 0 &&
  html`<div class="card none">${count(missing, 'more finding')} ${missing === 1 ? 'is' : 'are'} not shown here, to keep the page quick; the JSON report has all.</div>`
}${infosFold(infos, budget)}</section>`;
}

/** Infos fail nothing: folded, a line per operation. */
function infosFold(infos: readonly Finding[], budget: Budget): Markup {
  if (infos.length === 0) return html``;
  const lines = infoLines(infos);
  const rows = lines
    .map(({ text, findings }) => {
      const ids = findings
        .slice(0, MOST_IDS)
        .map(({ fingerprint }) => html`<code id="f-${fingerprint}">${fingerprint}</code>`);
      return html`<li class="f info">${shortened(text, LONGEST)}<div class="ids">${ids}</div></li>
`;
    })
    .filter(budget.take);
  return html`<details class="card op infos"><summary><span class="name">Worth knowing</span><span class="call">fails nothing</span><span class="chip info">${infos.length} info</span></summary><ul class="rows">${rows}</ul>${more(lines.length - rows.length, 'operation')}</details>`;
}

function groupOf(group: readonly Finding[], cards: readonly Markup[], rows: readonly Markup[], open: boolean): Markup {
  const [first] = group;
  const chips = severityCounts(group).map(([severity, words]) => html`<span class="chip ${severity}">${words}</span>`);
  const call = first === undefined ? '' : requestOf(first);
  return html`<details class="card op"${open && html` open`}><summary><span class="name">${shortened(first === undefined ? '' : subjectOf(first), LONGEST_IN_LINE)}</span><code class="call">${shortened(call, LONGEST_IN_LINE)}</code>${chips}</summary>${cards}${
    rows.length > 0 && html`<ul class="rows">${rows}</ul>`
  }</details>
`;
}

/** All that is known of one finding. */
export function findingCard(
  finding: Finding,
  root: string | undefined,
  version: string,
  newness: Newness | null = null,
): Markup {
  const { fingerprint, severity, rule, pointer, message, expected, actual, provenance, reference } = finding;
  const { file, line } = shownAt(finding, root);
  const place = finding.location === null ? '' : `${file}:${line}`;
  return html`<article class="f ${severity}" id="f-${fingerprint}"><h3><span class="chip ${severity}">${severity}</span>${newness === 'new' && html`<span class="chip new">new</span>`}${ruleTitle(finding)}${
    pointer !== '' && html` <code>${shortened(pointer, LONGEST_POINTER)}</code>`
  }</h3><p>${shortened(message, LONGEST)}</p>
<div class="shapes"><div class="shape"><h4>Expected <span class="chip ${provenance}">${provenance}</span></h4><pre>${shapeOf(expected)}</pre></div>
<div class="shape actual"><h4>Actual <span>${count(finding.occurrences, 'time')}</span></h4><pre>${shapeOf(actual)}</pre></div></div>
<div class="meta"><span>Rule <a href="${rulePage(finding, version)}" rel="noreferrer noopener">${rule}</a></span>${
    place !== '' && html`<span>Contract <code>${shortened(place, LONGEST)}</code></span>`
  }<span>${shortened(reference, LONGEST)}</span>${exchangesOf(finding)}${seenOf(finding)}<span>Fingerprint <code>${fingerprint}</code></span></div>${ticketOf(finding)}</article>
`;
}

/** Half a ticket for whoever runs the target. */
function ticketOf({ ticket }: Finding): Markup {
  if (ticket === undefined) return html``;
  const ids = ticketIds(ticket).map(
    ([name, value]) => html`<span>${shortened(name, LONGEST_IN_LINE)} <code>${shortened(value, LONGEST)}</code></span>`,
  );
  return html`<div class="meta ticket"><span>At ${ticket.at}</span>${ids}</div>${
    ticket.curl !== null &&
    html`<details class="repeat"><summary>Repeat it</summary><pre tabindex="0">${ticket.curl}</pre></details>`
  }`;
}

function row({ fingerprint, severity, rule, pointer, expected, actual }: Finding): Markup {
  const shapes = `${shortened(expected, LONGEST_IN_LINE)} → ${shortened(actual, LONGEST_IN_LINE)}`;
  return html`<li class="f ${severity}" id="f-${fingerprint}">${rule} <code>${shortened(pointer, LONGEST_IN_LINE)}</code> ${shapes}</li>
`;
}

/** A shape that is JSON is laid out. */
function shapeOf(text: string): Markup {
  if (text === '') return html`nothing said`;
  if (/^[[{]/.test(text) && text.length <= LONGEST) {
    try {
      return lines(JSON.stringify(JSON.parse(text), null, 2));
    } catch {
      // prose that begins with a bracket
    }
  }
  return lines(shortened(text, LONGEST));
}

function exchangesOf({ exchanges }: Finding): Markup {
  if (exchanges.length === 0) return html``;
  const more = exchanges.length > 8 ? ', …' : '';
  return html`<span>Exchange${exchanges.length === 1 ? '' : 's'} ${exchanges.slice(0, 8).join(', ') + more}</span>`;
}

function seenOf({ firstSeen, lastSeen }: Finding): Markup {
  const [first, last] = [firstSeen?.slice(0, 10), lastSeen?.slice(0, 10)];
  if (first === undefined) return html``;
  return html`<span>First seen ${first}${last === undefined || last === first ? '' : `, last ${last}`}</span>`;
}
