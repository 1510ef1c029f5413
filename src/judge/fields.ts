import type { Contract, Json, JsonObject } from '../contract/contract.ts';
import { isObject, listOf, partsOf, type SchemaPart } from '../contract/schema-facts.ts';
import { type Pattern, patternOf } from '../patterns/pattern.ts';
import { joinPointer } from '../text/pointer.ts';

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface FieldOf {
  readonly name: string;
  readonly object: Fields;
}

export interface FieldVisitor {
  value?(at: string, value: unknown, schemas: readonly string[]): void;
  object?(at: string, value: Fields, described: Description): void;
  /** A field that the schema names: there, or not; `schemas` are all that describe it, the first of them `schema`. */
  known?(at: string, schema: string, present: boolean, schemas: readonly string[], field: FieldOf): void;
  mapped?(at: string): void;
  /** A field of an object whose fields are named, that is not among them; `namers` are all schemas that name its fields. */
  unknown?(at: string, value: unknown, parent: string, namers: readonly string[]): void;
}

/** An object or array as all its schemas together describe it, by pointers of schemas. */
export interface Description {
  readonly properties: ReadonlyMap<string, readonly string[]>;
  /** The entry of `required` that asks for a field, by the name of the field; not those of an alternative. */
  readonly required: ReadonlyMap<string, string>;
  readonly patterns: readonly (readonly [Pattern, string])[];
  readonly rest: readonly string[];
  readonly items: readonly string[];
  readonly namers: readonly string[];
}

/** Walks a value along the schemas that describe it; pointers of the value have `*` for list indices and keys of maps. */
export function walkFields(
  contract: Contract,
  schema: string,
  value: unknown,
  at: string,
  visitor: FieldVisitor,
): void {
  visit(contract, [schema], value, at, visitor, 0);
}

function visit(
  contract: Contract,
  schemas: readonly string[],
  value: unknown,
  at: string,
  visitor: FieldVisitor,
  depth: number,
): void {
  visitor.value?.(at, value, schemas);
  if (typeof value !== 'object' || value === null || depth > 100) return;
  const description = describe(contract, schemas);
  if (Array.isArray(value)) {
    for (const item of value) visit(contract, description.items, item, `${at}/*`, visitor, depth + 1);
    return;
  }
  const object = value as Fields;
  if (description.namers.length > 0) visitor.object?.(at, object, description);
  for (const [name, pointers] of description.properties) {
    const place = joinPointer(at, name);
    const present = Object.hasOwn(object, name);
    visitor.known?.(place, pointers[0] ?? '', present, pointers, { name, object });
    if (present) visit(contract, pointers, object[name], place, visitor, depth + 1);
  }
  for (const [name, child] of Object.entries(object)) {
    if (description.properties.has(name)) continue;
    const matching = description.patterns.filter(([pattern]) => pattern.test(name)).map(([, pointer]) => pointer);
    const others = matching.length > 0 ? matching : description.rest;
    if (others.length > 0) {
      visitor.mapped?.(joinPointer(at, name));
      visit(contract, others, child, `${at}/*`, visitor, depth + 1);
    } else if (description.namers[0] !== undefined && !description.required.has(name)) {
      visitor.unknown?.(joinPointer(at, name), child, description.namers[0], description.namers);
    }
  }
}

/** Every field that a schema names, with its pointer in the value; where nothing was sent, coverage still lists them. */
export function namedFields(contract: Contract, schema: string, at: string): { at: string; schema: string }[] {
  const found: { at: string; schema: string }[] = [];
  const collect = (schemas: readonly string[], place: string, trail: readonly string[]): void => {
    if (schemas.some((pointer) => trail.includes(pointer))) return;
    const description = describe(contract, schemas);
    const inside = [...trail, ...schemas];
    for (const [name, pointers] of description.properties) {
      const child = joinPointer(place, name);
      found.push({ at: child, schema: pointers[0] ?? '' });
      collect(pointers, child, inside);
    }
    if (description.items.length > 0) collect(description.items, `${place}/*`, inside);
  };
  collect([schema], at, []);
  return found;
}

/** Every item of a list is described by the same schemas. */
const described = new WeakMap<Contract, Map<string, Description>>();

export function describe(contract: Contract, schemas: readonly string[]): Description {
  const known = described.get(contract) ?? new Map<string, Description>();
  described.set(contract, known);
  const key = schemas.join('\n');
  const description = known.get(key) ?? describeParts(contract, partsOf(contract, schemas));
  known.set(key, description);
  return description;
}

function describeParts(contract: Contract, parts: readonly SchemaPart[]): Description {
  const properties = new Map<string, string[]>();
  const required = new Map<string, string>();
  const patterns: [Pattern, string][] = [];
  const rest: string[] = [];
  const items: string[] = [];
  const namers: string[] = [];
  for (const { pointer, schema, binding } of parts) {
    if (namesFields(contract, pointer, schema)) namers.push(pointer);
    for (const [index, name] of (binding ? listOf(schema.required) : []).entries()) {
      if (typeof name === 'string' && !required.has(name)) required.set(name, joinPointer(pointer, 'required', index));
    }
    for (const name of keysOf(schema.properties)) {
      const list = properties.get(name) ?? [];
      list.push(joinPointer(pointer, 'properties', name));
      properties.set(name, list);
    }
    for (const pattern of keysOf(schema.patternProperties)) {
      patterns.push([patternOf(pattern), joinPointer(pointer, 'patternProperties', pattern)]);
    }
    if (isObject(schema.additionalProperties)) rest.push(joinPointer(pointer, 'additionalProperties'));
    if (isObject(schema.items)) items.push(joinPointer(pointer, 'items'));
  }
  return { properties, required, patterns, rest, items, namers };
}

/** A recording says nothing again that is documented: of an object that it has seen, a reference or the required fields may be all. */
function namesFields(contract: Contract, pointer: string, schema: JsonObject): boolean {
  if (keysOf(schema.properties).length > 0) return true;
  const says = typeof schema.$ref === 'string' || listOf(schema.required).length > 0;
  return says && contract.provenanceOf(pointer) === 'observed';
}

function keysOf(map: Json | undefined): string[] {
  return isObject(map) ? Object.keys(map) : [];
}
