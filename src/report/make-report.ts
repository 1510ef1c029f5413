import type { Statement } from '../contract/statements.ts';
import { ToolError } from '../errors.ts';
import { tool } from '../files/tool.ts';
import type { Threshold } from '../model/finding.ts';
import type { Report, RequiredCoverage } from '../model/report.ts';
import { exitCodeOf, verdictOf } from '../model/verdict.ts';
import { belowFloor, statementsOf } from './statements.ts';
import { BELOW_FLOOR, isBlind } from './words/reasons.ts';
import { shareOf } from './words/share.ts';

type OfRun = 'accepted' | 'expired' | 'stale' | 'deprecations' | 'created' | 'discovered' | 'notices';
type OfCaller = 'callers' | 'rules' | 'advice';

export interface ReportParts
  extends Pick<Report, 'command' | 'target' | 'findings' | 'checks'>,
    Partial<Pick<Report, OfRun | OfCaller>> {
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds since the epoch. */
  readonly endedAt: number;
  readonly failOn: Threshold;
  readonly interrupted?: boolean;
  /** The operation that issues tokens. If it is the only checked one, nothing was checked. */
  readonly tokenOperation?: string | undefined;
  readonly coverage?: Report['coverage']['operations'];
  readonly statements?: readonly Statement[];
  readonly requireCoverage?: RequiredCoverage;
}

export function makeReport(parts: ReportParts): Report {
  const { command, target, findings, checks, failOn, interrupted = false, tokenOperation } = parts;
  const { accepted = [], expired = [], stale = [], coverage = [], requireCoverage = {} } = parts;
  const { deprecations = [], created = [], discovered = [], callers, rules, advice = [] } = parts;
  const statements = statementsOf(parts.statements ?? [], checks);
  const missed = belowFloor(requireCoverage, coverage, statements);
  const notices = [
    ...(parts.notices ?? []),
    ...(missed === null ? [] : [{ code: BELOW_FLOOR, message: missed, location: null }]),
  ];
  const share = shareOf({ coverage: { operations: coverage }, checks });
  const ending = {
    interrupted,
    fault: false,
    findings,
    failOn,
    checks,
    stale: stale.length,
    tokenOperation,
    // only verify is inconclusive without coverage; other commands report the gap
    unwatched: command === 'verify' && isBlind(notices),
  };
  const startedAt = new Date(parts.startedAt).toISOString();
  return {
    reportVersion: 1,
    tool,
    command,
    target,
    startedAt,
    durationMs: parts.endedAt - parts.startedAt,
    exitCode: exitCodeOf(ending),
    verdict: verdictOf(ending),
    findings,
    accepted,
    ...(expired.length > 0 && { expired }),
    stale,
    checks,
    coverage: { operations: coverage, ...(share && { share }), ...(statements && { statements }) },
    deprecations,
    ...(created.length > 0 && { created }),
    ...(discovered.length > 0 && { discovered }),
    ...(notices.length > 0 && { notices }),
    ...(callers && { callers }),
    ...(rules && { rules }),
    ...(advice.length > 0 && { advice }),
  };
}

/** The report of a command that was interrupted while it loaded its contract. Rethrows any other error. */
export function nothingKnown(
  thrown: unknown,
  parts: Pick<ReportParts, 'command' | 'target' | 'startedAt' | 'endedAt' | 'failOn'>,
): Report {
  if (!(thrown instanceof ToolError) || thrown.code !== 'interrupted') throw thrown;
  const notices = [{ code: 'interrupted', message: thrown.message, location: null }];
  return makeReport({ ...parts, interrupted: true, findings: [], checks: [], notices });
}

export function unopened(target: string): Report['target'] {
  return target === 'mock' ? { kind: 'mock', baseUrl: 'embedded mock' } : { kind: 'url', baseUrl: target };
}
