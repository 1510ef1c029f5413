import { type Contract, type JsonObject, remembered } from '../contract/contract.ts';
import { factsOf, isObject, listOf } from '../contract/schema-facts.ts';
import { type Pattern, patternOf } from '../patterns/pattern.ts';
import { joinPointer } from '../text/pointer.ts';

export interface FieldVisitor {
  value?(at: string, value: unknown, schemas: readonly string[]): void;
  object?(at: string, value: JsonObject, described: Description): void;
  known?(at: string, value: unknown, schemas: readonly string[], object: JsonObject): void;
  unknown?(at: string, value: unknown, namers: readonly string[]): void;
}

export interface Description {
  readonly properties: ReadonlyMap<string, readonly string[]>;
  /** The entry of `required` for each field, by field name. Excludes entries of alternatives. */
  readonly required: ReadonlyMap<string, string>;
  readonly patterns: readonly (readonly [Pattern, string])[];
  readonly rest: readonly string[];
  readonly items: readonly string[];
  readonly namers: readonly string[];
}

/** A list in a value, or an object keyed by id. `schema` describes its items in addition to the walked schemas. */
export interface ItemsBeside {
  readonly at: string;
  readonly list: object;
  readonly schema: string;
}

/** Walks a value along its schemas. Pointers into the value have `*` for list indices and map keys. */
export function walkFields(
  contract: Contract,
  entries: readonly string[],
  root: unknown,
  visitor: FieldVisitor,
  beside?: ItemsBeside,
): void {
  visit(entries, root, '', 0);

  function visit(schemas: readonly string[], value: unknown, at: string, depth: number): void {
    visitor.value?.(at, value, schemas);
    if (typeof value !== 'object' || value === null || depth > 100) return;
    const { items, properties, patterns, required, rest, namers } = describe(contract, schemas);
    if (Array.isArray(value)) {
      const all = value === beside?.list ? [beside.schema, ...items] : items;
      for (const item of value) visit(all, item, `${at}/*`, depth + 1);
      return;
    }
    const object = value as JsonObject;
    const beneath = beside !== undefined && value === beside.list ? [beside.schema] : [];
    if (namers.length > 0) visitor.object?.(at, object, describe(contract, schemas));
    for (const [name, pointers] of properties) {
      const place = joinPointer(at, name);
      const child = Object.hasOwn(object, name) ? object[name] : undefined;
      visitor.known?.(place, child, pointers, object);
      if (child !== undefined) visit(pointers, child, place, depth + 1);
    }
    for (const name of Object.keys(object)) {
      if (properties.has(name)) continue;
      const child = object[name];
      const matching = patterns.filter(([pattern]) => pattern.test(name)).map(([, pointer]) => pointer);
      const others = [...beneath, ...(matching.length > 0 ? matching : rest)];
      const place = joinPointer(at, name);
      if (others.length > 0) visit(others, child, `${at}/*`, depth + 1);
      else {
        if (namers.length > 0 && !required.has(name)) visitor.unknown?.(place, child, namers);
        if (beside !== undefined && `${beside.at}/`.startsWith(`${place}/`)) visit([], child, place, depth + 1);
      }
    }
  }
}

/** Schemas that refer to each other name fields without end, so only the outermost levels count. */
const MOST_NAMED = 500;

/** The fields that a schema names, to the deepest level at which there are at most {@link MOST_NAMED}. */
export function namedFields(contract: Contract, schema: string, at: string): { at: string; schema: string }[] {
  const all = fieldsWithin(Number.POSITIVE_INFINITY);
  if (all.length <= MOST_NAMED) return all;
  let found = fieldsWithin(1);
  for (let levels = 2; ; levels += 1) {
    const more = fieldsWithin(levels);
    if (more.length > MOST_NAMED) return found;
    found = more;
  }

  function fieldsWithin(most: number): { at: string; schema: string }[] {
    const fields: { at: string; schema: string }[] = [];
    const collect = (schemas: readonly string[], place: string, trail: readonly string[], level: number): void => {
      if (level === most || fields.length > MOST_NAMED || schemas.some((pointer) => trail.includes(pointer))) return;
      const { properties, items } = describe(contract, schemas);
      const inside = [...trail, ...schemas];
      for (const [name, pointers] of properties) {
        const child = joinPointer(place, name);
        fields.push({ at: child, schema: pointers[0] ?? '' });
        collect(pointers, child, inside, level + 1);
      }
      if (items.length > 0) collect(items, `${place}/*`, inside, level);
    };
    collect([schema], at, [], 0);
    return fields;
  }
}

export function describe(contract: Contract, schemas: readonly string[]): Description {
  return described(contract, schemas.join('\n'));
}

/** Remembered, because the same schemas describe each item of a list. */
const described = remembered((contract, schemas): Description => {
  const facts = factsOf(contract, schemas === '' ? [] : schemas.split('\n'), {
    alternatives: Number.POSITIVE_INFINITY,
  });
  const namers = facts.parts.filter(({ pointer, schema }) => namesFields(contract, pointer, schema));
  return {
    properties: facts.properties,
    required: new Map([...facts.required].filter(([, source]) => source !== '')),
    patterns: facts.patterns.map(({ source, pointer }) => [patternOf(source), pointer]),
    rest: facts.others,
    items: facts.items,
    namers: namers.map(({ pointer }) => pointer),
  };
});

/** A recording does not repeat the documentation: for an object it may contain only `$ref` or `required`. */
function namesFields(contract: Contract, pointer: string, schema: JsonObject): boolean {
  if (isObject(schema.properties) && Object.keys(schema.properties).length > 0) return true;
  const says = typeof schema.$ref === 'string' || listOf(schema.required).length > 0;
  return says && contract.provenanceOf(pointer) === 'observed';
}
