import type { Contract } from '../contract/contract.ts';
import { type Call, finalAttempt, isGood, mustBeRefused } from '../model/call.ts';
import { type Exchange, header, is2xx } from '../model/exchange.ts';
import { contentOf, limitOf } from '../model/media.ts';
import { asksToWait, reasonToWait } from '../net/retry-after.ts';

/** What the answer to one call means, in the light of all others. */
export type Judgement =
  | { readonly kind: 'good'; readonly note: string }
  /** `shape` is `actual` without what one run measured. */
  | { readonly kind: 'failing'; readonly actual: string; readonly shape: string }
  | { readonly kind: 'withdrawn'; readonly actual: string }
  | { readonly kind: 'status-changed'; readonly recorded: string; readonly actual: string; readonly source: string }
  | { readonly kind: 'inconclusive'; readonly reason: string };

/** What one answer is, looked at by itself. */
type Reading =
  | { readonly kind: 'good' }
  | { readonly kind: 'gone' | 'missing' | 'rejected' | 'unauthorised'; readonly status: number }
  | { readonly kind: 'broken'; readonly actual: string; readonly shape?: string }
  | { readonly kind: 'unclear'; readonly reason: string };

/**
 * The table "What an answer means", for all calls of a run that should succeed. Calls of another purpose are not in the result.
 *
 * An operation fails alone only if another one answered well after it began to fail: a target that goes down in the middle of a
 * run is down, not changed.
 */
export function classify(calls: readonly Call[], contract: Contract): Map<Call, Judgement> {
  const wanted = calls.filter((call) => !mustBeRefused(call));
  const answers = new Map(wanted.map((call) => [call, answerOf(call)]));
  const good = wanted.filter((call) => answers.get(call)?.kind === 'good');
  const result = new Map<Call, Judgement>();
  for (const call of wanted.filter(({ purpose }) => purpose === 'succeed')) {
    const answer = answers.get(call);
    if (answer !== undefined) result.set(call, judge(call, answer, { contract, answers, good }));
  }
  return result;
}

/** The calls that should succeed, with what each answer is by itself. */
interface Answered {
  readonly contract: Contract;
  readonly answers: ReadonlyMap<Call, Reading>;
  /** Those that were answered well. */
  readonly good: readonly Call[];
}

function judge(call: Call, answer: Reading, { contract, answers, good }: Answered): Judgement {
  if (answer.kind === 'good') return { kind: 'good', note: noteOf(call) };
  if (answer.kind === 'unclear') return { kind: 'inconclusive', reason: answer.reason };
  const token = contract.token?.operationId;
  const others = good.filter((other) => other.operationId !== call.operationId && other.operationId !== token);

  if (answer.kind === 'broken') {
    const later = good.find((other) => other.operationId === call.operationId && isAfter(other, call));
    if (later !== undefined) return { kind: 'good', note: `${answer.actual} at first, answered later` };
    // Without tokens nothing can be checked, and nothing is known of the operations.
    if (call.operationId === token) {
      return { kind: 'inconclusive', reason: `the token endpoint is out: ${answer.actual}` };
    }
    const tries = [...answers]
      .filter(([other, { kind }]) => other.operationId === call.operationId && kind === 'broken')
      .reduce((sum, [{ attempts }]) => sum + attempts.length, 0);
    if (!others.some((other) => isAfter(other, call))) {
      return { kind: 'inconclusive', reason: `${answer.actual}; no other operation answered well after it` };
    }
    // What changes something is not sent twice, so that one failure of it proves nothing yet.
    if (tries < 2) return { kind: 'inconclusive', reason: `${answer.actual}, once; the call is not repeated` };
    return { kind: 'failing', actual: answer.actual, shape: answer.shape ?? answer.actual };
  }

  const { status } = answer;
  if (answer.kind === 'unauthorised') {
    return others.length > 0
      ? { kind: 'inconclusive', reason: '401 with a fresh token: is the client entitled to this operation?' }
      : { kind: 'inconclusive', reason: 'the credentials or the token are not accepted' };
  }
  if (others.length === 0) return { kind: 'inconclusive', reason: `${status}, and no other operation answers well` };
  if (answer.kind === 'gone') return { kind: 'withdrawn', actual: String(status) };

  const operation = contract.operation(call.operationId);
  const twin = operation?.successor ?? operation?.predecessor ?? null;
  const recorded = operation?.responses.find(
    ({ status: code, pointer }) => /^2\d\d$/.test(code) && contract.provenanceOf(pointer) === 'observed',
  );
  if (answer.kind === 'missing') {
    const twinAnswers = good.some((other) => other.operationId === twin && sameParameters(call, other));
    const parametersHold = recorded !== undefined && others.some((other) => sameParameters(call, other));
    if (twinAnswers || parametersHold) return { kind: 'withdrawn', actual: String(status) };
  }
  if (recorded !== undefined) {
    return { kind: 'status-changed', recorded: recorded.status, actual: String(status), source: recorded.pointer };
  }
  const names = Object.keys(call.parameters);
  const look = names.length === 0 ? 'the request' : names.join(', ');
  return { kind: 'inconclusive', reason: `answered ${status}; look at ${look}` };
}

