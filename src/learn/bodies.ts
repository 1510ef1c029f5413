import type { Contract, Operation } from '../contract/contract.ts';
import { jsonOf } from '../judge/responses.ts';
import { is2xx } from '../model/exchange.ts';
import { isObject, type Json, type JsonObject, objectOf } from '../schema/json.ts';
import { joinPointer } from '../text/pointer.ts';
import { documentedAt, type SchemaOptions } from './documented.ts';
import { itemPlace, mergesByLoader, referTo } from './item-place.ts';
import { mergeShapes } from './merge-shapes.ts';
import { createObservedShape, type ObservedShape } from './observed-shape.ts';
import { readBack } from './read-back.ts';
import { schemaOf } from './schema.ts';
import type { Sightings, StatusSeen } from './sightings.ts';

export interface StatusLearned {
  readonly samples: number;
  readonly sometimesEmpty: boolean;
  readonly askedWithBody: boolean;
  readonly content: ReadonlyMap<string, JsonObject>;
}

/**
 * Merges all answers with earlier recordings of the same operations.
 *
 * @param recorded earlier updates by operationId
 */
export function learnBodies(
  sightings: Sightings,
  recorded: ReadonlyMap<string, readonly JsonObject[]>,
  options: SchemaOptions,
): Map<string, ReadonlyMap<number, StatusLearned>> {
  const learned = new Map<string, Map<number, StatusLearned>>();
  for (const operation of options.contract.operations) {
    const { operationId, path, located } = operation;
    const older = recorded.get(operationId) ?? [];
    const statuses = new Map([...(older.length > 1 ? statusesIn(older) : []), ...(sightings.get(operationId) ?? [])]);
    if (statuses.size === 0 || path === null || located === 'assumed') continue;
    const own = new Map<number, StatusLearned>();
    learned.set(operationId, own);
    for (const [status, now] of statuses) {
      const before = older.flatMap((update) => responseIn(update, status));
      const content = new Map<string, JsonObject>(contentIn(before));
      for (const type of new Set([...content.keys(), ...now.bodies.keys()])) {
        const seen = now.bodies.get(type);
        const schemas = schemasIn(before, type);
        if (seen === null) content.set(type, {});
        else if (seen !== undefined || schemas.length > 1)
          content.set(type, mediaOf(operation, status, seen ?? createObservedShape(), schemas, options));
      }
      own.set(status, { ...countsOf(now, before), content });
    }
  }
  return learned;
}

/** No answer of each recorded status: only the recordings are merged. */
function statusesIn(updates: readonly JsonObject[]): [number, StatusSeen][] {
  const statuses = updates.flatMap(({ responses }) => Object.keys(objectOf(responses)));
  return statuses.map((status) => [Number(status), { samples: 0, empty: 0, askedWithBody: 0, bodies: new Map() }]);
}

function responseIn({ responses }: JsonObject, status: number): JsonObject[] {
  const response = objectOf(responses)[String(status)];
  return isObject(response) ? [response] : [];
}

/** Recorded content types. A new type does not replace them. */
function contentIn(responses: readonly JsonObject[]): [string, JsonObject][] {
  return responses.flatMap(({ content }) =>
    Object.entries(objectOf(content)).filter((one): one is [string, JsonObject] => isObject(one[1])),
  );
}

function schemasIn(responses: readonly JsonObject[], type: string): JsonObject[] {
  return contentIn(responses).flatMap(([own, { schema }]) => (own === type && isObject(schema) ? [schema] : []));
}

function countsOf(
  { samples, empty, askedWithBody }: StatusSeen,
  before: readonly JsonObject[],
): Omit<StatusLearned, 'content'> {
  const wasEmpty = before.some(
    (response) => contentIn([response]).length === 0 || response['x-sometimes-empty'] === true,
  );
  const hadBody = contentIn(before).length > 0;
  return {
    samples: Math.max(samples, ...before.map((response) => numberOf(response['x-samples']))),
    askedWithBody: askedWithBody === samples && before.every((response) => response['x-asked-with-body'] === true),
    sometimesEmpty: (empty > 0 || wasEmpty) && (empty < samples || hadBody),
  };
}

function numberOf(value: Json | undefined): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

function mediaOf(
  operation: Operation,
  status: number,
  now: ObservedShape,
  before: readonly JsonObject[],
  options: SchemaOptions,
): JsonObject {
  const { contract } = options;
  const exact = schemaPointer(contract, operation, String(status));
  const ranged = schemaPointer(contract, operation, `${Math.floor(status / 100)}XX`);
  const documented = [exact, ranged].filter((pointer) => pointer !== null);
  const known = documentedAt(contract, documented);
  const uniteAll = (item: SchemaOptions['item']): ObservedShape =>
    before
      .map((schema) => readBack(schema, known, { ...options, item }))
      .reduceRight((all, one) => mergeShapes(one, all), now);
  // A recording may be the only source for the place of list items.
  const item = is2xx(status) ? itemPlace(contract, operation, uniteAll(undefined)) : undefined;
  const own = schemaOf(uniteAll(item), known, { ...options, item });
  const empty = Object.keys(own).length === 0;
  if (exact !== null) {
    // A part of its own, because a schema that is only merged into a documented one does not count as recorded.
    return empty ? {} : { schema: { allOf: [own] } };
  }
  // An exact status hides its range, so the documentation of the range is repeated by reference.
  const ref = ranged === null || mergesByLoader(contract, operation) ? null : referTo(contract, ranged);
  if (ref === null) return { schema: own };
  return { schema: empty ? { $ref: ref } : { allOf: [{ $ref: ref }, own] } };
}

function schemaPointer(contract: Contract, operation: Operation, status: string): string | null {
  const response = operation.responses.find((candidate) => candidate.status === status);
  const media = jsonOf(response);
  if (media === undefined) return null;
  const pointer = joinPointer(media.pointer, 'schema');
  return contract.provenanceOf(pointer) === 'documented' ? pointer : null;
}
