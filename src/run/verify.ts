import { circumstancesOf } from '../contract/conditions.ts';
import { assumedOf } from '../contract/contract-file.ts';
import { ToolError } from '../errors.ts';
import { partByBaseline, staleEntries } from '../judge/baseline.ts';
import { inOrder } from '../judge/findings.ts';
import { type Judged, type JudgeLimits, type JudgeOptions, judgeInSlices, refutedAssumptions } from '../judge/judge.ts';
import type { Finding } from '../model/finding.ts';
import type { Created, Report } from '../model/report.ts';
import { DEFAULT_LIMITS } from '../net/settings.ts';
import { coverageOf } from '../report/coverage.ts';
import { deprecationsOf } from '../report/deprecations.ts';
import { makeReport } from '../report/make-report.ts';
import { cleanUp } from './clean-up.ts';
import { confirmFailures } from './confirm.ts';
import { loadEngine, type SuiteResult } from './engine.ts';
import type { PlanRow, VerifyOptions } from './options.ts';
import { faultsOf, outcomesOf, unexplained, withChecks } from './outcomes.ts';
import { planRows } from './plan.ts';
import { openSession, type Session } from './session.ts';
import { openSuite, type Suite } from './suite-run.ts';
import { openTarget } from './target.ts';

/**
 * Runs the contract suite against the embedded mock or a URL, judges every exchange, and reports.
 *
 * What the target does is never an error here, a dead target neither: the report's verdict and exit code say it.
 *
 * @throws ToolError for a bad target, an overlay that cannot be used, or a missing engine.
 */
export async function verify(options: VerifyOptions = {}): Promise<Report> {
  const startedAt = (options.clock ?? Date.now)();
  return conduct(options, (session, results, end) => report(session, results, options, startedAt, end));
}

/** How a run ended. */
export interface RunEnd {
  readonly interrupted: boolean;
  readonly created: readonly Created[];
  /** How long what was answered may be judged. */
  readonly limits: Required<JudgeLimits>;
}

/** Milliseconds that are left for judging however long the calls took. */
const LEAST_JUDGING = 2000;

/** Runs the suite in a session of its own and hands both over while the way out is still open. `record` makes its calls by it too. */
export async function conduct<T>(
  options: VerifyOptions,
  use: (session: Session, results: readonly SuiteResult[], end: RunEnd) => T | Promise<T>,
): Promise<T> {
  const signal = options.signal ?? new AbortController().signal;
  // The longest part of a start, beside everything else.
  const engine = loadEngine();
  engine.catch(() => {});

  await using opened = await openTarget(options);
  const session = await openSession(opened, options, signal);
  const { duration } = { ...DEFAULT_LIMITS, ...options.limits };
  const endsAt = performance.now() + duration * 1000;
  const overtime = setTimeout(() => session.breaker.trip(`the run took longer than ${duration} s`), duration * 1000);
  try {
    await engine;
    const suite = openSuite(session, options, signal);
    announce(session, options, await writingCalls(session, suite));
    const results = await suite.run();
    if (!signal.aborted) await confirmFailures(session);
    const created = await cleanUp(session);
    options.onEvent?.({ kind: 'created', created });
    // A run that used up its time still tells what it knows.
    const until = Math.max(endsAt, performance.now() + Math.max(LEAST_JUDGING, duration * 100));
    return await use(session, results, { interrupted: signal.aborted, created, limits: { signal, until } });
  } finally {
    clearTimeout(overtime);
    await session.close();
  }
}

/** Every call that {@link verify} would make with the same options. Nothing is sent; an embedded mock is not asked either. */
export async function plan(options: VerifyOptions = {}): Promise<PlanRow[]> {
  const signal = options.signal ?? new AbortController().signal;
  await using target = await openTarget(options);
  const session = await openSession({ ...target, credentials: null }, options, signal);
  try {
    const suite = openSuite({ ...session, target, nothing: null }, options, signal);
    await suite.listen();
    const rows = planRows(suite, session);
    announce({ ...session, target }, options, target.embedded ? null : writesOf(rows));
    return rows;
  } finally {
    await session.close();
  }
}

