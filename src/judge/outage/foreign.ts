import type { Contract } from '../../contract/contract.ts';
import { serviceOf } from '../../contract/services.ts';
import { type Call, finalAttempt, isGood, mustBeRefused } from '../../model/call.ts';
import type { Exchange } from '../../model/exchange.ts';
import { contentOf, jsonIn } from '../../model/media.ts';
import type { Reason } from '../../model/reason.ts';
import type { Redact } from '../../redact/excerpt.ts';
import { isObject } from '../../schema/json.ts';
import { type AnswerOrigin, answerOriginOf, isOwnAnswer, NOTHING } from './answer-origin.ts';
import { type Evidence, formsIn, gather } from './evidence.ts';
import { isEmptyList, isNotice, likeness } from './likeness.ts';
import { saidBy } from './reading.ts';

/** Equal answers. */
interface Alike {
  readonly calls: readonly Call[];
  /** By operation, without requests that must be rejected. */
  readonly wanted: ReadonlyMap<string, readonly Call[]>;
  /** Good answers of the same operations that differ. */
  readonly others: readonly Exchange[];
}

/**
 * Calls whose answer is foreign: a maintenance notice, a gateway page or an empty answer. Operations with different
 * schemas or recordings got the same answer. A documented or recorded body contradicts it, or calls without a token
 * also got it. Operations with the same payload may have changed together: their answer is foreign only if one of them
 * also gave another answer. An unknown payload alone makes no answer foreign.
 *
 * @param suspected leaves out the evidence against an outage, to find the calls that need a repeat
 */
export function foreignAnswers(
  calls: readonly Call[],
  contract: Contract,
  { suspected = false, redact }: { readonly suspected?: boolean; readonly redact?: Redact } = {},
): ReadonlyMap<Call, Reason> {
  const payloads = calls.filter(isMeantForPayload);
  const byOperation = Map.groupBy(payloads, ({ operationId }) => operationId);
  const found = new Map<Call, Reason>();
  let evidence: Evidence | undefined;
  for (const own of strangeAnswers(payloads, contract, suspected)) {
    const alike = alikeOf(own, byOperation);
    const passes = alike.others.some((other) => originOf(other, contract) === 'own') || comesAndGoes(alike);
    if (!(isForeign(alike, contract) || comesAndGoes(alike))) continue;
    evidence ??= gather(calls, contract);
    const said = saidBy(own[0], redact);
    for (const [call, reason] of suspected || (passes && alike.wanted.size > 1)
      ? outage(alike, contract, said)
      : weigh(alike, evidence, said)) {
      found.set(call, reason);
    }
  }
  return found;
}

/** Groups of equal answers of several operations, and the notices of one. A suspected notice only lacks all fields. */
function strangeAnswers(payloads: readonly Call[], contract: Contract, suspected: boolean): (readonly Call[])[] {
  const groups = Map.groupBy(sharingNames(payloads), (call) => likenessOf(call, contract));
  groups.delete(null);
  const shared = [...groups.values()].filter((calls) => operationsIn(calls).size > 1);
  const known = new Set(shared.flat());
  const ofOne = payloads.filter((call) => {
    const last = finalAttempt(call);
    if (mustBeRefused(call) || last === undefined || !isGood(call)) return false;
    const operation = contract.operation(call.operationId);
    return (
      operation !== undefined &&
      (suspected || (!known.has(call) && isNotice(last))) &&
      !isOwnAnswer(contract, operation, last)
    );
  });
  return [...shared, ...Map.groupBy(ofOne, ({ operationId }) => operationId).values()];
}

function alikeOf(calls: readonly Call[], byOperation: ReadonlyMap<string, readonly Call[]>): Alike {
  const own = new Set(calls);
  const wanted = Map.groupBy(
    calls.filter((call) => !mustBeRefused(call)),
    ({ operationId }) => operationId,
  );
  const others = [...wanted.keys()].flatMap((id) => byOperation.get(id) ?? []);
  const isOther = (call: Call): boolean => !own.has(call) && !mustBeRefused(call) && isGood(call);
  return { calls, wanted, others: others.filter(isOther).flatMap((call) => finalAttempt(call) ?? []) };
}

function operationsIn(calls: readonly Call[]): ReadonlySet<string> {
  return new Set(calls.map(({ operationId }) => operationId));
}

/** The evidence of other operations does not count: the answer comes and goes, or no operation answers well. */
function outage({ calls }: Alike, contract: Contract, said: string): [Call, Reason][] {
  const ids = operationsIn(calls);
  const [service = '', ...others] = new Set([...ids].map((id) => serviceOf(contract, id)));
  const reason: Reason =
    ids.size > 1
      ? { kind: 'foreign-answer', service: others.length === 0 ? service : '', operations: ids.size, said }
      : { kind: 'service-out', service, answers: ['a notice'], names: [], said };
  return calls.map((call) => [call, reason]);
}

/**
 * Weighs equal answers against the good answers of other operations of the same service. Good answers before the first
 * bad one, or between, prove nothing: the outage may have begun later.
 *
 * - no good answer afterwards: an outage
 * - a notice, an answer to requests without a token, or at least half of the operations: not settled
 * - a minority with a body that the API could send: a change, so the answers are not foreign
 */
