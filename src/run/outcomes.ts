import type { Contract } from '../contract/contract.ts';
import type { Judged } from '../judge/judge.ts';
import { refusalOf } from '../judge/outage/refusal.ts';
import type { Observed } from '../judge/rule.ts';
import { contractCheckFailed, ownCheckFailed } from '../judge/rules/run.ts';
import { type Call, finalAttempt, isGood, mustBeRefused } from '../model/call.ts';
import type { Finding, Threshold } from '../model/finding.ts';
import { isOfOneCall, type Reason, reasonText } from '../model/reason.ts';
import type { Check } from '../model/report.ts';
import { counts } from '../model/verdict.ts';
import type { FailedExpectation } from './protocol.ts';
import type { SuiteResult } from './suite.ts';

export interface Evidence {
  readonly results: readonly SuiteResult[];
  readonly calls: readonly Call[];
  readonly judged: Judged;
}

export interface OutcomeOptions {
  /** Fingerprints that a baseline accepts: they fail no check. */
  readonly accepted: ReadonlySet<string>;
  readonly failOn: Threshold;
  readonly redact: (text: string) => string;
  readonly interrupted: boolean;
}

/**
 * Failed expectations of checks that nothing else explains. An outage explains one, and so does a warning or an error
 * about the same exchange and place.
 */
export function unexplained(evidence: Evidence, contract: Contract): Observed[] {
  const { results, calls } = evidence;
  return results.flatMap((result) => {
    const { check, state, failures, mistakes, held, isOwn } = result;
    const own = calls.filter(({ checkId }) => checkId === check.id);
    const differences: readonly Pick<FailedExpectation, 'pointer' | 'expected' | 'actual'>[] =
      mistakes.length > 0
        ? mistakes.map((actual) => ({ pointer: null, expected: 'a request that may be sent', actual }))
        : state !== 'failed' || held !== null
          ? []
          : failures.filter((failure) => !isExplained(failure, own, evidence));
    return differences.slice(0, 1).map(({ pointer, expected, actual }) => ({
      rule: isOwn ? ownCheckFailed : contractCheckFailed,
      observation: {
        operationId: check.operationId,
        pointer: placeOf(pointer),
        expected,
        actual,
        about: check.id,
        source: contract.operation(check.operationId ?? '')?.pointer ?? '',
        provenance: 'documented',
        exchanges: [...seqsOf(own)],
        identity: { expected: check.id, actual: 'broken' },
      },
    }));
  });
}

function isExplained(
  { exchange, pointer, isStatus }: FailedExpectation,
  own: readonly Call[],
  { judged }: Evidence,
): boolean {
  const about = exchange === null ? own : own.filter(({ attempts }) => attempts.some(({ seq }) => seq === exchange));
  if (about.some((call) => isOut(call, judged, isStatus))) return true;
  const seqs = exchange === null ? seqsOf(own) : new Set([exchange]);
  return judged.findings.some(
    (finding) =>
      finding.severity !== 'info' &&
      isShownBy(finding, seqs) &&
      [finding, ...(finding.parts ?? [])].some((one) => placeOf(one.pointer) === placeOf(pointer)),
  );
}

/** A finding has `*` for the index of a list. */
function placeOf(pointer: string | null): string {
  return pointer?.replace(/\/\d+(?=\/|$)/g, '/*') ?? '';
}

/** True if a call cannot be judged, or if its failure was transient. */
function isOut(call: Call, judged: Judged, isStatus: boolean): boolean {
  const status = finalAttempt(call)?.response?.status;
  if (call.notSent !== null || status === undefined) return true;
  if (mustBeRefused(call) && call.purpose !== 'refuse-asserted') {
    return isRefusedLater(call, judged) || isGone(call, judged) || judged.refusals.get(call)?.kind === 'inconclusive';
  }
  const unclear = whyUnclear(call, judged);
  const kind = unclear?.kind;
  if (judged.judgements.get(call)?.kind === 'unsettled') return true;
  // the judge cannot compare the answer, but a contract file has its own expectations
  if (kind === 'nothing-to-compare') return false;
  const isPlainRefusal = status >= 400 && status < 500 && !OF_AN_OUTAGE.has(status);
  if (!isStatus || !isPlainRefusal)
    return unclear !== null || (judged.judgements.get(call)?.kind === 'good' && !isGood(call));
  // The check asserts this exact status. A plain 4xx then counts if the target answers any call well.
  if (kind !== 'service-out') return kind === 'foreign-answer' || kind === 'ids-gone' || kind === 'token-not-accepted';
  return ![...judged.judgements].some(([{ auth }, judgement]) => auth === 'token' && judgement.kind === 'good');
}

/** Whether a call failed in passing: its repeat was refused, as it should be. */
function isRefusedLater(call: Call, { refusals }: Judged): boolean {
  return refusals.get(call)?.kind === 'refused' && !['refused', 'accepted'].includes(refusalOf(call, true).kind);
}

const OF_AN_OUTAGE: ReadonlySet<number> = new Set([401, 408, 429]);

/**
 * Findings with the ids of their checks, from which a baseline later sees whether a finding was rechecked.
 *
 * @param brokenBy the check whose expectation failed, by the fingerprint of the finding
 */
export function withChecks(
  findings: readonly Finding[],
  calls: readonly Call[],
  brokenBy: ReadonlyMap<string, string>,
): Finding[] {
  const checkOf = new Map(calls.flatMap(({ checkId, attempts }) => attempts.map(({ seq }) => [seq, checkId] as const)));
  return findings.map((finding) => {
    const shown = finding.exchanges.flatMap((seq) => checkOf.get(seq) ?? []);
    const checks = new Set([...shown, ...[brokenBy.get(finding.fingerprint) ?? []].flat()]);
    return { ...finding, checks: [...checks].sort() };
  });
}

