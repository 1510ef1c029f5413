import { joinPointer, pointerOfReference } from '../text/pointer.ts';
import { isObject, type Json, type JsonObject, listOf } from './json.ts';

/** A document with internal references. */
export interface Schemas {
  at(pointer: string): Json | undefined;
}

export interface Part {
  readonly pointer: string;
  readonly schema: JsonObject;
}

const NOTHING: JsonObject = { enum: [] };

/** The schemas that apply together: those at the pointers, their references and their `allOf`. */
export function partsAt(side: Schemas, pointers: Iterable<string>): Part[] {
  const parts = new Map<string, Part>();
  const add = (pointer: string): void => {
    const schema = side.at(pointer);
    if (parts.has(pointer) || (schema !== false && !isObject(schema))) return;
    parts.set(pointer, { pointer, schema: schema === false ? NOTHING : schema });
    if (schema === false) return;
    const target = typeof schema.$ref === 'string' ? pointerOfReference(schema.$ref) : undefined;
    if (target !== undefined) add(target);
    for (const index of listOf(schema.allOf).keys()) add(joinPointer(pointer, 'allOf', index));
  };
  for (const pointer of pointers) add(pointer);
  return [...parts.values()];
}
