import { joinPointer } from '../text/pointer.ts';
import { type Json, type JsonObject, listOf, nodeAt } from './json.ts';
import { type Part, partsAt } from './parts.ts';
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

function undemanding(document: JsonObject, node: Json, kind: Kind, direction: Direction, pointer = ''): Json {
  if (typeof node !== 'object' || node === null || kind === 'data') return node;
  const changed = (child: Json, key: string | number): Json => {
    const at = joinPointer(pointer, key);
    if (kind !== 'schema' || key !== 'required')
      return undemanding(document, child, kindOfChild(kind, key), direction, at);
    const kept = listOf(child).filter((name) => !isOfOther(document, pointer, String(name), direction));
    return kept.length === listOf(child).length ? child : kept;
  };
  if (Array.isArray(node)) {
    const items = node.map(changed);
    return items.some((item, index) => item !== node[index]) ? items : node;
  }
  const members = Object.entries(node).map(([key, child]): [string, Json] => [key, changed(child, key)]);
  return members.some(([key, child]) => child !== (node as JsonObject)[key]) ? Object.fromEntries(members) : node;
}

/** Whether a member of an object belongs to the opposite direction. @param pointer to the schema of the object */
export function isOfOther(document: JsonObject, pointer: string, name: string, direction: Direction): boolean {
  const partsOf = (at: string): Part[] => partsAt({ at: (one) => nodeAt(document, one) }, [at]);
  return partsOf(pointer).some((part) =>
    partsOf(joinPointer(part.pointer, 'properties', name)).some(({ schema }) => schema[OTHERS[direction]] === true),
  );
}
