import type { Contract, Operation } from '../../contract/contract.ts';
import { recordedAnswers } from '../../contract/provenance.ts';
import type { Exchange } from '../../model/exchange.ts';
import { contentOf, jsonIn } from '../../model/media.ts';
import { isObject } from '../../schema/json.ts';
import { factsOf } from '../../schema/schema-facts.ts';
import { joinPointer, parsePointer } from '../../text/pointer.ts';
import { folded } from '../causes/names.ts';
import { namedFields } from '../fields.ts';
import { answerSchemas, isRecorded, jsonMedia, listIn } from '../responses.ts';
import { isEmptyList } from './likeness.ts';

export type AnswerOrigin = 'own' | 'contradicts' | 'unknown' | 'possible';

export const NOTHING: readonly number[] = [204, 205];

/** Levels of objects around a payload. */
const DEEPEST = 4;

function schemasOf(contract: Contract, operation: Operation, status: number) {
  return answerSchemas(contract, operation, status).filter(({ schema }) => contract.provenanceOf(schema) !== 'assumed');
}

export function answerOriginOf(contract: Contract, operation: Operation, exchange: Exchange): AnswerOrigin {
  const status = exchange.response?.status ?? 0;
  const schemas = schemasOf(contract, operation, status);
  if (!NOTHING.includes(status) && isRecordedEmpty(contract, operation)) return 'contradicts';
  const content = contentOf(exchange);
  if (content.kind === 'empty') {
    // Without a description, an empty body lacks nothing.
    const media = jsonMedia(operation, status);
    const sometimes = contract.at(
      joinPointer(media?.pointer.replace(/\/content\/[^/]*$/, '') ?? '', 'x-sometimes-empty'),
    );
    // The reference does not promise a body in each answer. A recording does.
    const isKnown = operation.responses.some((response) => response.status === String(status));
    if (NOTHING.includes(status) && isKnown) return 'own';
    const isNothing = NOTHING.includes(status) && !isRecorded(contract, operation, status);
    return schemas.length === 0 ? 'unknown' : sometimes === true || isNothing ? 'possible' : 'contradicts';
  }
  if (schemas.length === 0) return 'unknown';
  if (content.kind !== 'json') return 'contradicts';
  const { value } = content;
  if (schemas.some(({ schema, ofItems }) => !ofItems && isHollow(contract, schema, value))) return 'contradicts';
  const fits = schemas.map(({ schema, ofItems }): AnswerOrigin => {
    if (!ofItems) return fitOfValue(contract, [schema], value);
    const list = listIn(value);
    if (list === null) {
      const isEmpty = isEmptyList(value) || (isObject(value) && Object.keys(value).length === 0);
      return isEmpty ? 'possible' : 'contradicts';
    }
    const items = list.items.map((item) => fitOfValue(contract, [schema], item));
    return items.find((fit) => fit !== 'possible') ?? 'possible';
  });
  const fit = (['contradicts', 'own'] as const).find((one) => fits.includes(one)) ?? 'possible';
  const isRebuilt = fit === 'contradicts' && schemas.some(({ schema }) => holdsPayload(contract, schema, value));
  return isRebuilt ? 'own' : fit;
}

function isRecordedEmpty(contract: Contract, operation: Operation): boolean {
  const recorded = recordedAnswers(contract, operation);
  return recorded.length > 0 && recorded.every(({ status }) => NOTHING.includes(Number(status)));
}

/** A notice in the usual envelope has nothing where the payload belongs: `data: null`. */
function isHollow(contract: Contract, schema: string, value: unknown): boolean {
  if (!isObject(value)) return false;
  const { properties, required } = factsOf(contract, [schema], { known: true });
  return Object.entries(value).some(([name, member]) => {
    if (!required.has(name) || (typeof member === 'object' && member !== null)) return false;
    return fitOfValue(contract, properties.get(name) ?? [], member) === 'contradicts';
  });
}

/** True if a differently built answer still contains the known payload, in an envelope or under other names. */
function holdsPayload(contract: Contract, schema: string, value: unknown): boolean {
  // A single word like `status` also occurs in notices.
  return isWrapped(contract, schema, value, 0) || knownNames(contract, schema, value) > 1;
}

/** How many names of an answer are known. Zero unless they are most of its names. */
function knownNames(contract: Contract, schema: string, value: unknown): number {
  const fields = namedFields(contract, schema, '').flatMap(({ at }) => parsePointer(at)?.at(-1) ?? []);
  const seen = new Set(namesIn(value).map(folded));
  const shared = seen.intersection(new Set(fields.map(folded))).size;
  return shared * 2 > seen.size ? shared : 0;
}

/** Whether a good answer shows that its operation works, even if the operation has changed. */
export function isOwnAnswer(contract: Contract, operation: Operation, exchange: Exchange): boolean {
  if (answerOriginOf(contract, operation, exchange) !== 'contradicts') return true;
  const value = jsonIn(exchange);
  if (value === undefined) return false;
  const schemas = schemasOf(contract, operation, exchange.response?.status ?? 0);
  // a notice is no list
  return (
    (listIn(value)?.items ?? []).length > 0 || schemas.some(({ schema }) => knownNames(contract, schema, value) > 0)
  );
}

function isWrapped(contract: Contract, schema: string, value: unknown, depth: number): boolean {
  if (!isObject(value) || depth > DEEPEST) return false;
  return Object.values(value).some(
    (member) => fitOfValue(contract, [schema], member) === 'own' || isWrapped(contract, schema, member, depth + 1),
  );
}

const ENOUGH_ITEMS = 100;

function namesIn(value: unknown, depth = 0): string[] {
  if (depth > 2 * DEEPEST) return [];
  if (Array.isArray(value)) return value.slice(0, ENOUGH_ITEMS).flatMap((item) => namesIn(item, depth + 1));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, child]) => [name, ...namesIn(child, depth + 1)]);
}

/** Checks the outermost fields only, because a notice has no known field. */
function fitOfValue(contract: Contract, pointers: readonly string[], value: unknown): AnswerOrigin {
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
  if ([...required.keys()].some((name) => !names.includes(name))) return 'contradicts';
  if (names.some((name) => properties.has(name))) return 'own';
  // An object that allows any field also allows these.
  return properties.size > 0 && names.length > 0 && others.length === 0 ? 'contradicts' : 'possible';
}
