import type { Contract } from '../../contract/contract.ts';
import { serviceOf } from '../../contract/services.ts';
import { type Call, finalAttempt, mustBeRefused } from '../../model/call.ts';
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

/** Operations of one payload may well have changed alike, and one that nobody has shown makes nothing foreign by itself. */
export function foreignAnswers(calls: readonly Call[], contract: Contract): ReadonlyMap<Call, ForeignAnswer> {
  const found = new Map<Call, ForeignAnswer>();
  const alike = Map.groupBy(calls.filter(isMeantForPayload), (call) => likenessOf(call, contract));
  for (const [look, own] of alike) {
    if (look === null || !isForeign(own, contract)) continue;
    const operations = new Set(own.map(({ operationId }) => operationId));
    const [first = '', ...others] = new Set([...operations].map((id) => serviceOf(contract, id)));
    const answer = { operations, service: others.length === 0 ? first : '', said: saidBy(own) };
    for (const call of own) found.set(call, answer);
  }
  return found;
}

const LONGEST_QUOTE = 100;

function saidBy([call]: readonly Call[]): string {
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

/** What changes something says by a 204 that it is done. */
function likenessOf(call: Call, contract: Contract): string | null {
  const last = finalAttempt(call);
  if (last === undefined) return null;
  if (last.response !== null && NOTHING.includes(last.response.status)) {
    return contract.operation(call.operationId)?.effect === 'read' ? 'nothing' : null;
  }
  return likeness(last);
}

function isForeign(calls: readonly Call[], contract: Contract): boolean {
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
  if (fits.length === 0 || kinds.size < 2) return false;
  const count = (kind: AnswerOrigin): number => fits.filter((fit) => fit === kind).length;
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
