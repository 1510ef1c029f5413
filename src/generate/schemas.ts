/** The schemas of the bundle under names, and in other forms: published, exact, and for one currency. */

import { expandedSize } from '../contract/expanded-size.ts';
import { maximaIn } from '../contract/limits.ts';
import { isObject, type Json, type JsonObject } from '../schema/json.ts';
import { ASSERTIONS } from '../schema/keywords.ts';
import { pick } from '../schema/schema-facts.ts';
import { kindOfChild, visitSchemas } from '../schema/structure.ts';
import { parseFragment } from '../text/pointer.ts';
import { DATE_TIME } from './date-time.ts';

export const COMPONENT = '#/components/schemas/';

export interface NamedSchema {
  readonly key: string;
  readonly name: string;
  readonly file: string;
  /** First part of its `$id`. */
  readonly urn: string;
  readonly schema: JsonObject;
  /** True if each schema published with those that it refers to would be too large. References leave it then. */
  readonly isLarge: boolean;
}

/** Names that generated modules use: files in lower case, types, and globals that compiled validators call. */
const TAKEN = new Set(
  [
    ['index', 'types', 'all', 'by-name', 'Shape', 'Json', 'Operations', 'OperationId', 'LocatedOperationId', 'Record'],
    ['CheckResult', 'CurrencyValidator', 'JsonSchema', 'Problem', 'Reading', 'ValidationError', 'Validator'],
    ['Array', 'Boolean', 'Error', 'JSON', 'Map', 'Math', 'Number', 'Object', 'RegExp', 'Set', 'String', 'Symbol'],
  ].flatMap((names) => names.map(kebab)),
);

/** The component schemas of a bundled document in its order, then other referenced schemas. Each has a unique name. */
export function componentSchemas(document: JsonObject, owner = 'banking-api-contract'): readonly NamedSchema[] {
  const { schemas } = (document.components ?? {}) as JsonObject;
  const found = new Map<string, Json>(Object.entries(isObject(schemas) ? schemas : {}));
  visitSchemas(document, ({ $ref }) => {
    const key = typeof $ref === 'string' ? $ref.replace(COMPONENT, '') : '';
    if (key === '' || found.has(key)) return;
    const segments = parseFragment(String($ref).slice(1)) ?? [];
    found.set(
      key,
      segments.reduce<Json>((node, segment) => (node as JsonObject)[segment] ?? true, document),
    );
  });
  const sizes = found
    .values()
    .map((schema) => expandedSize(schema, (reference) => found.get(reference.replace(COMPONENT, ''))));
  const isLarge = sizes.reduce((sum, size) => sum + size, 0) > LARGEST;
  const files = new Set(TAKEN);
  return [...found].map(([key, schema]) => {
    const plain = codeName(key) || 'Schema';
    let name = plain;
    for (let number = 2; modulesOf(name).some((file) => files.has(file)); number += 1) name = `${plain}_${number}`;
    for (const file of modulesOf(name)) files.add(file);
    // a reference may name a node that is no schema; such a part is not judged
    const whole = isObject(schema) ? schema : schema === false ? { not: {} } : {};
    return { key, name, file: kebab(name), urn: `urn:${owner}:schemas:`, schema: whole, isLarge };
  });
}

/** A schema called `UserLight` needs another name beside `User`. */
function modulesOf(name: string): string[] {
  return [kebab(name), `${kebab(name)}-light`];
}

function codeName(key: string): string {
  const words = key.split(/[^A-Za-z0-9]+/).map((word) => word.replace(/^[a-z]/, (letter) => letter.toUpperCase()));
  return words
    .join('')
    .replace(/\d+[a-z]/g, (text) => text.toUpperCase())
    .replace(/^(?=\d)/, '_');
}

export function kebab(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}

/** `exact`: an object has only the fields that its schema names. `open`: exact below, but not at the top. */
export type ReadingName = 'tolerant' | 'exact' | 'open';

/** The text of a reference to another schema. */
type Write = (named: NamedSchema, reading: ReadingName) => string;

/**
 * A schema to publish: references point to its own `$defs`. `x-` keywords, which strict validators reject, become a
 * `$comment`.
 */
