import { readStatements } from '../contract/statements.ts';
import { type Baseline, isFor, partByBaseline, staleEntries } from '../judge/baseline.ts';
import { inOrder } from '../judge/findings.ts';
import { type Judged, type JudgeLimits, judgeInSlices } from '../judge/judge.ts';
import { inconclusive } from '../judge/judgement.ts';
import type { Observed } from '../judge/rule.ts';
import { tlsNotVerified } from '../judge/rules/run.ts';
import { ruleName } from '../judge/rules.ts';
import { fingerprint } from '../model/finding.ts';
import type { Created, Report, ReportNotice } from '../model/report.ts';
import { namesOfRequests } from '../net/own-headers.ts';
import { coverageOf } from '../report/coverage.ts';
import { deprecationsOf } from '../report/deprecations.ts';
import { makeReport, nothingKnown, unopened } from '../report/make-report.ts';
import { slowedText, weakening } from '../report/notices.ts';
import { withTickets } from '../report/ticket.ts';
import type { VerifyOptions } from './options.ts';
import { outcomesOf, unexplained, withChecks } from './outcomes.ts';
import type { Session } from './session.ts';
import { endedSkips } from './skips.ts';
import type { SuiteResult } from './suite.ts';
import { assumptionsRefutedBy, judgedBy } from './target.ts';

/** A run after its checks, while the way out is still open. */
export interface FinishedRun {
  readonly session: Session;
  readonly results: readonly SuiteResult[];
  readonly created: readonly Created[];
  /** When judging must end. */
  readonly limits: Required<JudgeLimits>;
}

export async function reportOf(run: FinishedRun, startedAt: number): Promise<Report> {
  const { session, results, created, limits } = run;
  const { calls, target, redact, options, variables, tokenVariable } = session;
  const { contract, kind, baseUrl } = target;
  const { baseline: given = { entries: [] }, failOn = 'error', clock = Date.now } = options;
  const isForIt = isFor(given, { kind, baseUrl });
  const baseline = isForIt ? given : { entries: [] };
  const judged = await judgedOf(run);
  const interrupted = limits.signal.aborted;
  const { requestIds, headers = [] } = options;
  const sentIds = namesOfRequests(headers);
  const bearer = tokenVariable ?? (contract.token === null ? variables.password : 'TOKEN');
  const { parameters } = target;
  const tickets = { contract, baseUrl, parameters, requestIds, sentIds, variables, bearer, redact };
  const findings = withTickets(judged.findings, calls, tickets);
  const { active, accepted, expired } = partByBaseline(
    findings,
    baseline,
    new Date(startedAt).toISOString().slice(0, 10),
  );
  const checks = outcomesOf(
    { results, calls, judged },
    { accepted: new Set(accepted.map(({ fingerprint }) => fingerprint)), failOn, redact, interrupted },
  );
  const coverage = coverageOf(contract, judged.samples, calls);
  const perSecond = session.rate();
  const slowed = perSecond === null ? [] : [{ code: 'rate-limited', message: slowedText(perSecond), location: null }];
  return makeReport({
    command: 'verify',
    target: { kind, baseUrl },
    startedAt,
    endedAt: clock(),
    failOn,
    interrupted,
    tokenOperation: contract.token?.operationId,
    findings: active,
    accepted,
    expired: expired.map(({ fingerprint, reason, owner, expires }) => ({ fingerprint, reason, owner, expires })),
    stale: staleEntries(baseline, { findings, checks, coverage, interrupted, rules: contract.folder.rules }),
    checks,
    coverage,
    statements: await readStatements(contract.folder),
    requireCoverage: options.requireCoverage ?? {},
    deprecations: deprecationsOf(contract, judged, redact),
    created,
    discovered: session.inputs.found,
    notices: [
      ...weakening(contract.notices),
      ...endedSkips(options),
      ...(isForIt ? [] : [aside(given, baseUrl)]),
      ...slowed,
    ],
  });
}

/** The report of a run that was interrupted while its contract was loaded. */
export function unbegun(thrown: unknown, options: VerifyOptions, startedAt: number): Report {
  const { target = 'mock', failOn = 'error', clock = Date.now } = options;
  return nothingKnown(thrown, { command: 'verify', target: unopened(target), startedAt, endedAt: clock(), failOn });
}

function aside({ target, entries }: Baseline, baseUrl: string): ReportNotice {
  const were = entries.length === 1 ? 'entry was' : 'entries were';
  return {
    code: 'baseline-of-another-target',
    message: `The baseline is for ${target}, and this is ${baseUrl}: its ${entries.length} ${were} left aside.`,
    location: null,
  };
}

const UNVERIFIED: Observed = {
  rule: tlsNotVerified,
  observation: {
    operationId: null,
    pointer: '',
    expected: 'a certificate that is checked',
    actual: 'any certificate',
    source: '',
    exchanges: [],
  },
};

/** The judged exchanges, with failed expectations that nothing else explains, and refuted assumptions of the mock. */
async function judgedOf({ session, results, limits }: FinishedRun): Promise<Judged> {
  const { calls, target, redact, options } = session;
  const { contract } = target;
  const { idsGone = [], unsettled = [] } = options;
  const judgeWith = (also: readonly Observed[]): Promise<Judged> =>
    judgeInSlices({ ...judgedBy(target, options), idsGone, unsettled, calls, redact, also }, limits);
  const isUnverified = options.tlsVerified === false && target.baseUrl.startsWith('https:') && calls.length > 0;
  const known = isUnverified ? [UNVERIFIED] : [];
  let judged = await judgeWith(known);
  const broken = unexplained({ results, calls, judged }, contract);
  if (broken.length > 0) judged = await judgeWith([...known, ...broken]);
  const refuted = await assumptionsRefutedBy(target, { calls, redact }, judged.findings, limits);
  const brokenBy = new Map(
    broken.map(({ rule: { id }, observation }) => {
      const rule = ruleName(id, contract.folder);
      return [fingerprint({ rule, ...observation, ...observation.identity }), observation.about ?? ''];
    }),
  );
  const findings = inOrder([...judged.findings, ...refuted], contract);
  const judgements =
    session.tokenVariable === undefined ? judged.judgements : namingToken(judged.judgements, session.tokenVariable);
  return { ...judged, judgements, findings: withChecks(findings, calls, brokenBy) };
}

function namingToken(judgements: Judged['judgements'], variable: string): Judged['judgements'] {
  return new Map(
    [...judgements].map(([call, judgement]) =>
      judgement.kind === 'inconclusive' && judgement.why.kind === 'token-not-accepted'
        ? [call, inconclusive({ ...judgement.why, variable })]
        : [call, judgement],
    ),
  );
}
