import type { Contract, Media, Operation, ResponseSpec } from '../contract/contract.ts';
import { basisFrom } from '../contract/provenance.ts';
import { isJsonType } from '../model/media.ts';
import { isObject, listOf } from '../schema/json.ts';
import type { Provenance } from '../schema/schema-document.ts';
import { describe, factsOf } from '../schema/schema-facts.ts';
import { type ItemsBeside, type Visit, walk } from '../schema/walk.ts';
import { joinPointer } from '../text/pointer.ts';
import type { Sample } from './rule.ts';

export interface Described {
  readonly at: string;
  readonly value: unknown;
  readonly schema: string;
}

function rangeFor({ responses }: Operation, status: number): ResponseSpec | undefined {
  return responses.find((response) => response.status.toUpperCase() === `${Math.floor(status / 100)}XX`);
}

/** The response that the contract describes for a status: the exact code, else its class, else the default. */
export function responseFor(operation: Operation, status: number): ResponseSpec | undefined {
  const named = (name: string): ResponseSpec | undefined =>
    operation.responses.find((response) => response.status === name);
  return named(String(status)) ?? rangeFor(operation, status) ?? named('default');
}

export function jsonOf(response: Pick<ResponseSpec, 'content'> | null | undefined): Media | undefined {
  return response?.content.find(({ type, schema }) => isJsonType(type) && schema !== undefined);
}

/** JSON media of the exact status, else of another named success (`status-changed` reports it), else of the class. */
export function jsonMedia(operation: Operation, status: number): Media | undefined {
  const exact = operation.responses.find((response) => response.status === String(status));
  const success = operation.responses.find((response) => /^2\d\d$/.test(response.status));
  const candidates = [exact, success, rangeFor(operation, status), responseFor(operation, status)];
  return candidates.map(jsonOf).find((media) => media !== undefined);
}

export function sourceOf(contract: Contract, operation: Operation, status: number, member: string): string {
  const schema = joinPointer(jsonMedia(operation, status)?.pointer ?? operation.pointer, 'schema');
  return factsOf(contract, [schema], { alternatives: 0 }).properties.get(member)?.at(-1) ?? schema;
}

export function isRecorded(contract: Contract, operation: Operation, status: number): boolean {
  const media = jsonMedia(operation, status);
  if (media === undefined) return false;
  const schema = joinPointer(media.pointer, 'schema');
  // a recording of an operation that is known by name stands beside the documented schema
  const parts = listOf(isObject(media.schema) ? media.schema.allOf : undefined);
  const places = [schema, ...parts.map((_, index) => joinPointer(schema, 'allOf', index))];
  return places.some((place) => contract.provenanceOf(place) === 'observed');
}

export type JudgedAnswer = Pick<Sample, 'operation' | 'status' | 'content'>;

export interface AnswerSchema {
  readonly schema: string;
  readonly ofItems: boolean;
}

/** The schemas that describe a good JSON answer, strongest first. */
export function answerSchemas(contract: Contract, operation: Operation, status: number): readonly AnswerSchema[] {
  const ofBody = [jsonOf(rangeFor(operation, status)), jsonMedia(operation, status)].flatMap((media) =>
    media === undefined ? [] : [{ schema: joinPointer(media.pointer, 'schema'), ofItems: false }],
  );
  const items = itemSchema(contract, operation);
  const own = ofBody.at(-1);
  // The documented class comes first and also applies if the status is recorded. If an answer contradicts both, the
  // finding is about the documentation.
  const documented = ofBody.filter(
    ({ schema }) => schema !== own?.schema && contract.provenanceOf(schema) === 'documented',
  );
  return [...documented, ...(items === null ? [] : [{ schema: items, ofItems: true }]), ...(own ? [own] : [])];
}

/** The walk through the last answer, because each rule walks through one answer before the next rule does. */
let walked: { readonly contract: Contract; readonly sample: Sample; readonly visits: readonly Visit[] } | undefined;

/** Bytes of an answer that is judged in one step. */
const LARGEST = 64 * 1024;

