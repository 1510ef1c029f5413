import type { Contract } from '../contract/contract.ts';
import type { Judged } from '../judge/judge.ts';
import type { Observation } from '../judge/rule.ts';
import type { Call } from '../model/call.ts';
import type { Finding, Severity } from '../model/finding.ts';
import { type Reason, reasonText } from '../model/reason.ts';
import type { Check } from '../model/report.ts';
import { counts } from '../model/verdict.ts';
import type { SuiteResult } from './engine.ts';

/** What is known when the outcomes of checks are decided. */
export interface Evidence {
  readonly results: readonly SuiteResult[];
  readonly calls: readonly Call[];
  readonly judged: Judged;
}

export interface OutcomeOptions {
  /** Fingerprints that a baseline accepts: they fail no check. */
  readonly accepted: ReadonlySet<string>;
  readonly failOn: Severity;
  readonly redact: (text: string) => string;
  readonly interrupted: boolean;
}

/** Names of errors by which a check says that the target broke a promise; anything else that it throws is a mistake in the check. */
const PROMISES = ['AssertionError', 'Broken'];

/** Mistakes in checks. */
export function faultsOf(results: readonly SuiteResult[]): string[] {
  return results.flatMap(({ check, errors }) =>
    errors
      .filter(({ name }) => !PROMISES.includes(name))
      .map(({ name, message }) => `${check.id}: ${name}: ${message}`),
  );
}

/** Promises of checks that were broken and that neither a finding nor an unclear answer explains. */
export function unexplained({ results, calls, judged }: Evidence, contract: Contract): Observation[] {
  const broken = results.filter(({ errors }) => errors.some(({ name }) => PROMISES.includes(name)));
  return broken.flatMap(({ check, notes }) => {
    const own = calls.filter(({ checkId }) => checkId === check.id);
    const seqs = seqsOf(own);
    if (judged.findings.some((finding) => isShownBy(finding, seqs))) return [];
    if (unclear(check.operationId, own, judged).length > 0) return [];
    const { expected, actual } = notes.broken ?? { expected: 'what the check asserts', actual: 'something else' };
    return [
      {
        operationId: check.operationId,
        pointer: '',
        expected,
        actual,
        source: contract.operation(check.operationId ?? '')?.pointer ?? '',
        provenance: 'documented' as const,
        exchanges: [...seqs],
        identity: { expected: check.id, actual: 'broken' },
      },
    ];
  });
}

/** Findings with the ids of the checks that show them: by them a baseline knows later whether anybody looked again. */
export function withChecks(findings: readonly Finding[], { calls, results }: Omit<Evidence, 'judged'>): Finding[] {
  const checkOf = new Map(calls.flatMap(({ checkId, attempts }) => attempts.map(({ seq }) => [seq, checkId] as const)));
  return findings.map((finding) => {
    const shown = finding.exchanges.flatMap((seq) => checkOf.get(seq) ?? []);
    const broken = results.filter((result) => shown.length === 0 && isBrokenBy(result, finding));
    const checks = new Set([...shown, ...broken.map(({ check }) => check.id)]);
    return { ...finding, checks: [...checks].sort() };
  });
}

/** True for a check that found its promise broken without a call of its own. */
function isBrokenBy({ check, errors }: SuiteResult, { rule, operationId }: Finding): boolean {
  return rule === 'contract-check-failed' && errors.length > 0 && check.operationId === operationId;
}

/** How each check ended, in the order of the suite. */
export function outcomesOf(evidence: Evidence, options: OutcomeOptions): Check[] {
  return evidence.results.map((result) => {
    const { check, durationMs } = result;
    const { id, operationId, kind, skip } = check;
    const [outcome, reason, why = skip] = outcomeOf(result, evidence, options);
    return { id, operationId, kind, outcome, reason: options.redact(reason), ...(why && { why }), durationMs };
  });
}

const INTERRUPTED = 'the run was interrupted';

