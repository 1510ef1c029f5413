import { compilerOf } from './ajv.ts';
import { type Direction, documentFor } from './direction.ts';
import { type Json, type JsonObject, nodeAt } from './json.ts';
import type { Schemas } from './parts.ts';

/** One document of a comparison. */
export interface SchemaSide extends Schemas {
  /** Whether a value is valid by the schema at a pointer. */
  accepts(pointer: string, value: Json): boolean;
}

export function sideOf(document: JsonObject, direction: Direction): SchemaSide {
  const own = documentFor(document, direction);
  const compile = compilerOf(own);
  return { at: (pointer) => nodeAt(own, pointer), accepts: (pointer, value) => compile(pointer)(value) };
}
