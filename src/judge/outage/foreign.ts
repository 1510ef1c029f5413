import type { Contract } from '../../contract/contract.ts';
import { isObject } from '../../contract/schema-facts.ts';
import { serviceOf } from '../../contract/services.ts';
import { type Call, finalAttempt, isGood, mustBeRefused } from '../../model/call.ts';
import type { Exchange } from '../../model/exchange.ts';
import { contentOf } from '../../model/media.ts';
import type { Reason } from '../../model/reason.ts';
import { excerpt, type Redact } from '../../redact/excerpt.ts';
import { shapeOf } from '../shape.ts';
import { textOfShape } from '../shape-text.ts';
import { type AnswerOrigin, answerOriginOf, NOTHING, payloadOf } from './answer-origin.ts';
import { isEmptyList, likeness } from './likeness.ts';

export interface ForeignAnswer {
  readonly operations: ReadonlySet<string>;
  /** The service of the operations; empty if there are several. */
  readonly service: string;
  readonly said?: string;
}

export function reasonOf({ operations, service, said = '' }: ForeignAnswer): Reason {
  return { kind: 'foreign-answer', service, operations: operations.size, said };
}

/**
 * Calls whose answer is foreign: a maintenance notice, a gateway page or an empty answer. Operations with different
 * schemas or recordings got the same answer. A documented or recorded body contradicts it, or calls without a token
 * also got it. Operations with the same payload may have changed together: their answer is foreign only if one of them
 * also gave another answer. An unknown payload alone makes no answer foreign.
 *
 * @param suspected whether operations with the same payload count before they were repeated
 */
export function foreignAnswers(
  calls: readonly Call[],
  contract: Contract,
  { suspected = false, redact }: { readonly suspected?: boolean; readonly redact?: Redact | undefined } = {},
): ReadonlyMap<Call, ForeignAnswer> {
  const found = new Map<Call, ForeignAnswer>();
  const payloads = calls.filter(isMeantForPayload);
  const alike = Map.groupBy(sharingNames(payloads), (call) => likenessOf(call, contract));
  for (const [look, own] of alike) {
    const isPassing = (id: string): boolean => {
      const operation = contract.operation(id);
      if (suspected || operation === undefined) return suspected;
      return otherAnswers(id, own, payloads).some((other) => answerOriginOf(contract, operation, other) === 'own');
    };
    if (look === null || !(isForeign(own, contract, isPassing) || comesAndGoes(own, payloads))) continue;
    const operations = new Set(own.map(({ operationId }) => operationId));
    const [first = '', ...others] = new Set([...operations].map((id) => serviceOf(contract, id)));
    const answer = { operations, service: others.length === 0 ? first : '', said: saidBy(own, redact) };
    for (const call of own) found.set(call, answer);
  }
  return found;
}

const LONGEST_QUOTE = 100;

/**
 * The text of an answer on one line, without tags. JSON may hold personal data, so only its shape is quoted. Nothing is
 * quoted that cannot be redacted.
 */
export function saidBy([call]: readonly Call[], redact: Redact | undefined): string {
  const last = call === undefined ? undefined : finalAttempt(call);
  if (last === undefined || redact === undefined) return '';
  const content = contentOf(last);
  if (content.kind === 'json') return excerpt(textOfShape(shapeOf(content.value)), LONGEST_QUOTE, redact);
  const text = Buffer.from(last.response?.body.bytes ?? [])
    .toString()
    .trim();
  const isPlain = content.kind === 'html' || (content.kind === 'other' && !/^[<{["]/.test(text));
  return isPlain ? withoutTags(excerpt(text, 100 * LONGEST_QUOTE, redact)).slice(0, LONGEST_QUOTE) : '';
}

function withoutTags(html: string): string {
  const text = html.replace(/<(style|script)\b[\s\S]*?<\/\1>|<[^>]*>|\s+/gi, ' ');
  return text.replace(/ {2,}/g, ' ').trim();
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
  const content = contentOf(last);
  return content.kind === 'json' && isObject(content.value) ? Object.keys(content.value).sort().join('\n') : '';
}

/** Good answers of an operation that differ from the shared one. */
function otherAnswers(id: string, alike: readonly Call[], calls: readonly Call[]): Exchange[] {
  const others = calls.filter(
    (call) => call.operationId === id && !mustBeRefused(call) && !alike.includes(call) && isGood(call),
  );
  return others.flatMap((call) => finalAttempt(call) ?? []);
}

/** True if several operations got an answer and one of them also gave another that has nothing in common with it. */
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

/** @param isPassing whether an operation also gives another answer: an answer that comes and goes is no change */
function isForeign(calls: readonly Call[], contract: Contract, isPassing: (operationId: string) => boolean): boolean {
  const operations = Map.groupBy(calls, ({ operationId }) => operationId);
  if (operations.size < 2) return false;
  const wanted = calls.filter((call) => !mustBeRefused(call));
  const kinds = new Set<string>();
  const fits: AnswerOrigin[] = [];
  for (const [id, own] of operations) {
    const operation = contract.operation(id);
    const call = own.find((each) => !mustBeRefused(each));
    const last = (call ?? own[0])?.attempts.at(-1);
    if (operation === undefined || last?.response == null) continue;
    kinds.add(payloadOf(contract, operation, last.response.status));
    if (call !== undefined) fits.push(answerOriginOf(contract, operation, last));
  }
  if (fits.length === 0) return false;
  const count = (kind: AnswerOrigin): number => fits.filter((fit) => fit === kind).length;
  if (kinds.size < 2) return count('contradicts') === fits.length && operations.keys().some(isPassing);
  // If at least as many operations own the answer as contradict it, the contradicting ones have changed.
  if (count('own') >= Math.max(1, count('contradicts'))) return false;
  const [first] = wanted;
  const last = first && finalAttempt(first);
  // A single operation may really have nothing left to send.
  const least = NOTHING.includes(last?.response?.status ?? 0) ? 2 : 1;
  if (count('contradicts') >= least) return true;
  // No operation knows this answer, or it is an empty list. Empty lists all look alike.
  const content = last === undefined ? null : contentOf(last);
  if (content?.kind === 'json' && isEmptyList(content.value)) return false;
  return (
    count('possible') + count('contradicts') > 0 &&
    calls.some(({ purpose, auth }) => purpose === 'refuse-token' && auth === 'none')
  );
}
