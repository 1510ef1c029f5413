import { type Finding, SEVERITIES } from '../drift/finding.ts';
import { EXIT } from '../errors.ts';
import type { Redactor } from '../http/redact.ts';
import { plain } from './plain.ts';
import { redacted } from './redacted.ts';
import type { Report } from './report.ts';
import { checkCounts, checkLines } from './text/checks.ts';
import { coverageLines, deprecationLines, notLocatedLines } from './text/coverage.ts';
import { createdLines } from './text/created.ts';
import { findingLines, titleOf } from './text/findings.ts';
import { nextSteps } from './text/next.ts';
import { createPaint, type Paint } from './text/paint.ts';
import { scoreCardLines } from './text/score-card.ts';
import { count, wrap } from './wrap.ts';

export interface TextOptions {
  /** Escape sequences for colours; none by default. */
  readonly color?: boolean;
  /** Width in characters, 100 by default. */
  readonly columns?: number | undefined;
  readonly redactor?: Redactor;
}

const NARROWEST = 60;
const WIDEST = 120;

/** The report for a person at a terminal, redacted and free of control characters of the target's. */
export function renderText(report: Report, options: TextOptions = {}): string {
  const clean = redacted(report, options.redactor);
  const paint = createPaint(options.color === true);
  const width = Math.min(WIDEST, Math.max(NARROWEST, options.columns ?? 100));
  const sections: [title: string, lines: string[]][] = [
    ['Findings', findingLines(clean.findings, paint, width)],
    ['Rules', scoreCardLines(clean.rules ?? [], paint)],
    ['Accepted by the baseline', acceptedLines(clean, width)],
    ['Stale in the baseline', clean.stale.map(({ fingerprint, why }) => plain(`  ${fingerprint}  ${why}`)).concat('')],
    ['Created by this run', createdLines(clean.created ?? [])],
    ['Checks', checkLines(clean.checks, paint, width)],
    ['Not located', notLocatedLines(clean.coverage.operations, paint, width)],
    ['Coverage', coverageLines(clean.coverage.operations, paint, width)],
    ['Deprecated forms', deprecationLines(clean.deprecations)],
    ['What to do next', nextSteps(clean).flatMap((step) => bullet(plain(step), width))],
  ];
  const body = sections
    .filter(([, lines]) => lines.some((line) => line !== ''))
    .flatMap(([title, lines]) => [
      paint.bold(`── ${title} ${'─'.repeat(Math.max(0, width - title.length - 4))}`),
      ...lines,
    ]);
  return `${[...head(clean, paint), '', ...body].join('\n').trimEnd()}\n`;
}

function head(report: Report, paint: Paint): string[] {
  const rows = [
    ['target', report.target.kind === 'mock' ? `${report.target.baseUrl} (a mock)` : report.target.baseUrl],
    ['run', `${when(report.startedAt)}, ${seconds(report.durationMs)}, ${report.tool.name} ${report.tool.version}`],
    ['findings', findingCounts(report)],
    ['checks', checkCounts(report.checks)],
  ] as const;
  return [verdictLine(report, paint), ...rows.map(([label, text]) => `  ${paint.dim(label.padEnd(9))} ${plain(text)}`)];
}

function verdictLine(report: Report, paint: Paint): string {
  const who = report.command === 'audit' ? 'The caller' : 'The target';
  if (report.exitCode === EXIT.interrupted) return paint.bold('INTERRUPTED  The run did not come to its end.');
  switch (report.verdict) {
    case 'drift':
      return paint.bold(paint.severity('error', `DRIFT  ${who} differs from the contract.`));
    case 'inconclusive':
      return paint.bold(
        paint.severity('warning', `INCONCLUSIVE  It could not be told whether ${who.toLowerCase()} agrees.`),
      );
    default:
      return paint.bold(paint.good(`AGREES  ${who} agrees with the contract${staleNote(report)}.`));
  }
}

function staleNote({ stale }: Report): string {
  return stale.length === 0 ? '' : `, but the baseline has ${count(stale.length, 'stale entry', 'stale entries')}`;
}

function findingCounts({ findings, accepted, stale }: Report): string {
  const of = (severity: Finding['severity']): number => findings.filter((each) => each.severity === severity).length;
  const parts = SEVERITIES.filter((severity) => of(severity) > 0).map((severity) =>
    severity === 'info' ? `${of(severity)} info` : count(of(severity), severity),
  );
  if (accepted.length > 0) parts.push(`${accepted.length} accepted`);
  if (stale.length > 0) parts.push(`${stale.length} stale`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function acceptedLines({ accepted }: Report, width: number): string[] {
  return accepted
    .flatMap(({ finding, reason, owner, expires }) => {
      const by = owner === null ? '' : ` by ${owner}`;
      const text = `${finding.rule}${finding.pointer === '' ? '' : ` at ${finding.pointer}`}: ${reason} (until ${expires}${by})`;
      return [`  ${titleOf(finding)}`, ...wrap(plain(text), width - 4).map((line) => `    ${line}`)];
    })
    .concat('');
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
