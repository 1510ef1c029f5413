import { EXIT } from '../errors.ts';
import type { Redactor } from '../http/redact.ts';
import { checkCounts, findingCounts } from './counts.ts';
import { plain } from './plain.ts';
import { whyInconclusive } from './reasons.ts';
import { redacted } from './redacted.ts';
import type { Report } from './report.ts';
import { checkLines } from './text/checks.ts';
import { coverageLines, notLocatedLines } from './text/coverage.ts';
import { createdLines } from './text/created.ts';
import { deprecationLines } from './text/deprecations.ts';
import { acceptedLines, findingLines } from './text/findings.ts';
import { nextSteps } from './text/next.ts';
import { createPaint, type Paint } from './text/paint.ts';
import { scoreCardLines } from './text/score-card.ts';
import { butWarnings } from './warned.ts';
import { capitalised, count, wrap } from './wrap.ts';

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
    ['What to do next', nextSteps(clean).flatMap((step) => bullet(plain(step), width))],
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
  const rows = [
    ['target', report.target.kind === 'mock' ? `${report.target.baseUrl} (a mock)` : report.target.baseUrl],
    ['run', `${when(report.startedAt)}, ${seconds(report.durationMs)}, ${report.tool.name} ${report.tool.version}`],
    ['findings', findingCounts(report)],
    ['checks', checkCounts(report.checks)],
  ] as const;
  return [
    ...verdictLines(report, paint, width),
    ...rows.map(([label, text]) => `  ${paint.dim(label.padEnd(LABEL))} ${plain(text)}`),
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

function staleNote({ stale }: Report): string {
  return stale.length === 0 ? '' : `the baseline has ${count(stale.length, 'stale entry', 'stale entries')}`;
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

function bullet(text: string, width: number): string[] {
  return wrap(text, width - 4).map((line, index) => `  ${index === 0 ? '·' : ' '} ${line}`);
}

function when(startedAt: string): string {
  return `${startedAt.slice(0, 16).replace('T', ' ')} UTC`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
