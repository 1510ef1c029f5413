import type { Contract, Operation } from '../../contract/contract.ts';
import { factsOf, isObject } from '../../contract/schema-facts.ts';
import { serviceOf } from '../../contract/services.ts';
import { type Call, finalAttempt, isGood, mustBeRefused } from '../../model/call.ts';
import type { Exchange } from '../../model/exchange.ts';
import { contentOf } from '../../model/media.ts';
import type { Reason } from '../../model/reason.ts';
import { joinPointer } from '../../pointer.ts';
import { folded } from '../causes/names.ts';
import { answerSchemas, jsonMedia, listIn } from '../responses.ts';
import { isEmptyList, likeness } from './alike.ts';

/** One answer that came for several operations and belongs to none of them. */
export interface ForeignAnswer {
  /** The operations that it came for. */
  readonly operations: ReadonlySet<string>;
  /** Their service; empty where they are of several. */
  readonly service: string;
}

/** Why nothing can be said of an operation that gives such an answer. */
export function reasonOf({ operations, service }: ForeignAnswer): Reason {
  return { kind: 'foreign-answer', service, operations: operations.size };
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
  const alike = Map.groupBy(meant, (call) => likenessOf(call));
  for (const [look, own] of alike) {
    const isPassing = (id: string): boolean => suspected || answersOtherwise(id, own, meant, contract);
    if (look === null || !isForeign(own, contract, isPassing)) continue;
    const operations = new Set(own.map(({ operationId }) => operationId));
    const [first = '', ...others] = new Set([...operations].map((id) => serviceOf(contract, id)));
    const answer = { operations, service: others.length === 0 ? first : '' };
    for (const call of own) found.set(call, answer);
  }
  return found;
}

/** A bad method, grant or limit may be refused for all operations in the same words. */
function isMeantForPayload(call: Call): boolean {
  return (
    call.notSent === null && (!mustBeRefused(call) || call.purpose === 'refuse-token') && call.purpose !== 'caller'
  );
}

function likenessOf(call: Call): string | null {
  const last = finalAttempt(call);
  return last === undefined ? null : likeness(last);
}

/** What an answer is to the operation that it came for. */
type Fit = 'own' | 'contradicts' | 'unknown' | 'possible';

/** True of an operation that gave an answer of its own beside one that came for others, too. */
function answersOtherwise(id: string, alike: readonly Call[], calls: readonly Call[], contract: Contract): boolean {
  const operation = contract.operation(id);
  return calls.some((call) => {
    const last = finalAttempt(call);
    if (call.operationId !== id || operation === undefined || last === undefined) return false;
    return !mustBeRefused(call) && !alike.includes(call) && isGood(call) && fitOf(contract, operation, last) === 'own';
  });
}

/** @param isPassing whether an operation is known to answer otherwise, too: what comes and goes is no change of several at once */
function isForeign(calls: readonly Call[], contract: Contract, isPassing: (operationId: string) => boolean): boolean {
  const operations = new Set(calls.map(({ operationId }) => operationId));
  if (operations.size < 2) return false;
  const wanted = calls.filter((call) => !mustBeRefused(call));
  const kinds = new Set<string>();
  const fits: Fit[] = [];
  for (const id of operations) {
    const operation = contract.operation(id);
    const call = wanted.find(({ operationId }) => operationId === id);
    const last = finalAttempt(
      call ?? calls.find(({ operationId }) => operationId === id) ?? ({ attempts: [] } as never),
    );
    if (operation === undefined || last?.response == null) continue;
    kinds.add(payloadOf(contract, operation, last.response.status));
    if (call !== undefined) fits.push(fitOf(contract, operation, last));
  }
  if (fits.length === 0) return false;
  const count = (kind: Fit): number => fits.filter((fit) => fit === kind).length;
  if (kinds.size < 2) return count('contradicts') === fits.length && [...operations].some(isPassing);
  // Where more operations are meant to answer so than not, the others have changed.
  if (count('own') >= Math.max(1, count('contradicts'))) return false;
  if (count('contradicts') > 0) return true;
  // Known of none, or only of empty lists, which are all alike.
  const [first] = wanted;
  const last = first && finalAttempt(first);
  const content = last === undefined ? null : contentOf(last);
  if (content?.kind === 'json' && isEmptyList(content.value)) return false;
  return fits.includes('possible') && calls.some(({ purpose, auth }) => purpose === 'refuse-token' && auth === 'none');
}

/**
 * What is documented or recorded of the payload of an operation, as one text; empty where nothing is. It says of which fields the
 * payload is built and nothing of their values: two recordings of one and the same object differ in what was seen of these.
 */
function payloadOf(contract: Contract, operation: Operation, status: number): string {
  return JSON.stringify(
    schemasOf(contract, operation, status).map(({ schema, ofItems }) => [ofItems, builtOf(contract, [schema], 0)]),
  );
}

