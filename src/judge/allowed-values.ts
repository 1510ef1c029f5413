import type { Contract } from '../contract/contract.ts';
import { combinationsAt, typesOf } from '../schema/cases.ts';
import { admits, isObject, type Json, type JsonObject, type JsonType, typeOf } from '../schema/json.ts';
import { factsOf, pick, type SchemaFacts } from '../schema/schema-facts.ts';
import { joinPointer } from '../text/pointer.ts';
import { countOf, createShape, DEEPEST_TOLD, MOST_FIELDS, merge, type Shape } from './shape.ts';

export interface DiffSide {
  readonly contract: Contract;
  readonly recording: boolean;
}

export interface AllowedKind {
  readonly type: string;
  readonly value?: Json;
  readonly facts: SchemaFacts;
}

export interface AllowedValues {
  /** Empty if the type is unknown. */
  readonly kinds: readonly AllowedKind[];
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly always: ReadonlySet<string>;
  /** Members without a name of their own: the words of their names, and their schemas. */
  readonly others: readonly { readonly names: ReadonlyMap<string, Json>; readonly schemas: readonly string[] }[];
  readonly items: readonly (readonly string[])[];
}

export function allowedBy(side: DiffSide, pointers: readonly string[]): AllowedValues {
  const facts = factsOf(side.contract, pointers, { alternatives: 0 });
  const namers = facts.parts.filter(({ schema }) => isObject(schema.propertyNames));
  const names = namers.map(({ pointer }) => joinPointer(pointer, 'propertyNames'));
  const others = [
    { names: factsOf(side.contract, names).words, schemas: facts.others },
    ...facts.patterns.map(({ source, pointer }) => ({ names: new Map([['pattern', source]]), schemas: [pointer] })),
  ].filter(({ schemas }) => schemas.length > 0);
  const items = [facts.items, ...pointersIn(facts, 'prefixItems')].filter((all) => all.length > 0);
  const own = { ...fieldsOf(side, facts), others, items };
  if (facts.otherwise === null) return { kinds: kindsOf(facts), ...own };
  // Something contradicted the reference. Documented types were seen as well only if the recording adds to them.
  const seen = facts.parts.map((part) => ({
    ...part,
    schema: pick(part.schema, (word) => isObserved(side, joinPointer(part.pointer, word))),
  }));
  const adds = (type: string): boolean => {
    const words = ['properties', 'required', 'additionalProperties'];
    if (type === 'object') return seen.some(({ schema }) => words.some((word) => schema[word] !== undefined));
    if (type === 'array') return seen.some(({ schema }) => schema.items !== undefined);
    return type === 'string' && seen.some(({ schema }) => (schema.format ?? schema.pattern) !== undefined);
  };
  const unlike = factsOf(side.contract, [facts.otherwise]);
  const observed = seen.flatMap(({ schema }) => Object.entries(schema)).filter(([word]) => facts.words.has(word));
  const words = new Map([...observed, ...unlike.words]);
  const kinds = kindsOf({ ...unlike, words, parts: [...unlike.parts, ...seen] });
  return { kinds: [...kindsOf(facts).filter(({ type }) => adds(type)), ...kinds], ...own };
}

/** How deep required members and items are compared. */
const DEEPEST = 8;

/**
 * False if no value matches all schemas: by their types, because one forbids a field that another always has, or
 * because of that field or the items.
 */
export function isPossible(side: DiffSide, pointers: readonly string[], depth = 0): boolean {
  const facts = factsOf(side.contract, pointers, { alternatives: 0 });
  if (typesOf(facts.parts).length === 0) return false;
  const { fields, always } = fieldsOf(side, facts);
  const mayHave = (own: readonly string[]): boolean => {
    if (own.length < 2 || depth === DEEPEST) return true;
    return combinationsAt(side.contract, own)
      .take(MOST_CASES)
      .some((one) => isPossible(side, one, depth + 1));
  };
  const closed = facts.parts.filter(({ schema }) => schema.additionalProperties === false);
  const isAllowed = (name: string): boolean =>
    closed.every(
      ({ schema: { properties = {}, patternProperties } }) =>
        patternProperties !== undefined || Object.hasOwn(properties as JsonObject, name),
    );
  return mayHave(facts.items) && [...always].every((name) => isAllowed(name) && mayHave(fields.get(name) ?? []));
}

function pointersIn({ parts }: SchemaFacts, keyword: string): string[][] {
  return parts.flatMap(({ pointer, schema }) =>
    Object.keys(schema[keyword] ?? {}).map((key) => [joinPointer(pointer, keyword, key)]),
  );
}

function isObserved({ contract }: DiffSide, pointer: string): boolean {
  return contract.provenanceOf(pointer) === 'observed';
}

function kindsOf(facts: SchemaFacts): AllowedKind[] {
  const { types, values } = facts;
  if (values === null) return types.map((type) => ({ type, facts }));
  return values
    .map((value) => ({ type: typeOf(value), value, facts }))
    .filter(({ type }) => types.length === 0 || admits(types, type));
}

/** For a recording, a documented field counts only if the recording shows it or the reference requires it. */
function fieldsOf(side: DiffSide, { properties, required }: SchemaFacts): Pick<AllowedValues, 'fields' | 'always'> {
  const always = new Set(required.keys());
  const fields = new Map<string, readonly string[]>();
  for (const [name, own] of properties) {
    const seen = seenOf(side, own);
    if (own.some((pointer) => side.contract.at(joinPointer(pointer, 'x-always-there')) === true)) always.add(name);
    if (seen !== undefined && seen.in === seen.of) always.add(name);
    else if (seen !== undefined) always.delete(name);
    const isTold = !side.recording || own.some((pointer) => isObserved(side, pointer));
    if ((isTold && seen?.in !== 0) || always.has(name)) fields.set(name, own);
  }
  for (const name of always) if (!fields.has(name)) fields.set(name, []);
  return { fields, always };
}

/** How many places have the field. Undefined if all have it; `x-seen` then counts something else. */
function seenOf({ contract }: DiffSide, pointers: readonly string[]): JsonObject | undefined {
  const seen = pointers.map((pointer) => contract.at(joinPointer(pointer, 'x-seen')));
  return seen.filter(isObject).find((numbers) => numbers.of !== undefined);
}

const MOST_CASES = 100;

/** The values that schemas allow, as a shape. An optional field counts as seen in one of 100 objects. */
export function shapeBySchemas(contract: Contract, pointers: readonly string[], depth = 0, share = 1): Shape {
  const shape = createShape();
  const side = { contract, recording: false };
  for (const one of combinationsAt(contract, pointers).take(MOST_CASES)) {
    const { kinds, fields, always, items } = allowedBy(side, one);
    for (const { type } of kinds as readonly { readonly type: JsonType }[]) {
      shape.types.set(type, countOf(shape, type) + share);
    }
    if (depth > DEEPEST_TOLD) continue;
    if (shape.types.has('object')) {
      for (const [name, own] of fields) {
        const field = shape.fields.get(name) ?? createShape();
        shape.fields.set(name, field);
        const part = always.has(name) ? share : share / 100;
        if (fields.size <= MOST_FIELDS) merge(field, shapeBySchemas(contract, own, depth + 1, part));
      }
    }
    for (const item of shape.types.has('array') ? items : []) {
      shape.items ??= createShape();
      merge(shape.items, shapeBySchemas(contract, item, depth + 1, share));
    }
  }
  return shape;
}