/** How many calls the run is about to make that are not reads. Only where the policy lets any through are all of them looked for. */
async function writingCalls(session: Session, suite: Suite): Promise<number | null> {
  const { target, policy } = session;
  if (target.embedded) return null;
  const open = target.contract.operations.some(
    (operation) => operation.path !== null && operation.effect !== 'read' && policy.refusalOf(operation) === null,
  );
  if (!open) return 0;
  await suite.listen();
  return writesOf(planRows(suite, session));
}

function writesOf(rows: readonly PlanRow[]): number {
  return rows.filter(({ effect }) => effect !== 'read').reduce((sum, { times }) => sum + times, 0);
}

function announce(session: Session, options: VerifyOptions, writing: number | null): void {
  const { target, policy } = session;
  options.onEvent?.({
    kind: 'target',
    target: target.kind,
    baseUrl: target.baseUrl,
    allow: target.embedded ? 'destructive' : policy.settings.allow,
    writing,
  });
}

/** What a run knows besides its exchanges. */
type Extra = NonNullable<JudgeOptions['also']>[number];

const UNVERIFIED: Extra['observation'] = {
  operationId: null,
  pointer: '',
  expected: 'a certificate that is checked',
  actual: 'any certificate',
  source: '',
  exchanges: [],
};

/** What the mock assumes of the target and is not so; nothing where it cannot be said what it assumes. */
async function refutedBy(
  { calls, target, redactor }: Session,
  judged: Judged,
  limits: JudgeLimits,
): Promise<Finding[]> {
  const assumptions = await target.assumptions?.catch(() => null);
  if (assumptions == null) return [];
  const redact = (text: string): string => redactor.text(text);
  const contract = { contract: target.contract, calls, redact };
  return refutedAssumptions(contract, { contract: assumptions }, judged.findings, limits);
}

async function report(
  session: Session,
  results: readonly SuiteResult[],
  options: VerifyOptions,
  startedAt: number,
  { created, limits }: RunEnd,
): Promise<Report> {
  const { calls, target, redactor } = session;
  const { contract } = target;
  const failOn = options.failOn ?? 'error';
  const redact = (text: string): string => redactor.text(text);
  const circumstances = circumstancesOf({
    groups: contract.folder.facts,
    facts: options.facts,
    failing: target.failing,
    parameters: target.parameters,
    assumed: assumedOf(contract.folder.assumed, target.kind),
  });
  const judgeWith = (also: readonly Extra[]): Promise<Judged> =>
    judgeInSlices({ contract, calls, redact, also, circumstances }, limits);
  const known: Extra[] =
    options.tlsVerified === false && target.baseUrl.startsWith('https:') && calls.length > 0
      ? [{ rule: 'tls-not-verified', observation: UNVERIFIED }]
      : [];
  let judged = await judgeWith(known);
  const broken = unexplained({ results, calls, judged }, contract);
  if (broken.length > 0) {
    judged = await judgeWith([
      ...known,
      ...broken.map((observation): Extra => ({ rule: 'contract-check-failed', observation })),
    ]);
  }
  const refuted = await refutedBy(session, judged, limits);
  const interrupted = limits.signal.aborted;
  const findings = inOrder([...judged.findings, ...refuted], contract);
  judged = { ...judged, findings: withChecks(findings, calls, results) };
  const faults = faultsOf(results);
  if (faults.length > 0 && !interrupted) {
    throw new ToolError('fault', `A check of the contract suite is broken: ${redact(faults[0] ?? '')}`);
  }
  const { baseline = { entries: [] } } = options;
  const today = new Date(startedAt).toISOString().slice(0, 10);
  const { active, accepted } = partByBaseline(judged.findings, baseline, today);
  const acceptedNow = new Set(accepted.map(({ fingerprint }) => fingerprint));
  const checks = outcomesOf({ results, calls, judged, accepted: acceptedNow, failOn, redact, interrupted });
  const coverage = coverageOf(contract, judged.samples, calls);
  const { rules } = contract.folder;
  const stale = staleEntries(baseline, { findings: judged.findings, checks, coverage, interrupted, rules });
  return makeReport({
    command: 'verify',
    target: { kind: target.kind, baseUrl: target.baseUrl },
    startedAt,
    endedAt: (options.clock ?? Date.now)(),
    failOn,
    interrupted,
    tokenOperation: contract.token?.operationId,
    findings: active,
    accepted,
    stale,
    checks,
    coverage,
    deprecations: deprecationsOf(contract, judged, redact),
    created,
  });
}