export function publishable(
  { name, file, urn, schema }: NamedSchema,
  all: readonly NamedSchema[],
  reading: ReadingName = 'tolerant',
  variant = '',
): JsonObject {
  const wanted = new Map<string, readonly [NamedSchema, ReadingName]>();
  const write: Write = (named, other) => {
    if (named.isLarge) return named.urn + named.file + (other === 'exact' ? ':exact' : '');
    const key = other === reading ? named.name : `${named.name}:${other}`;
    wanted.set(key, [named, other]);
    return `#/$defs/${key}`;
  };
  const published = (from: Json, other: ReadingName): Json => withoutExtensions(readingOf(from, other, all, write));
  const root = asObject(published(schema, reading), name);
  const defs: Record<string, Json> = {};
  for (const [key, [named, other]] of wanted) defs[key] = published(named.schema, other);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${urn}${file}${variant}`,
    ...root,
    ...(wanted.size > 0 ? { $defs: defs } : {}),
  };
}

function withoutExtensions(schema: Json): Json {
  return mapSchema(schema, (node) => {
    const all = Object.entries(node.format === 'date-time' ? withDateTime(node) : node);
    const kept = all.filter(([keyword]) => !keyword.startsWith('x-') && keyword !== 'example');
    const comment = [
      typeof node['x-reference'] === 'string' ? `API reference, ${node['x-reference']}` : '',
      typeof node['x-since'] === 'string' ? `since ${node['x-since']}` : '',
    ].filter(Boolean);
    return { ...Object.fromEntries(kept), ...(comment.length > 0 && { $comment: comment.join('; ') }) };
  });
}

function withDateTime({ format, allOf, ...node }: JsonObject): JsonObject {
  return { ...node, allOf: [...[allOf ?? []].flat(), DATE_TIME] };
}

/** Code would contain the other keywords. */
export function assertionsIn(schema: Json): Json {
  return mapSchema(schema, (node) => pick(node, (word) => ASSERTIONS.includes(word)));
}

/** Keywords whose schemas judge the same value as the schema around them. They name its fields together. */
const IN_PLACE: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'then', 'else', 'dependentSchemas'];
/** Keywords whose schemas only ask about a value. */
const ASKING: readonly string[] = ['not', 'if', 'contains', 'propertyNames'];

/** A schema under a reading, with its references in place. Only objects that name fields are closed. */
export function readingOf(schema: Json, reading: ReadingName, all: readonly NamedSchema[], write: Write): Json {
  if (!isObject(schema)) return schema;
  const { $ref, ...rest } = schema;
  const target = typeof $ref === 'string' ? find(all, $ref) : undefined;
  // fields that only the target names are closed there
  const closes = reading === 'exact' && namesFields(rest, all);
  const isCombined = target !== undefined || IN_PLACE.some((keyword) => schema[keyword] !== undefined);
  const read = withParts(schema, (part, keyword) => {
    const inPlace = IN_PLACE.includes(keyword) ? 'open' : 'exact';
    return readingOf(part, reading === 'tolerant' || ASKING.includes(keyword) ? 'tolerant' : inPlace, all, write);
  });
  return {
    ...read,
    ...(target && { $ref: write(target, closes ? 'open' : reading) }),
    ...(closes && { [isCombined ? 'unevaluatedProperties' : 'additionalProperties']: false }),
  };
}

function namesFields(schema: Json, all: readonly NamedSchema[], seen: Set<Json> = new Set()): boolean {
  if (!isObject(schema) || seen.has(schema)) return false;
  seen.add(schema);
  const { $ref, properties } = schema;
  const parts = IN_PLACE.flatMap((keyword) => {
    const part = schema[keyword];
    return keyword === 'dependentSchemas' ? Object.values(part ?? {}) : [part ?? []].flat();
  });
  if (typeof $ref === 'string') parts.push(find(all, $ref).schema);
  return isObject(properties) || parts.some((part) => namesFields(part, all, seen));
}

/** Number of nodes above which a published schema does not contain the schemas that it refers to. */
const LARGEST = 10_000;

/** In the order of the schema. */
export function currenciesOf(schema: JsonObject): readonly string[] {
  const found = new Set<string>();
  mapSchema(schema, (node) => {
    for (const currency of Object.keys(maximaIn(node) ?? {})) found.add(currency);
    return node;
  });
  return [...found];
}

export function forCurrency(schema: JsonObject, currency: string): JsonObject {
  const mapped = mapSchema(schema, (node) => {
    const maximum = maximaIn(node)?.[currency];
    return maximum === undefined ? node : { ...node, maximum };
  });
  return asObject(mapped, 'schema');
}

function find(all: readonly NamedSchema[], reference: string): NamedSchema {
  const key = reference.replace(COMPONENT, '');
  const found = all.find((candidate) => candidate.key === key);
  if (!found) throw new Error(`no schema is named ${key}`);
  return found;
}

/** From the leaves up. Data (for instance examples) does not change. */
function mapSchema(schema: Json, change: (node: JsonObject) => Json): Json {
  return isObject(schema) ? change(withParts(schema, (part) => mapSchema(part, change))) : schema;
}

/** The schema with other schemas directly inside it. */
function withParts(schema: JsonObject, change: (part: Json, keyword: string) => Json): JsonObject {
  const parts = Object.entries(schema).map(([keyword, value]): [string, Json] => {
    const inside = (part: Json): Json => change(part, keyword);
    const kind = kindOfChild('schema', keyword);
    if (kind === 'schema') return [keyword, inside(value)];
    if (kind === 'list:schema' && Array.isArray(value)) return [keyword, value.map(inside)];
    if (kind !== 'map:schema' || !isObject(value)) return [keyword, value];
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inside(member)]))];
  });
  return Object.fromEntries(parts);
}

function asObject(value: unknown, what: string): JsonObject {
  if (!isObject(value)) throw new Error(`${what} is not an object`);
  return value;
}
