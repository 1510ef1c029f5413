import { EXIT, type ExitCode } from '../errors.ts';
import type { Finding, Severity } from '../model/finding.ts';
import type { Check, Report, Verdict } from '../model/report.ts';
import { counts } from '../model/verdict.ts';
import { makeReport } from '../report/make-report.ts';
import type { Exercised, Judging } from './judging.ts';

export interface ReportOptions {
  readonly judging: Judging;
  readonly target: Report['target'];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly failOn: Severity;
  readonly redact: (text: string) => string;
}

/** What passed so far, as a report. Each operation that was called has a check, so that every format has rows to show. */
export async function reportOf(options: ReportOptions): Promise<Report> {
  const { judging, failOn, redact } = options;
  const findings = await judging.findings();
  const checks = judging.exercised.map((each) => checkOf(each, findings, failOn, redact));
  const report = makeReport({
    command: 'proxy',
    target: options.target,
    startedAt: options.startedAt,
    endedAt: options.now,
    failOn,
    findings,
    checks,
    coverage: await judging.coverage(),
    deprecations: await judging.deprecations(),
  });
  return { ...report, exitCode: EXIT.agrees, verdict: verdictOf(findings, checks, failOn) };
}

/** The code that the command ends with: findings fail it only where it was told from which severity on. */
export function exitCodeFor(report: Report, failOn: Severity | undefined): ExitCode {
  if (failOn === undefined) return EXIT.agrees;
  return report.findings.some((finding) => counts(finding, failOn)) ? EXIT.findings : EXIT.agrees;
}

function checkOf(
  { operationId, judged, reason, durationMs }: Exercised,
  findings: readonly Finding[],
  failOn: Severity,
  redact: (text: string) => string,
): Check {
  const failing = findings.filter((finding) => finding.operationId === operationId && counts(finding, failOn));
  const base = { id: `proxy.${operationId}`, operationId, kind: 'any', durationMs } as const;
  if (failing.length > 0) {
    return { ...base, outcome: 'failed', reason: failing.map(({ rule, message }) => `${rule}: ${message}`).join(' ') };
  }
  if (judged > 0) return { ...base, outcome: 'passed', reason: '' };
  return { ...base, outcome: 'inconclusive', reason: redact(reason) };
}

/** It follows from what was seen; where nothing could be judged, nothing is known. */
function verdictOf(findings: readonly Finding[], checks: readonly Check[], failOn: Severity): Verdict {
  if (findings.some((finding) => counts(finding, failOn))) return 'drift';
  return checks.some(({ outcome }) => outcome === 'passed') ? 'agrees' : 'inconclusive';
}