export function outcomesOf(evidence: Evidence, options: OutcomeOptions): Check[] {
  // for the next night, because these findings need several
  const lasting = new Map<string | null, Reason>(
    [...evidence.judged.judgements].flatMap(([{ checkId }, own]) =>
      own.kind === 'ids-gone' || own.kind === 'unsettled' ? [[checkId, own.why] as const] : [],
    ),
  );
  return evidence.results.map((result) => {
    const { check, durationMs } = result;
    const { id, operationId, kind, skip } = check;
    const [outcome, reason, why = skip ?? lasting.get(id)] = outcomeOf(result, evidence, options);
    const source = result.isOwn ? ({ source: 'own' } as const) : {};
    return {
      id,
      operationId,
      kind,
      ...source,
      outcome,
      reason: options.redact(reason),
      ...(why && { why }),
      durationMs,
    };
  });
}

const INTERRUPTED = 'the run was interrupted';

function outcomeOf(
  result: SuiteResult,
  { calls: all, judged }: Evidence,
  { accepted, failOn, interrupted }: OutcomeOptions,
): [outcome: Check['outcome'], reason: string, why?: Reason | undefined] {
  const { check, state, failures: failed, held, unended } = result;
  if (check.skip !== null)
    return [check.skip.kind === 'lacks-input' ? 'inconclusive' : 'skipped', reasonText(check.skip)];
  if (unended) return ['inconclusive', 'the time of the run was up before the check ended'];
  if (state === 'skipped' || state === 'pending') return ['skipped', interrupted ? INTERRUPTED : ''];
  const calls = all.filter(({ checkId }) => checkId === check.id);
  if (interrupted && calls.length > 0 && calls.every(({ attempts }) => attempts.length === 0)) {
    return ['skipped', INTERRUPTED];
  }
  // Token requests of the run itself count for the endpoint. If the first one fails, there are no more.
  const isOfTokens = check.kind === 'any' && calls.some(({ auth }) => auth === 'client');
  const ofTheRun = seqsOf(all.filter(({ checkId, auth }) => isOfTokens && checkId === null && auth === 'client'));
  const findings = judged.findings.filter((one) => one.checks?.includes(check.id) || isShownBy(one, ofTheRun));
  const failing = findings.filter((finding) => counts(finding, failOn) && !accepted.has(finding.fingerprint));
  if (failing.length > 0) return ['failed', failing.map(({ rule, message }) => `${rule}: ${message}`).join(' ')];
  if (held !== null) return ['skipped', reasonText(held), held];
  const [why] = unclear(check.operationId, calls, judged);
  if (why !== undefined) return ['inconclusive', ...why];
  const kinds = Map.groupBy(
    findings,
    ({ severity, rule, fingerprint }) => `${accepted.has(fingerprint) ? 'accepted' : severity}: ${rule}`,
  );
  const remarks = [...kinds].map(([kind, same]) => (same.length === 1 ? kind : `${kind} (${same.length} times)`));
  const notesOfCalls = calls.flatMap((call) => {
    const judgement = judged.judgements.get(call);
    return judgement?.kind === 'good' && judgement.note !== '' ? [judgement.note] : [];
  });
  const reason = [...remarks, ...new Set(notesOfCalls)].join(', ');
  // If the failure was transient, the judge has the later answer, with a note.
  const isWithdrawn = calls.some((call) => mustBeRefused(call) && isGone(call, judged));
  const [first] = state === 'failed' && reason === '' && !isWithdrawn ? failed : [];
  if (first !== undefined && calls.some((call) => isRefusedLater(call, judged)))
    return ['passed', `${first.actual}, gone when it was repeated`];
  return first === undefined ? ['passed', reason] : ['inconclusive', `expected ${first.expected}, got ${first.actual}`];
}

function seqsOf(calls: readonly Call[]): Set<number> {
  return new Set(calls.flatMap(({ attempts }) => attempts.map(({ seq }) => seq)));
}

function isShownBy({ exchanges }: Finding, seqs: ReadonlySet<number>): boolean {
  return exchanges.some((seq) => seqs.has(seq));
}

/** Why calls of a check could not be judged. Names the operation if it is not the check's own. */
function unclear(operationId: string | null, calls: readonly Call[], judged: Judged): [reason: string, why: Reason][] {
  return calls.flatMap((call): [string, Reason][] => {
    const why = whyUnclear(call, judged);
    if (why === null) return [];
    const isOwn = call.notSent !== null || call.operationId === operationId || !isOfOneCall(why);
    return [[isOwn ? reasonText(why) : `${call.operationId}: ${reasonText(why)}`, why]];
  });
}

function whyUnclear(call: Call, judged: Judged): Reason | null {
  const judgement = judged.judgements.get(call);
  if (judgement !== undefined) return judgement.kind === 'inconclusive' ? judgement.why : null;
  if (call.purpose === 'provoke-client') return call.notSent === null ? null : { kind: 'stated', text: call.notSent };
  const refusal = judged.refusals.get(call);
  // An operation that answers every request with the same failure has its own finding.
  return refusal?.kind === 'inconclusive' && !isGone(call, judged) ? refusal.why : null;
}

function isGone(call: Call, { judgements }: Judged): boolean {
  const status = call.attempts.at(-1)?.response?.status;
  return judgements.entries().some(([other, judgement]) => {
    if (other.operationId !== call.operationId || status === undefined) return false;
    if (judgement.kind === 'withdrawn')
      return [404, 405, 410].includes(status) || judgement.actual.startsWith(`${status} `);
    return judgement.kind === 'status-changed' && judgement.actual === String(status);
  });
}
