import type { Json, JsonObject } from './json.ts';

/** A JSON Schema (2020-12) as in the bundle: references are `#/components/…`. */
export type Schema = JsonObject | boolean;

/** The source of a fact, from the strongest to the weakest. */
export const PROVENANCES = ['documented', 'observed', 'assumed'] as const;
export type Provenance = (typeof PROVENANCES)[number];

/** A document with schemas, and the provenance of each part beside it. */
export interface SchemaDocument {
  /** The bundled OpenAPI 3.1.1 document with internal references. Deeply frozen: clone it before changing it. */
  readonly document: JsonObject;
  /** Provenance of the node at a pointer of the bundle. A node without its own inherits its parent's. */
  provenanceOf(pointer: string): Provenance;
  at(pointer: string): Json | undefined;
}

/** Caches a result per document and key, because documents never change. */
export function remembered<T, Source extends SchemaDocument = SchemaDocument>(
  find: (source: Source, about: string) => T,
): (source: Source, about?: string) => T {
  const found = new WeakMap<Source, Map<string, T>>();
  return (source, about = '') => {
    const known = found.get(source) ?? new Map<string, T>();
    found.set(source, known);
    const before = known.get(about);
    if (before !== undefined) return before;
    const fresh = find(source, about);
    known.set(about, fresh);
    return fresh;
  };
}
