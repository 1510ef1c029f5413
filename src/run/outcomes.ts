import type { Contract } from '../contract/contract.ts';
import { refusalOf } from '../judge/classify.ts';
import type { Judged } from '../judge/judge.ts';
import type { Observation } from '../judge/rule.ts';
import type { Call } from '../model/call.ts';
import type { Finding, Severity } from '../model/finding.ts';
import type { Check } from '../model/report.ts';
import { counts } from '../model/verdict.ts';
import type { SuiteResult } from './engine.ts';

/** Errors of Pactum's and vitest's own assertions; anything else that a check throws is a mistake in the check. */
const ASSERTION = 'AssertionError';

export interface OutcomeOptions {
  readonly results: readonly SuiteResult[];
  readonly calls: readonly Call[];
  readonly judged: Judged;
  /** Fingerprints that a baseline accepts: they fail no check. */
  readonly accepted?: ReadonlySet<string>;
  readonly failOn: Severity;
  readonly redact: (text: string) => string;
  readonly interrupted: boolean;
}

/** Mistakes in checks: what was thrown that is neither an assertion nor a promise of the check. */
export function faultsOf(results: readonly SuiteResult[]): string[] {
  return results.flatMap(({ check, errors }) =>
    errors
      .filter(({ name }) => name !== ASSERTION && name !== 'Broken')
      .map(({ name, message }) => `${check.id}: ${name}: ${message}`),
  );
}

