import { pointerOfReference } from '../text/pointer.ts';
import { isObject, type Json, type JsonObject, listOf, nodeAt } from './json.ts';
import { type Kind, kindOfChild } from './structure.ts';

export type Direction = 'request' | 'response';

/** The keyword for members of the opposite direction (OpenAPI 3.1, 4.8.24; JSON Schema 2020-12, Validation 9.4). */
export const OTHERS = { request: 'readOnly', response: 'writeOnly' } as const;

const known = new WeakMap<JsonObject, Map<Direction, JsonObject>>();

/** The document for one direction: members of the opposite direction are not required. Pointers do not change. */
export function documentFor(document: JsonObject, direction: Direction): JsonObject {
  const before = known.get(document) ?? new Map<Direction, JsonObject>();
  known.set(document, before);
  const made = before.get(direction) ?? (undemanding(document, document, 'document', direction) as JsonObject);
  before.set(direction, made);
  return made;
}

function undemanding(document: JsonObject, node: Json, kind: Kind, direction: Direction): Json {
  if (typeof node !== 'object' || node === null || kind === 'data') return node;
  if (Array.isArray(node)) {
    const items = node.map((child, index) => undemanding(document, child, kindOfChild(kind, index), direction));
    return items.some((item, index) => item !== node[index]) ? items : node;
  }
  const members = Object.entries(node).map(([key, child]): [string, Json] => [
    key,
    kind === 'schema' && key === 'required'
      ? demanded(document, node as JsonObject, child, direction)
      : undemanding(document, child, kindOfChild(kind, key), direction),
  ]);
  return members.some(([key, child]) => child !== (node as JsonObject)[key]) ? Object.fromEntries(members) : node;
}

function demanded(document: JsonObject, schema: JsonObject, required: Json, direction: Direction): Json {
  const kept = listOf(required).filter((name) => !isOfOther(document, schema, String(name), direction));
  return kept.length === listOf(required).length ? required : kept;
}

export function isOfOther(document: JsonObject, schema: JsonObject, name: string, direction: Direction): boolean {
  return inPlace(document, schema).some(({ properties }) => {
    const property = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
    return isObject(property) && inPlace(document, property).some((part) => part[OTHERS[direction]] === true);
  });
}

function inPlace(document: JsonObject, schema: JsonObject, met: Set<JsonObject> = new Set()): JsonObject[] {
  if (met.has(schema)) return [];
  met.add(schema);
  const pointer = typeof schema.$ref === 'string' ? pointerOfReference(schema.$ref) : undefined;
  const target = pointer === undefined ? undefined : nodeAt(document, pointer);
  const others = [target, ...listOf(schema.allOf)].filter((one) => isObject(one));
  return [schema, ...others.flatMap((one) => inPlace(document, one, met))];
}