function outcomeOf(
  result: SuiteResult,
  { calls: all, judged }: Evidence,
  { accepted, failOn, interrupted }: OutcomeOptions,
): [outcome: Check['outcome'], reason: string, why?: Reason | undefined] {
  const { check, notes, state, errors } = result;
  if (check.skip !== null) return ['skipped', reasonText(check.skip)];
  if (state === 'skipped' || state === 'pending') return ['skipped', interrupted ? INTERRUPTED : ''];
  const calls = all.filter(({ checkId }) => checkId === check.id);
  if (interrupted && calls.length > 0 && calls.every(({ attempts }) => attempts.length === 0)) {
    return ['skipped', INTERRUPTED];
  }
  // Tokens that the run itself asked for tell the same of the endpoint, and all where the first of them ends it.
  const isOfTokens = check.kind === 'any' && calls.some(({ auth }) => auth === 'client');
  const ofTheRun = all.filter(({ checkId, auth }) => isOfTokens && checkId === null && auth === 'client');
  const seqs = seqsOf([...calls, ...ofTheRun]);
  const findings = judged.findings.filter(
    (finding) => isShownBy(finding, seqs) || (seqs.size === 0 && isBrokenBy(result, finding)),
  );
  const failing = findings.filter((finding) => counts(finding, failOn) && !accepted.has(finding.fingerprint));
  if (failing.length > 0) return ['failed', failing.map(({ rule, message }) => `${rule}: ${message}`).join(' ')];
  const [why] = unclear(check.operationId, calls, judged);
  if (why !== undefined) return ['inconclusive', why.reason, why.why];
  if (findings.length === 0 && errors.length > 0) return ['failed', errors.map(({ message }) => message).join('; ')];
  const kinds = Map.groupBy(
    findings,
    ({ severity, rule, fingerprint }) => `${accepted.has(fingerprint) ? 'accepted' : severity}: ${rule}`,
  );
  const remarks = [...kinds].map(([kind, same]) => (same.length === 1 ? kind : `${kind} (${same.length} times)`));
  const notesOfCalls = calls.flatMap((call) => {
    const judgement = judged.judgements.get(call);
    return judgement?.kind === 'good' && judgement.note !== '' ? [judgement.note] : [];
  });
  const reason = [...remarks, ...notesOfCalls].join(', ');
  // What stopped it may have been transient: then the judge has the answer that came later, and a note of it.
  return notes.stopped !== undefined && reason === '' ? ['inconclusive', notes.stopped] : ['passed', reason];
}

function seqsOf(calls: readonly Call[]): Set<number> {
  return new Set(calls.flatMap(({ attempts }) => attempts.map(({ seq }) => seq)));
}

function isShownBy({ exchanges }: Finding, seqs: ReadonlySet<number>): boolean {
  return exchanges.some((seq) => seqs.has(seq));
}

/** Why a call could not be judged, and the same as data where calls of several operations share it. */
interface Unclear {
  readonly reason: string;
  readonly why?: Reason;
}

/** Why calls of a check could not be judged. The operation is named where it is not the one of the check. */
function unclear(operationId: string | null, calls: readonly Call[], judged: Judged): Unclear[] {
  return calls.flatMap((call) => {
    const found = whyUnclear(call, judged);
    if (found === null) return [];
    const isOwn = call.notSent !== null || call.operationId === operationId || found.why !== undefined;
    return isOwn ? [found] : [{ reason: `${call.operationId}: ${found.reason}` }];
  });
}

function whyUnclear(call: Call, judged: Judged): Unclear | null {
  const judgement = judged.judgements.get(call);
  if (judgement !== undefined) return judgement.kind === 'inconclusive' ? judgement : null;
  if (call.purpose === 'provoke-client') return call.notSent === null ? null : { reason: call.notSent };
  const refusal = judged.refusals.get(call);
  // An operation that answers everything alike has nothing left to refuse, and its own finding.
  return refusal?.kind === 'inconclusive' && !isGone(call, judged) ? refusal : null;
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