function answerOf(call: Call): Reading {
  const last = finalAttempt(call);
  if (call.notSent !== null) return { kind: 'unclear', reason: call.notSent };
  if (last === undefined) return { kind: 'unclear', reason: 'nothing was sent' };
  if (last.response === null) {
    if (last.failure?.kind === 'aborted') return { kind: 'unclear', reason: 'the call was given up' };
    if (last.failure?.kind === 'too-large') return { kind: 'unclear', reason: last.failure.message };
    return broken(silence(last.failure?.kind ?? 'reset'), last);
  }
  const { status, headers } = last.response;
  if (status === 401) return { kind: 'unauthorised', status };
  if (status === 405 || status === 410) return { kind: 'gone', status };
  if (status === 404) return { kind: 'missing', status };
  if (asksToWait(last)) return { kind: 'unclear', reason: reasonToWait(call) };
  if (status >= 500) return { kind: 'broken', actual: String(status) };
  if (status === 408) return { kind: 'unclear', reason: 'it answers 408' };
  if (status >= 400) return { kind: 'rejected', status };
  if (status === 304) return { kind: 'unclear', reason: 'it answers 304, though no condition was sent' };
  if (status >= 300) return { kind: 'unclear', reason: redirection(status, header(headers, 'location')) };
  if (status < 200) return { kind: 'broken', actual: String(status) };
  const content = contentOf(last);
  if (content.kind === 'html') return { kind: 'broken', actual: 'HTML' };
  if (content.kind === 'broken') {
    const limit = limitOf(content, last);
    if (limit !== null) return { kind: 'unclear', reason: `the body ${limit}` };
    if (last.failure !== null) return broken('no whole answer in time', last);
    return { kind: 'broken', actual: `a body that is ${content.why}` };
  }
  return { kind: 'good' };
}

/** Silence says how long it was listened to. */
function broken(shape: string, { startedAt, endedAt, failure }: Exchange): Reading {
  if (failure?.kind.endsWith('timeout') !== true) return { kind: 'broken', actual: shape };
  const seconds = (endedAt - startedAt) / 1000;
  const rounded = seconds < 1 ? Math.round(seconds * 10) / 10 : Math.round(seconds);
  return { kind: 'broken', actual: `${shape} (given up after ${rounded} s)`, shape };
}

/** Where a redirect points to: the host only, because path and query may hold anything. */
function redirection(status: number, location: string | undefined): string {
  const elsewhere = /^(?:[a-z][a-z\d+.-]*:)?\/\//i.test(location ?? '') ? URL.parse(location ?? '', 'https://x') : null;
  const where = elsewhere === null ? '' : ` to ${elsewhere.host}`;
  return `it redirects${where} (${status}); redirects are not followed`;
}

