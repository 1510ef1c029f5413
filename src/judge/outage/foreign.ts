import type { Contract } from '../../contract/contract.ts';
import { isObject } from '../../contract/schema-facts.ts';
import { serviceOf } from '../../contract/services.ts';
import { type Call, finalAttempt, isGood, mustBeRefused } from '../../model/call.ts';
import type { Exchange } from '../../model/exchange.ts';
import { contentOf } from '../../model/media.ts';
import type { Reason } from '../../model/reason.ts';
import { type AnswerOrigin, answerOriginOf, NOTHING, payloadOf } from './answer-origin.ts';
import { isEmptyList, likeness } from './likeness.ts';

export interface ForeignAnswer {
  readonly operations: ReadonlySet<string>;
  /** Their service; empty where they are of several. */
  readonly service: string;
  readonly said?: string;
}

export function reasonOf({ operations, service, said = '' }: ForeignAnswer): Reason {
  return { kind: 'foreign-answer', service, operations: operations.size, said };
}

/**
 * Calls whose answer is foreign: a notice of maintenance, the page of a gateway, nothing at all. Operations with different schemas or
 * recordings got it alike, and a documented or recorded body contradicts it, or calls without a token got it too. Whatever the payload
 * of an operation is that nobody has shown or recorded, by itself it makes nothing foreign. Operations of one and the same payload may
 * well have changed alike: of these it is foreign only where one of them gave an answer of its own, too.
 *
 * @param suspected whether operations of one payload count before they were asked again
 */
export function foreignAnswers(
  calls: readonly Call[],
  contract: Contract,
  { suspected = false }: { readonly suspected?: boolean } = {},
): ReadonlyMap<Call, ForeignAnswer> {
  const found = new Map<Call, ForeignAnswer>();
  const meant = calls.filter(isMeantForPayload);
  const alike = Map.groupBy(meant, (call) => likenessOf(call, contract));
  for (const [look, own] of alike) {
    const isPassing = (id: string): boolean => {
      const operation = contract.operation(id);
      if (suspected || operation === undefined) return suspected;
      return otherAnswers(id, own, meant).some((other) => answerOriginOf(contract, operation, other) === 'own');
    };
    if (look === null || !(isForeign(own, contract, isPassing) || comesAndGoes(own, meant))) continue;
    const operations = new Set(own.map(({ operationId }) => operationId));
    const [first = '', ...others] = new Set([...operations].map((id) => serviceOf(contract, id)));
    const answer = { operations, service: others.length === 0 ? first : '', said: saidBy(own) };
    for (const call of own) found.set(call, answer);
  }
  return found;
}

const LONGEST_QUOTE = 100;

/** The text of an answer, on one line. */
export function saidBy([call]: readonly Call[]): string {
  const body = call === undefined ? undefined : finalAttempt(call)?.response?.body.bytes;
  return Buffer.from(body ?? [])
    .toString('utf8', 0, 100 * LONGEST_QUOTE)
    .replace(/<(style|script)\b[\s\S]*?<\/\1>|<[^>]*>|\s+/gi, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, LONGEST_QUOTE);
}

/** A bad method, grant or limit may be refused for all operations in the same words. */
function isMeantForPayload(call: Call): boolean {
  return (
    call.notSent === null && (!mustBeRefused(call) || call.purpose === 'refuse-token') && call.purpose !== 'caller'
  );
}

/**
 * True of a request without a good token that got what good requests to the operation get, although it does not belong to them: a
 * gateway answers both.
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

/** What changes something says by a 204 that it is done. */
function likenessOf(call: Call, contract: Contract): string | null {
  const last = finalAttempt(call);
  if (last === undefined) return null;
  if (last.response !== null && NOTHING.includes(last.response.status)) {
    return contract.operation(call.operationId)?.effect === 'read' ? 'nothing' : null;
  }
  return likeness(last);
}

/** Good answers of an operation beside one that came for others, too. */
function otherAnswers(id: string, alike: readonly Call[], calls: readonly Call[]): Exchange[] {
  const others = calls.filter(
    (call) => call.operationId === id && !mustBeRefused(call) && !alike.includes(call) && isGood(call),
  );
  return others.flatMap((call) => finalAttempt(call) ?? []);
}

/** True of an answer that came for several operations, one of which gave another one with nothing in common in the same run. */
function comesAndGoes(alike: readonly Call[], calls: readonly Call[]): boolean {
  const wanted = alike.filter((call) => !mustBeRefused(call));
  if (new Set(wanted.map(({ operationId }) => operationId)).size < 2) return false;
  return wanted.some((call) =>
    otherAnswers(call.operationId, alike, calls).some((other) => haveNothingInCommon(finalAttempt(call), other)),
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

/** @param isPassing whether an operation is known to answer otherwise, too: what comes and goes is no change of several at once */
function isForeign(calls: readonly Call[], contract: Contract, isPassing: (operationId: string) => boolean): boolean {
  const operations = new Set(calls.map(({ operationId }) => operationId));
  if (operations.size < 2) return false;
  const wanted = calls.filter((call) => !mustBeRefused(call));
  const kinds = new Set<string>();
  const fits: AnswerOrigin[] = [];
  for (const id of operations) {
    const operation = contract.operation(id);
    const call = wanted.find(({ operationId }) => operationId === id);
    const last = finalAttempt(
      call ?? calls.find(({ operationId }) => operationId === id) ?? ({ attempts: [] } as never),
    );
    if (operation === undefined || last?.response == null) continue;
    kinds.add(payloadOf(contract, operation, last.response.status));
    if (call !== undefined) fits.push(answerOriginOf(contract, operation, last));
  }
  if (fits.length === 0) return false;
  const count = (kind: AnswerOrigin): number => fits.filter((fit) => fit === kind).length;
  if (kinds.size < 2) return count('contradicts') === fits.length && [...operations].some(isPassing);
  // Where more operations are meant to answer so than not, the others have changed.
  if (count('own') >= Math.max(1, count('contradicts'))) return false;
  const [first] = wanted;
  const last = first && finalAttempt(first);
  // One that has nothing to send any more may well be alone with it.
  const least = NOTHING.includes(last?.response?.status ?? 0) ? 2 : 1;
  if (count('contradicts') >= least) return true;
  // Known of none, or only of empty lists, which are all alike.
  const content = last === undefined ? null : contentOf(last);
  if (content?.kind === 'json' && isEmptyList(content.value)) return false;
  return (
    count('possible') + count('contradicts') > 0 &&
    calls.some(({ purpose, auth }) => purpose === 'refuse-token' && auth === 'none')
  );
}