function weigh(alike: Alike, evidence: Evidence, said: string): [Call, Reason][] {
  const { contract, rivals, peersOf, isServed, lastAsked } = evidence;
  const strange = [...alike.wanted].filter(([, [call]]) => call && originOf(finalAttempt(call), contract) !== 'own');
  const ids = strange.map(([id]) => id);
  const last = Math.max(...ids.map(lastAsked));
  const isAlive = (id: string): boolean => {
    const others = peersOf(id).ids.filter((peer) => !alike.wanted.has(peer));
    return isServed(others, last);
  };
  if (!ids.some(isAlive)) return outage(alike, contract, said);
  const [service = '', ...more] = new Set(ids.map((id) => peersOf(id).service));
  const isOfOne = more.length === 0 && service !== '';
  const among = isOfOne ? rivals.filter((id) => serviceOf(contract, id) === service) : rivals;
  const isMinority = formsIn(ids, contract).size * 2 < formsIn(among, contract).size;
  const isRepeated = strange.every(([, calls]) => calls.flatMap(({ attempts }) => attempts).length > 1);
  const isOfServer = alike.calls.some((call) => mustBeRefused(call) || isNotice(finalAttempt(call)));
  if (isMinority && isRepeated && !isOfServer && ids.every(isAlive)) return [];
  const reason: Reason = {
    kind: 'unsettled',
    service: isOfOne ? service : '',
    answer: ids.length > 1 ? 'alike' : 'with a notice',
    operations: ids.length,
    said,
  };
  const isOwned = ({ operationId }: Call): boolean => alike.wanted.has(operationId) && !ids.includes(operationId);
  return alike.calls.filter((call) => !isOwned(call)).map((call) => [call, reason]);
}

/** All operations may reject a bad method, grant or limit in the same words. */
function isMeantForPayload(call: Call): boolean {
  return (
    call.notSent === null && (!mustBeRefused(call) || call.purpose === 'refuse-token') && call.purpose !== 'caller'
  );
}

/**
 * True if a request without a good token got the same answer as good requests to the operation, and its schema
 * contradicts that answer. A gateway answers both.
 */
export function isNoticeToAll(call: Call, calls: readonly Call[], contract: Contract): boolean {
  const operation = contract.operation(call.operationId);
  const look = likenessOf(call, contract);
  const last = finalAttempt(call);
  if (operation === undefined || last === undefined || look === null) return false;
  const isAlike = (other: Call): boolean =>
    other.operationId === call.operationId && !mustBeRefused(other) && likenessOf(other, contract) === look;
  return answerOriginOf(contract, operation, last) === 'contradicts' && calls.some(isAlike);
}

/** A 204 to a write only confirms it. */
function likenessOf(call: Call, contract: Contract): string | null {
  const last = finalAttempt(call);
  if (last === undefined) return null;
  if (last.response !== null && NOTHING.includes(last.response.status)) {
    return contract.operation(call.operationId)?.effect === 'read' ? 'nothing' : null;
  }
  return likeness(last);
}

/** Calls whose answer has the same names as one of another operation. Names are cheaper to compare than looks. */
function sharingNames(calls: readonly Call[]): Call[] {
  const groups = [...Map.groupBy(calls, namesIn).values()];
  return groups.filter(([first, ...others]) => others.some((call) => call.operationId !== first?.operationId)).flat();
}

function namesIn(call: Call): string {
  const last = finalAttempt(call);
  if (last === undefined || NOTHING.includes(last.response?.status ?? 0)) return '';
  const value = jsonIn(last);
  return isObject(value) ? Object.keys(value).sort().join('\n') : '';
}

function originOf(exchange: Exchange | undefined, contract: Contract): AnswerOrigin | null {
  const operation = contract.operation(exchange?.operationId ?? '');
  return exchange === undefined || operation === undefined ? null : answerOriginOf(contract, operation, exchange);
}

/** True if an operation also gave another answer that has nothing in common with the shared one. */
function comesAndGoes({ wanted, others }: Alike): boolean {
  if (wanted.size < 2 || others.length === 0) return false;
  return [...wanted.values()].some(([call]) =>
    others.some(
      (other) => other.operationId === call?.operationId && haveNothingInCommon(call && finalAttempt(call), other),
    ),
  );
}

function haveNothingInCommon(one: Exchange | undefined, other: Exchange): boolean {
  if (one === undefined) return false;
  const [a, b] = [contentOf(one), contentOf(other)];
  if (b.kind !== 'json' || b.value === null) return false;
  if (a.kind !== 'json') return a.kind === 'other';
  if (!isObject(a.value)) return false;
  if (!isObject(b.value)) return Array.isArray(b.value) && b.value.length > 0;
  return Object.keys(b.value).length > 0 && new Set(Object.keys(a.value)).isDisjointFrom(new Set(Object.keys(b.value)));
}

/** Whether an answer does not belong to its operations: more of them contradict it than own it, or anyone gets it. */
function isForeign({ calls, wanted }: Alike, contract: Contract): boolean {
  const answers = [...wanted.values()].flatMap(([call]) => (call && finalAttempt(call)) ?? []);
  const count = (kind: AnswerOrigin): number => answers.filter((one) => originOf(one, contract) === kind).length;
  const contradicted = count('contradicts');
  // If as many operations own the answer, the contradicting ones have changed.
  if (count('own') >= Math.max(1, contradicted)) return false;
  // Writes may all be confirmed in the same words.
  const isConfirmation = [...wanted.keys()].every((id) => contract.operation(id)?.effect !== 'read');
  if (isConfirmation && !calls.some((call) => isNotice(finalAttempt(call)))) return false;
  // Empty lists all look alike.
  const isEmpty = answers.some((one) => isEmptyList(jsonIn(one)));
  return contradicted > 0 || (!isEmpty && count('possible') > 0 && calls.some(isWithoutToken));
}

function isWithoutToken({ purpose, auth }: Call): boolean {
  return purpose === 'refuse-token' && auth === 'none';
}
