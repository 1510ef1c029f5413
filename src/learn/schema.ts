import { ONLY_WHEN } from '../contract/conditions.ts';
import type { Contract, Json, JsonObject } from '../contract/contract.ts';
import { factsOf, type SchemaFacts } from '../contract/schema-facts.ts';
import { compare } from '../judge/findings.ts';
import { countOf, createShape, type JsonType, merge, type Shape, timesSeen } from '../judge/shape.ts';
import { areCodes, FORMS, formKeyword, isQuantity, looksLikeId } from '../judge/strings.ts';
import { joinPointer } from '../pointer.ts';

/** What is documented of one place: it is not said again, so that one change is one finding. */
export type Documented = SchemaFacts;

/** What the documented schemas at some pointers say together; undefined where nothing is documented. */
export function documentedAt(contract: Contract, pointers: readonly string[]): Documented | undefined {
  const facts = factsOf(contract, pointers, { known: 'documented', alternatives: 0 });
  return facts.parts.length === 0 ? undefined : facts;
}

function says(known: Documented | undefined, ...words: readonly string[]): boolean {
  return known?.parts.some(({ schema }) => words.some((word) => schema[word] !== undefined)) === true;
}

function saysForm(known: Documented | undefined): boolean {
  return says(known, 'format', 'pattern', 'enum', 'const');
}

/** The description that a recording writes where there is none. */
export const OBSERVED = 'Observed.';

/** Beside what is documented: the types or the form that were seen in place of it. */
const CONTRADICTS = 'x-contradicts-reference';

/** On a field that is documented for some cases only, and was always there: not required, because the other cases are none of drift. */
const ALWAYS_THERE = 'x-always-there';

export interface SchemaOptions {
  readonly contract: Contract;
  /** True of a key that is a value (an id of this run, a secret) beside what looks like one anyway. */
  readonly isValue: (key: string) => boolean;
  /** Whether a field of this name holds secrets. */
  readonly isSecret: (field: string) => boolean;
  /** Learn the words of fields that have few of them. */
  readonly enums: boolean;
  /** Where the documented fields of a list's item belong, and how they are referred to. */
  readonly item?: ItemPlace | undefined;
}

/** Place of the items in the body (`/items/*`), what is documented of one, and the reference that is written there. */
export interface ItemPlace {
  readonly at: string;
  readonly known: Documented | undefined;
  /** Null where the loader merges the documented schema in by itself. */
  readonly ref: string | null;
}

/**
 * JSON Schema (2020-12) of what was seen: types, forms, fields and which of them were always there; never a value. What is documented
 * is left out. Empty where that leaves nothing.
 */
export function schemaOf(shape: Shape, known: Documented | undefined, options: SchemaOptions): JsonObject {
  return write(shape, { field: '', at: '', known, options });
}

interface FieldContext {
  /** Name of the field, or of the list that the items are of. */
  readonly field: string;
  readonly at: string;
  readonly known: Documented | undefined;
  readonly options: SchemaOptions;
}

function write(shape: Shape, context: FieldContext): JsonObject {
  const { known, options, field } = context;
  return {
    ...typeKeyword(shape, context),
    ...contradiction(shape, context),
    ...(saysForm(known) || countOf(shape, 'string') === 0 ? {} : formKeyword(shape.forms, field)),
    ...(options.enums && !saysForm(known) ? enumKeyword(shape, context) : {}),
    ...objectKeywords(shape, context),
    ...itemsKeyword(shape, context),
  };
}

const ORDER: readonly JsonType[] = ['boolean', 'integer', 'number', 'string', 'array', 'object', 'null'];

function typeKeyword(shape: Shape, { field, known }: FieldContext): JsonObject {
  if (says(known, 'type')) return {};
  const seen = new Set(shape.types.keys());
  // A field that never held anything has no type yet; whatever comes is no change.
  if (seen.size === 1 && seen.has('null')) return { 'x-only-null': true };
  if (seen.has('integer') && (seen.has('number') || isQuantity(field))) {
    seen.delete('integer');
    seen.add('number');
  }
  const types = ORDER.filter((type) => seen.has(type));
  return types.length === 0 ? {} : { type: types.length === 1 ? (types[0] ?? '') : types };
}

/**
 * What is documented is not recorded otherwise: that stays a contradiction. It is noted, so that a comparison without a network finds
 * it too.
 */
function contradiction(shape: Shape, { known, field }: FieldContext): JsonObject {
  if (known === undefined) return {};
  const fits = (type: string): boolean => known.types.includes(type) || (type === 'integer' && fits('number'));
  const types = says(known, 'type') ? ORDER.filter((type) => shape.types.has(type) && !fits(type)) : [];
  if (types.length > 0) return { [CONTRADICTS]: { type: types.length === 1 ? (types[0] ?? '') : types } };
  const texts = countOf(shape, 'string') > 0;
  const format = FORMS.find((form) => form === known.words.get('format'));
  if (!texts || format === undefined || shape.forms.has(format)) return {};
  return { [CONTRADICTS]: { type: 'string', ...formKeyword(shape.forms, field) } };
}