/** Whether each rule judges an answer in a step of its own. The visits of its walk would take too much memory. */
export function isLarge({ exchange }: Sample): boolean {
  return (exchange.response?.body.bytes.length ?? 0) > LARGEST;
}

/** Visits each place of an answer along its schemas. */
export function walkAnswer(contract: Contract, sample: Sample, see: (visit: Visit) => void): void {
  const { operation, content, status } = sample;
  if (content.kind !== 'json') return;
  if (walked?.sample !== sample || walked.contract !== contract) {
    const all = answerSchemas(contract, operation, status);
    const ofBody = all.filter(({ ofItems }) => !ofItems).map(({ schema }) => schema);
    const visits: Visit[] = [];
    const keep = isLarge(sample) ? see : (visit: Visit) => void visits.push(visit);
    walk(describe(contract, ofBody), content.value, keep, itemsOf(contract, sample) ?? undefined);
    if (keep === see) return;
    walked = { contract, sample, visits };
  }
  for (const visit of walked.visits) see(visit);
}

export function basisOfAnswer(contract: Contract, { operation, status }: Sample): (pointer: string) => Provenance {
  return basisFrom(contract, ...answerSchemas(contract, operation, status).map(({ schema }) => schema));
}

export function describedParts(contract: Contract, sample: JudgedAnswer): Described[] {
  const { operation, content, status } = sample;
  if (content.kind !== 'json') return [];
  return answerSchemas(contract, operation, status).flatMap(({ schema, ofItems }): Described[] => {
    if (!ofItems) return [{ at: '', value: content.value, schema }];
    const found = itemsOf(contract, sample);
    return Object.values(found?.list ?? {}).map((value) => ({ at: `${found?.at ?? ''}/*`, value, schema }));
  });
}

export function itemSchema(contract: Contract, operation: Operation): string | null {
  if (operation.itemSchema === null) return null;
  const pointer = joinPointer(operation.pointer, 'x-item-schema');
  if (contract.at(pointer) !== undefined) return pointer;
  const named = joinPointer('', 'components', 'pathItems', operation.operationId, 'x-item-schema');
  return contract.at(named) === undefined ? null : named;
}

/**
 * Finds the items if the envelope of a list is not documented. They are in the only array, or object keyed by id, whose
 * members show documented item fields, else in the only array. A recording knows the place itself.
 */
export function itemsOf(contract: Contract, { operation, content, status }: JudgedAnswer): ItemsBeside | null {
  const schema = itemSchema(contract, operation);
  if (schema === null || content.kind !== 'json') return null;
  const names = [...describe(contract, [schema]).properties.keys()];
  const list = listIn(content.value);
  const isKnown = list !== null && isRecorded(contract, operation, status);
  const [only, ...others] = isKnown ? [] : placesOfItems(content.value, names);
  if (only !== undefined && others.length === 0) return { ...only, schema };
  return list === null ? null : { at: list.at, list: list.items, schema };
}

/** Levels of objects around a list. */
const DEEPEST = 3;

function placesOfItems(value: unknown, names: readonly string[], at = '', depth = 0): Omit<ItemsBeside, 'schema'>[] {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return [];
  const isItem = (member: unknown): boolean => isObject(member) && names.some((name) => Object.hasOwn(member, name));
  const members = Object.entries(value);
  const ofItems = members.some(([, member]) => isItem(member));
  if (ofItems && (Array.isArray(value) || members.every(([, member]) => isObject(member))))
    return [{ at, list: value }];
  if (Array.isArray(value)) return [];
  return members.flatMap(([name, member]) => placesOfItems(member, names, joinPointer(at, name), depth + 1));
}

export function listIn(value: unknown): { at: string; items: readonly unknown[] } | null {
  if (Array.isArray(value)) return { at: '', items: value };
  if (typeof value !== 'object' || value === null) return null;
  const lists = Object.entries(value).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const [only] = lists;
  return lists.length === 1 && only !== undefined ? { at: joinPointer('', only[0]), items: only[1] } : null;
}