function silence(kind: string): string {
  return kind.endsWith('timeout')
    ? 'no answer in time'
    : kind === 'malformed'
      ? 'an answer that is no HTTP'
      : 'no answer';
}

/** Weather that a retry got over. */
function noteOf(call: Call): string {
  const before = call.attempts.slice(0, -1).map((attempt) => attempt.response?.status ?? attempt.failure?.kind ?? '?');
  const weather = before.filter((what) => what !== 401);
  return weather.length === 0 ? '' : `answered after ${weather.join(', ')}`;
}

function isAfter(other: Call, call: Call): boolean {
  const seq = finalAttempt(other)?.seq ?? 0;
  return seq > (call.attempts[0]?.seq ?? Number.POSITIVE_INFINITY);
}

/** True where every path parameter of the call had the same value in the other one. */
function sameParameters(call: Call, other: Call): boolean {
  return Object.entries(call.parameters).every(([name, value]) => other.parameters[name] === value);
}

/** What came of a request that must not be served. */
export type Refusal =
  | { readonly kind: 'refused' }
  | { readonly kind: 'accepted'; readonly actual: string }
  | { readonly kind: 'otherwise'; readonly actual: string }
  | { readonly kind: 'inconclusive'; readonly reason: string };

/**
 * Judges the answer to a call of a `refuse-…` purpose.
 *
 * @param served whether the same operation served a good request in this run: without that, a 4xx proves nothing
 */
export function refusalOf(call: Call, served: boolean): Refusal {
  const last = finalAttempt(call);
  if (call.notSent !== null || last?.response == null) {
    return { kind: 'inconclusive', reason: call.notSent ?? last?.failure?.message ?? 'nothing was sent' };
  }
  const { status } = last.response;
  if (is2xx(status)) return acceptance(call, status);
  if (status === 429 || status === 408 || status >= 500) {
    const unknownMethod = call.purpose === 'refuse-method' && status === 501;
    return unknownMethod ? { kind: 'refused' } : { kind: 'inconclusive', reason: reasonToWait(call) };
  }
  if (status < 400) return { kind: 'inconclusive', reason: `it redirects (${status})` };
  switch (call.purpose) {
    case 'refuse-token':
      if (status === 401) return { kind: 'refused' };
      return served
        ? { kind: 'otherwise', actual: String(status) }
        : { kind: 'inconclusive', reason: `answered ${status}, and no good request was served` };
    case 'refuse-limit':
    case 'refuse-precondition':
      if (served && status !== 401 && status !== 404) return { kind: 'refused' };
      return { kind: 'inconclusive', reason: `answered ${status}, and whether for this reason cannot be told` };
    case 'refuse-method':
      return status === 401 ? { kind: 'inconclusive', reason: '401 with a fresh token' } : { kind: 'refused' };
    default:
      return { kind: 'refused' };
  }
}

function acceptance(call: Call, status: number): Refusal {
  const last = finalAttempt(call);
  const content = last === undefined ? { kind: 'empty' as const } : contentOf(last);
  if (content.kind === 'html') return { kind: 'inconclusive', reason: `answered ${status} with HTML` };
  const limit = limitOf(content, last);
  if (limit !== null) return { kind: 'inconclusive', reason: `the body ${limit}` };
  if (!isGood(call) || content.kind === 'broken') return { kind: 'inconclusive', reason: 'the body is incomplete' };
  if (call.purpose === 'refuse-credentials' || call.purpose === 'refuse-grant') {
    const token =
      content.kind === 'json' && typeof content.value === 'object' && content.value !== null
        ? (content.value as Readonly<Record<string, unknown>>).access_token
        : undefined;
    if (typeof token !== 'string') return { kind: 'refused' };
    return { kind: 'accepted', actual: `${status} with a token` };
  }
  return { kind: 'accepted', actual: String(status) };
}