/** Words only: neither names nor ids nor texts, and each seen often enough that a further one would be news. */
function enumKeyword(shape: Shape, { field, options }: FieldContext): JsonObject {
  const { texts } = shape;
  const count = countOf(shape, 'string');
  if (texts === null || texts.size < 2 || count < 6 || count < 3 * texts.size) return {};
  if (options.isSecret(field) || NO_WORDS.test(field) || shape.forms.size > 0) return {};
  const words = [...texts].sort(compare);
  if (!words.every((word) => /^[A-Za-z][A-Za-z0-9_-]*$/.test(word) && !looksLikeId(word) && !options.isValue(word))) {
    return {};
  }
  return { enum: countOf(shape, 'null') > 0 ? [...words, null] : words };
}

const NO_WORDS =
  /(?:name|alias|label|title|text|description|note|comment|reference|city|street|address|holder|owner|user|login|mail|id|key|number|no)$/i;

function objectKeywords(shape: Shape, context: FieldContext): JsonObject {
  const objects = countOf(shape, 'object');
  if (objects === 0) return {};
  const { known, at, options } = context;
  const names = [...shape.fields.keys()].sort(compare);
  const fieldOf = (name: string): Documented | undefined =>
    documentedAt(options.contract, known?.properties.get(name) ?? []);
  const keys = new Set(keysOf(shape, names, options).filter((name) => fieldOf(name) === undefined));
  const required: string[] = [];
  const properties: [string, Json][] = [];
  for (const name of names) {
    const child = shape.fields.get(name);
    if (child === undefined || keys.has(name)) continue;
    const documented = fieldOf(name);
    const schema = write(child, { field: name, at: joinPointer(at, name), known: documented, options });
    const seen = timesSeen(child);
    const always = seen === objects;
    const isRequired = known?.required.has(name) === true;
    const isConditional = says(documented, ONLY_WHEN);
    if (always && !isRequired && !isConditional) required.push(name);
    // Whether a documented condition holds for the next item of a list is not known; of one thing it was seen.
    if (always && isConditional && !at.includes('/*')) {
      properties.push([name, { ...schema, [ALWAYS_THERE]: true }]);
      continue;
    }
    // What is documented is named where nothing else tells that it was there.
    const isTold = always && (isRequired || !isConditional);
    if (isTold && documented !== undefined && Object.keys(schema).length === 0) continue;
    properties.push([name, isTold ? schema : withSeen(schema, seen, objects)]);
  }
  // What holds for all other keys must not hold for the documented ones, which stand in a schema beside this one.
  const beside = keys.size === 0 ? [] : [...(known?.properties.keys() ?? [])].filter((name) => !isIn(properties, name));
  for (const name of beside) properties.push([name, {}]);
  properties.sort(([a], [b]) => compare(a, b));
  return {
    ...(required.length > 0 ? { required } : {}),
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(keys.size > 0 ? { additionalProperties: mapValues(shape, [...keys], context) } : {}),
  };
}

function isIn(properties: readonly (readonly [string, Json])[], name: string): boolean {
  return properties.some(([one]) => one === name);
}

function withSeen(schema: JsonObject, seen: number, of: number): JsonObject {
  const { type, format, pattern, ...rest } = schema;
  const first = Object.fromEntries(Object.entries({ type, format, pattern }).filter(([, word]) => word !== undefined));
  return { ...(first as JsonObject), 'x-seen': { in: seen, of }, ...rest };
}

/** Keys that are values: by their looks, or because they come and go while what they hold is alike. */
function keysOf(shape: Shape, names: readonly string[], options: SchemaOptions): readonly string[] {
  if (areCodes(names) || comeAndGo(shape, names)) return names;
  return names.filter((name) => looksLikeId(name) || options.isValue(name));
}

function comeAndGo(shape: Shape, names: readonly string[]): boolean {
  const objects = countOf(shape, 'object');
  if (objects < 3 || names.length < 4 || names.length < objects) return false;
  const fields = [...shape.fields.values()];
  if (fields.some((field) => timesSeen(field) > objects / 2)) return false;
  const types = (field: Shape): string => [...field.types.keys()].sort().join();
  return new Set(fields.map(types)).size === 1;
}

function mapValues(shape: Shape, keys: readonly string[], { field, at, options }: FieldContext): JsonObject {
  const all = createShape();
  for (const key of keys) {
    const value = shape.fields.get(key);
    if (value !== undefined) merge(all, value);
  }
  return write(all, { field, at: `${at}/*`, known: undefined, options });
}

function itemsKeyword(shape: Shape, { field, at, known, options }: FieldContext): JsonObject {
  if (shape.items === null) return {};
  const place = `${at}/*`;
  const item = options.item?.at === place ? options.item : undefined;
  const documented = known && documentedAt(options.contract, known.items);
  const schema = write(shape.items, { field, at: place, known: item?.known ?? documented, options });
  const empty = Object.keys(schema).length === 0;
  if (item?.ref != null) return { items: empty ? { $ref: item.ref } : { allOf: [{ $ref: item.ref }, schema] } };
  return empty && documented !== undefined ? {} : { items: schema };
}
