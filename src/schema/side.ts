import type { Json } from './json.ts';

/** One document of a comparison. Its references are internal. */
export interface SchemaSide {
  at(pointer: string): Json | undefined;
  /** Whether a value is valid by the schema at a pointer. */
  accepts(pointer: string, value: Json): boolean;
}