const DEEPEST = 4;

function builtOf(contract: Contract, pointers: readonly string[], depth: number): unknown {
  const { types, properties, items } = factsOf(contract, pointers, { known: true });
  if (depth > DEEPEST) return null;
  if (items.length > 0) return [builtOf(contract, items, depth + 1)];
  if (properties.size === 0) return [...types].sort();
  const names = [...properties].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(names.map(([name, schemas]) => [name, builtOf(contract, schemas, depth + 1)]));
}

function schemasOf(contract: Contract, operation: Operation, status: number) {
  return answerSchemas(contract, operation, status).filter(({ schema }) => contract.provenanceOf(schema) !== 'assumed');
}

function fitOf(contract: Contract, operation: Operation, exchange: Exchange): Fit {
  const status = exchange.response?.status ?? 0;
  const schemas = schemasOf(contract, operation, status);
  const content = contentOf(exchange);
  if (content.kind === 'empty') {
    // Of what nobody has described nothing is missing.
    const media = jsonMedia(operation, status);
    const sometimes = contract.at(
      joinPointer(media?.pointer.replace(/\/content\/[^/]*$/, '') ?? '', 'x-sometimes-empty'),
    );
    return schemas.length === 0 ? 'unknown' : sometimes === true ? 'possible' : 'contradicts';
  }
  if (schemas.length === 0) return 'unknown';
  if (content.kind !== 'json') return 'contradicts';
  const { value } = content;
  const fits = schemas.map(({ schema, ofItems }): Fit => {
    if (!ofItems) return fitOfValue(contract, [schema], value);
    const list = listIn(value);
    if (list === null) return isObject(value) && Object.keys(value).length === 0 ? 'possible' : 'contradicts';
    const items = list.items.map((item) => fitOfValue(contract, [schema], item));
    return items.find((fit) => fit !== 'possible') ?? 'possible';
  });
  const fit = (['contradicts', 'own'] as const).find((one) => fits.includes(one)) ?? 'possible';
  const isRebuilt = fit === 'contradicts' && schemas.some(({ schema }) => holdsPayload(contract, schema, value));
  return isRebuilt ? 'own' : fit;
}

/** True of an answer that is built otherwise and still holds what the operation is known for: in an envelope, or under another name. */
function holdsPayload(contract: Contract, schema: string, value: unknown): boolean {
  if (isWrapped(contract, schema, value, 0)) return true;
  const known = new Set(namesIn(builtOf(contract, [schema], 0)).map(folded));
  const seen = new Set(namesIn(value).map(folded));
  const shared = seen.intersection(known).size;
  // A single word, such as `status`, stands in notices, too.
  return shared > 1 && shared * 2 > seen.size;
}

function isWrapped(contract: Contract, schema: string, value: unknown, depth: number): boolean {
  if (!isObject(value) || depth > DEEPEST) return false;
  return Object.values(value).some(
    (member) => fitOfValue(contract, [schema], member) === 'own' || isWrapped(contract, schema, member, depth + 1),
  );
}

/** More items of a list have the same fields. */
const ENOUGH_ITEMS = 100;

/** The names of the fields of a value and of what is in it. */
function namesIn(value: unknown, depth = 0): string[] {
  if (depth > 2 * DEEPEST) return [];
  if (Array.isArray(value)) return value.slice(0, ENOUGH_ITEMS).flatMap((item) => namesIn(item, depth + 1));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, child]) => [name, ...namesIn(child, depth + 1)]);
}

/** Looks at the outermost fields only: a notice holds none of them. */
function fitOfValue(contract: Contract, pointers: readonly string[], value: unknown): Fit {
  const { types, properties, required, items, others } = factsOf(contract, pointers, { known: true });
  const isList = types.includes('array') || (types.length === 0 && items.length > 0);
  if (Array.isArray(value)) {
    if (isList) return value.length === 0 || items.length === 0 ? 'possible' : fitOfValue(contract, items, value[0]);
    return properties.size > 0 || (types.length > 0 && !isList) ? 'contradicts' : 'possible';
  }
  if (!isObject(value)) {
    const isObjectWanted = types.includes('object') || properties.size > 0 || isList;
    return isObjectWanted && !types.includes(value === null ? 'null' : typeof value) ? 'contradicts' : 'possible';
  }
  if (isList && !types.includes('object')) return 'contradicts';
  const names = Object.keys(value);
  if ([...required].some((name) => !names.includes(name))) return 'contradicts';
  if (names.some((name) => properties.has(name))) return 'own';
  // An object that may hold anything holds this, too.
  return properties.size > 0 && names.length > 0 && others.length === 0 ? 'contradicts' : 'possible';
}
