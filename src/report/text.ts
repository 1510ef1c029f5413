import type { Created, Report } from '../model/report.ts';
import { plain } from '../plain.ts';
import { type Render, redacting } from './format.ts';
import { callersText, checkCounts, findingCounts, tookOf, whenOf } from './summary.ts';
import { checkLines } from './text/checks.ts';
import { coverageLines, notLocatedLines } from './text/coverage.ts';
import { acceptedLines, findingLines, infoSection } from './text/findings.ts';
import { createPage, type LabelledText, labelled, type Page } from './text/page.ts';
import { watchWords } from './words/deprecations.ts';
import { nextSteps } from './words/next-steps.ts';
import { whyInconclusive } from './words/reasons.ts';
import { remarksOf } from './words/remarks.ts';
import { type Tone, toneOf, VERDICT, verdictSentences } from './words/verdict.ts';
import { capitalised, count, hanging, wrap } from './wrap.ts';

/** Width of the labels in the head. */
const LABEL = 9;
const MOST_REASONS = 4;

/** The report for a person at a terminal, free of control characters of the target's. */
export const renderText: Render = redacting((report, { color = false, columns = 100 }) => {
  const page = createPage(color, columns);
  const stale = report.stale.map(({ fingerprint, why }) => plain(`  ${fingerprint}  ${why}`));
  const sections: [title: string, lines: string[]][] = [
    ['Mind', remarkLines(report, page)],
    ['Findings', findingLines(report, page)],
    ['Worth knowing', infoSection(report, page)],
    ['Rules', scoreCardLines(report.rules ?? [], page)],
    ['Accepted by the baseline', acceptedLines(report.accepted, page)],
    ['Stale in the baseline', [...stale, '']],
    ['Created by this run', createdLines(report.created ?? [])],
    ['Checks', checkLines(report.checks, page)],
    ['Not located', notLocatedLines(report.coverage.operations, page)],
    ['Coverage', coverageLines(report, page)],
    ['Deprecated forms', deprecationLines(report, page)],
    ['What to do next', nextSteps(report).flatMap((step) => hanging(plain(step), page.width, '  · '))],
  ];
  const body = sections
    .filter(([, lines]) => lines.some((line) => line !== ''))
    .flatMap(([title, lines]) => [
      page.bold(`── ${title} ${'─'.repeat(Math.max(0, page.width - title.length - 4))}`),
      ...lines,
    ]);
  return `${[...head(report, page), '', ...body].join('\n').trimEnd()}\n`;
});

function head(report: Report, page: Page): string[] {
  const { target, tool } = report;
  const rows: LabelledText[] = [
    ['target', target.kind === 'mock' ? `${target.baseUrl} (a mock)` : target.baseUrl],
    ['run', `${whenOf(report)}, ${tookOf(report)}, ${tool.name} ${tool.version}`],
    ['findings', findingCounts(report)],
    ['checks', checkCounts(report.checks)],
    ['callers', callersText(report) ?? ''],
  ];
  return [...verdictLines(report, page), ...labelled(rows, page, 2, LABEL + 1), ...whyLines(report, page)];
}

function verdictLines(report: Report, page: Page): string[] {
  const tone = toneOf(report);
  const paint: Readonly<Record<Tone, (text: string) => string>> = {
    drift: (text) => page.severity('error', text),
    inconclusive: (text) => page.severity('warning', text),
    warned: (text) => page.severity('warning', text),
    agrees: page.good,
    interrupted: (text) => text,
  };
  const sentences = verdictSentences(report).map((sentence) => `${capitalised(sentence)}.`);
  const text = `${VERDICT[tone].toUpperCase()}  ${sentences.join(' ')}`;
  return wrap(plain(text), page.width).map((line) => page.bold(paint[tone](line)));
}

/** What stood in the way of a run that proved nothing. */
function whyLines(report: Report, { width, dim }: Page): string[] {
  const why = whyInconclusive(report);
  const left = why.length - MOST_REASONS;
  const texts = [
    ...why.slice(0, MOST_REASONS).map(({ reason, checks }) => `${count(checks.length, 'check')}: ${reason}`),
    ...(left > 0 ? [`${count(left, 'more reason')}, under Checks`] : []),
  ];
  return texts
    .flatMap((text) => wrap(plain(text), width - LABEL - 3).map((line, index) => (index === 0 ? line : `  ${line}`)))
    .map((line, index) => `  ${dim((index === 0 ? 'why' : '').padEnd(LABEL))} ${line}`);
}

/** What the reader has to know beside the findings. */
function remarkLines(report: Report, page: Page): string[] {
  const lines = remarksOf(report).flatMap(({ title, severity, text, location }) => {
    const place = location === null ? '' : ` (${location.file}:${location.line}:${location.column})`;
    const [first = '', ...rest] = hanging(plain(`${title}: ${text}${place}`), page.width);
    return [page.severity(severity, first), ...rest];
  });
  return lines.length === 0 ? [] : [...lines, ''];
}

const OUTCOMES = { kept: 'kept', broken: 'broken', 'not-exercised': 'not exercised' } as const;

/** What became of each rule on a caller, a line each; empty for the reports of other commands. */
function scoreCardLines(rules: NonNullable<Report['rules']>, page: Page): string[] {
  if (rules.length === 0) return [];
  const width = Math.max(...rules.map(({ rule }) => rule.length));
  const widest = Math.max(...rules.map(({ outcome }) => OUTCOMES[outcome].length));
  const lines = rules.map(({ rule, outcome, evidence = '' }) => {
    const text = `  ${plain(rule).padEnd(width)}  ${OUTCOMES[outcome].padEnd(widest)}  ${plain(evidence)}`.trimEnd();
    if (outcome === 'broken') return page.severity('error', text);
    return outcome === 'kept' ? page.good(text) : page.dim(text);
  });
  const sum = Object.entries(OUTCOMES).map(
    ([outcome, words]) => `${rules.filter((each) => each.outcome === outcome).length} ${words}`,
  );
  return [...lines, `  ${sum.join(', ')}`, ''];
}

/** What a run created in the target, a line each: what is gone again, and what is left and why. */
export function createdLines(created: readonly Created[]): string[] {
  if (created.length === 0) return [];
  const lines = created.map(({ id, operationId, removed, reason }) =>
    plain(`  ${id} (${operationId}): ${removed ? 'removed again' : `left there: ${reason}`}`),
  );
  return [...lines, ''];
}

/** The deprecated forms and what is known of each. */
function deprecationLines({ deprecations, startedAt }: Report, { width }: Page): string[] {
  if (deprecations.length === 0) return [];
  const nothing = deprecations.every(
    ({ alive, withdrawnSince, lastAlive }) => alive === null && withdrawnSince === undefined && lastAlive === undefined,
  );
  if (nothing) {
    const names = deprecations.map(({ operationId }) => operationId).join(', ');
    return [...wrap(plain(`not known whether they live: ${names}`), width - 4).map((line) => `  ${line}`), ''];
  }
  const lines = deprecations.flatMap((watch) => {
    const { life, shape, deprecation, sunset, nearness } = watchWords(watch, startedAt);
    const end = `Sunset ${sunset}${nearness === null ? '' : ` (${nearness.text})`}`;
    const facts = [life, shape.text, `Deprecation ${deprecation}`, end].join(', ');
    return hanging(plain(`${watch.operationId} → ${watch.successor}: ${facts}`), width);
  });
  return [...lines, ''];
}
