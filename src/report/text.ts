import { EXIT } from '../errors.ts';
import type { Created, Report } from '../model/report.ts';
import { plain } from '../plain.ts';
import type { Redactor } from '../redact/redact.ts';
import { callersText } from './callers.ts';
import { whyInconclusive } from './reasons.ts';
import { redacted } from './redacted.ts';
import { butWarnings, checkCounts, findingCounts, staleNote, tookOf, whenOf } from './summary.ts';
import { checkLines } from './text/checks.ts';
import { coverageLines, notLocatedLines } from './text/coverage.ts';
import { acceptedLines, findingLines } from './text/findings.ts';
import { nextSteps } from './text/next.ts';
import { createPaint, type Paint } from './text/paint.ts';
import { watchWords } from './watch-words.ts';
import { capitalised, count, hanging, wrap } from './wrap.ts';

export interface TextOptions {
  /** Escape sequences for colours; none by default. */
  readonly color?: boolean;
  /** Width in characters, 100 by default. */
  readonly columns?: number | undefined;
  readonly redactor?: Redactor;
}

const NARROWEST = 60;
const WIDEST = 120;

const LABEL = 9;
const MOST_REASONS = 4;

/** The report for a person at a terminal, redacted and free of control characters of the target's. */
export function renderText(report: Report, options: TextOptions = {}): string {
  const clean = redacted(report, options.redactor);
  const paint = createPaint(options.color === true);
  const width = Math.min(WIDEST, Math.max(NARROWEST, options.columns ?? 100));
  const sections: [title: string, lines: string[]][] = [
    ['Findings', findingLines(clean.findings, paint, width)],
    ['Rules', scoreCardLines(clean.rules ?? [], paint)],
    ['Accepted by the baseline', acceptedLines(clean.accepted, paint, width)],
    ['Stale in the baseline', clean.stale.map(({ fingerprint, why }) => plain(`  ${fingerprint}  ${why}`)).concat('')],
    ['Created by this run', createdLines(clean.created ?? [])],
    ['Checks', checkLines(clean.checks, paint, width)],
    ['Not located', notLocatedLines(clean.coverage.operations, paint, width)],
    ['Coverage', coverageLines(clean, paint, width)],
    ['Deprecated forms', deprecationLines(clean, width)],
    ['What to do next', nextSteps(clean).flatMap((step) => hanging(plain(step), width, '  · '))],
  ];
  const body = sections
    .filter(([, lines]) => lines.some((line) => line !== ''))
    .flatMap(([title, lines]) => [
      paint.bold(`── ${title} ${'─'.repeat(Math.max(0, width - title.length - 4))}`),
      ...lines,
    ]);
  return `${[...head(clean, paint, width), '', ...body].join('\n').trimEnd()}\n`;
}

function head(report: Report, paint: Paint, width: number): string[] {
  const { target, tool } = report;
  const callers = callersText(report);
  const rows = [
    ['target', target.kind === 'mock' ? `${target.baseUrl} (a mock)` : target.baseUrl],
    ['run', `${whenOf(report)}, ${tookOf(report)}, ${tool.name} ${tool.version}`],
    ['findings', findingCounts(report)],
    ['checks', checkCounts(report.checks)],
    ...(callers === null ? [] : [['callers', callers] as const]),
  ] as const;
  return [
    ...verdictLines(report, paint, width),
    ...rows.flatMap(([label, text]) =>
      wrap(plain(text), width - LABEL - 3).map(
        (line, index) => `  ${paint.dim((index === 0 ? label : '').padEnd(LABEL))} ${line}`,
      ),
    ),
    ...whyLines(report, paint, width),
  ];
}

function verdictLines(report: Report, paint: Paint, width: number): string[] {
  const who = report.command === 'audit' ? 'The caller' : 'The target';
  if (report.exitCode === EXIT.interrupted) return [paint.bold('INTERRUPTED  The run did not come to its end.')];
  if (report.verdict === 'drift')
    return [paint.bold(paint.severity('error', `DRIFT  ${who} differs from the contract.`))];
  if (report.verdict === 'inconclusive') {
    const line = `INCONCLUSIVE  It could not be told whether ${who.toLowerCase()} agrees.`;
    return [paint.bold(paint.severity('warning', line))];
  }
  const but = butWarnings(report);
  const stale = staleNote(report);
  if (but === null) {
    return [paint.bold(paint.good(`AGREES  ${who} agrees with the contract${stale === '' ? '' : `, but ${stale}`}.`))];
  }
  const text = `AGREES  ${capitalised(but)}.${stale === '' ? '' : ` ${capitalised(stale)}.`}`;
  return wrap(plain(text), width).map((line) => paint.bold(paint.severity('warning', line)));
}

/** What stood in the way of a run that proved nothing. */
function whyLines(report: Report, paint: Paint, width: number): string[] {
  const why = whyInconclusive(report);
  const left = why.length - MOST_REASONS;
  const texts = [
    ...why
      .slice(0, MOST_REASONS)
      .map(({ reason, checks }) => `${count(checks.length, 'check')}: ${reason === '' ? 'no reason given' : reason}`),
    ...(left > 0 ? [`${count(left, 'more reason')}, under Checks`] : []),
  ];
  return texts
    .flatMap((text) => wrap(plain(text), width - LABEL - 3).map((line, index) => (index === 0 ? line : `  ${line}`)))
    .map((line, index) => `  ${paint.dim((index === 0 ? 'why' : '').padEnd(LABEL))} ${line}`);
}

const OUTCOMES = { kept: 'kept', broken: 'broken', 'not-exercised': 'not exercised' } as const;

/** What became of each rule on a caller, a line each; empty for the reports of other commands. */
function scoreCardLines(rules: NonNullable<Report['rules']>, paint: Paint): string[] {
  if (rules.length === 0) return [];
  const width = Math.max(...rules.map(({ rule }) => rule.length));
  const widest = Math.max(...rules.map(({ outcome }) => OUTCOMES[outcome].length));
  const lines = rules.map(({ rule, outcome, evidence = '' }) => {
    const text = `  ${plain(rule).padEnd(width)}  ${OUTCOMES[outcome].padEnd(widest)}  ${plain(evidence)}`.trimEnd();
    if (outcome === 'broken') return paint.severity('error', text);
    return outcome === 'kept' ? paint.good(text) : paint.dim(text);
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
function deprecationLines({ deprecations, startedAt }: Report, width: number): string[] {
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