/** Promises of checks that were broken and that neither a finding nor an unclear answer explains. */
export function unexplained(
  options: Omit<OutcomeOptions, 'failOn' | 'redact' | 'interrupted'>,
  contract: Contract,
): Observation[] {
  const { results, judged } = options;
  return results.flatMap(({ check, notes, errors }) => {
    const assertion = errors.find(({ name }) => name === ASSERTION || name === 'Broken');
    if (assertion === undefined) return [];
    const calls = callsOf(check.id, options.calls);
    const seqs = new Set(calls.flatMap(({ attempts }) => attempts.map(({ seq }) => seq)));
    if (judged.findings.some(({ exchanges }) => exchanges.some((seq) => seqs.has(seq)))) return [];
    if (unclear(check.operationId, calls, judged).length > 0) return [];
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
export function withChecks(
  findings: readonly Finding[],
  calls: readonly Call[],
  results: readonly SuiteResult[],
): Finding[] {
  const checkOf = new Map<number, string>();
  for (const { checkId, attempts } of calls) {
    if (checkId !== null) for (const { seq } of attempts) checkOf.set(seq, checkId);
  }
  return findings.map((finding) => {
    const shown = finding.exchanges.map((seq) => checkOf.get(seq)).filter((id) => id !== undefined);
    const checks = shown.length > 0 || finding.rule !== 'contract-check-failed' ? shown : brokenOf(finding, results);
    return { ...finding, checks: [...new Set(checks)].sort() };
  });
}

/** A check that was broken without a call of its own. */
function brokenOf({ operationId }: Finding, results: readonly SuiteResult[]): string[] {
  return results
    .filter(({ check, errors }) => errors.length > 0 && check.operationId === operationId)
    .map(({ check }) => check.id);
}

/** How each check ended, in the order of the suite. */
export function outcomesOf(options: OutcomeOptions): Check[] {
  return options.results.map((result): Check => {
    const { check, durationMs } = result;
    const [outcome, reason] = outcomeOf(result, options);
    return {
      id: check.id,
      operationId: check.operationId,
      kind: check.kind,
      outcome,
      reason: options.redact(reason),
      durationMs,
    };
  });
}

function outcomeOf({ check, notes, state, errors }: SuiteResult, options: OutcomeOptions): [Check['outcome'], string] {
  if (check.skip !== null) return ['skipped', check.skip];
  if (state === 'skipped' || state === 'pending')
    return ['skipped', options.interrupted ? 'the run was interrupted' : ''];
  const { judged, failOn, accepted } = options;
  const calls = callsOf(check.id, options.calls);
  // Tokens that the run itself asked for tell the same of the endpoint, and all where the first of them ends it.
  const telling =
    calls.some(({ auth }) => auth === 'client') && check.kind === 'any'
      ? [...calls, ...ownCalls(options.calls)]
      : calls;
  const seqs = new Set(telling.flatMap(({ attempts }) => attempts.map(({ seq }) => seq)));
  const own = judged.findings.filter(
    ({ rule, exchanges, operationId }) =>
      exchanges.some((seq) => seqs.has(seq)) ||
      (rule === 'contract-check-failed' && seqs.size === 0 && operationId === check.operationId && errors.length > 0),
  );
  if (options.interrupted && calls.length > 0 && calls.every(({ attempts }) => attempts.length === 0)) {
    return ['skipped', 'the run was interrupted'];
  }
  const failing = own.filter((finding) => counts(finding, failOn) && accepted?.has(finding.fingerprint) !== true);
  if (failing.length > 0) return ['failed', failing.map(({ rule, message }) => `${rule}: ${message}`).join(' ')];
  const [why] = unclear(check.operationId, calls, judged);
  if (why !== undefined) return ['inconclusive', why];
  const weather = calls.flatMap((call) => noteOf(call, judged));
  if (own.length > 0) return ['passed', [...own.map((finding) => remarkOf(finding, accepted)), ...weather].join(', ')];
  if (errors.length > 0) return ['failed', errors.map(({ message }) => message).join('; ')];
  const remarks = weather.join(', ');
  // What stopped it may have been weather: then the judge has the answer that came later.
  if (notes.stopped !== undefined && remarks === '') return ['inconclusive', notes.stopped];
  return ['passed', remarks];
}

function remarkOf({ severity, rule, fingerprint }: Finding, accepted: OutcomeOptions['accepted']): string {
  return `${accepted?.has(fingerprint) === true ? 'accepted' : severity}: ${rule}`;
}

function callsOf(checkId: string, calls: readonly Call[]): Call[] {
  return calls.filter((call) => call.checkId === checkId);
}

/** Calls of the run itself, which are token requests. */
function ownCalls(calls: readonly Call[]): Call[] {
  return calls.filter((call) => call.checkId === null && call.auth === 'client');
}

/** Why calls of a check could not be judged. The operation is named where it is not the one of the check. */
function unclear(operationId: string | null, calls: readonly Call[], judged: Judged): string[] {
  const served = new Set(judged.samples.map(({ operation }) => operation.operationId));
  return calls.flatMap((call) => {
    const reason = reasonOf(call, served, judged);
    if (reason === null) return [];
    return call.notSent !== null || call.operationId === operationId ? [reason] : [`${call.operationId}: ${reason}`];
  });
}

function reasonOf(call: Call, served: ReadonlySet<string>, judged: Judged): string | null {
  const judgement = judged.judgements.get(call);
  if (judgement !== undefined) return judgement.kind === 'inconclusive' ? judgement.reason : null;
  if (call.purpose === 'client') return call.notSent;
  const refusal = refusalOf(call, served.has(call.operationId));
  // An operation that is gone has nothing left to refuse, and its own finding.
  if (refusal.kind !== 'inconclusive' || isGone(call, judged)) return null;
  return refusal.reason;
}

function isGone(call: Call, judged: Judged): boolean {
  const status = call.attempts.at(-1)?.response?.status ?? 0;
  const withdrawn = [...judged.judgements].some(
    ([other, { kind }]) => kind === 'withdrawn' && other.operationId === call.operationId,
  );
  return withdrawn && [404, 405, 410].includes(status);
}

function noteOf(call: Call, judged: Judged): string[] {
  const judgement = judged.judgements.get(call);
  return judgement?.kind === 'good' && judgement.note !== '' ? [judgement.note] : [];
}
