/** The schemas of the bundle in other forms: published, compilable, exact, and for one currency. */
import type { Json, JsonObject } from '../contract/contract.ts';
import { expandedSize } from '../contract/expanded-size.ts';
import { maximaIn } from '../contract/limits.ts';
import { isObject } from '../contract/schema-facts.ts';
import { kindOfChild, visitSchemas } from '../contract/structure.ts';
import { regExpOf } from '../patterns/pattern.ts';
import { parseFragment } from '../text/pointer.ts';

export const COMPONENT = '#/components/schemas/';

/** Keywords that do not affect validation. References are by component, so other names of a schema are not needed. */
const ANNOTATIONS = new Set([
  '$id',
  '$anchor',
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
  'discriminator',
  'externalDocs',
  'xml',
]);

export interface NamedSchema {
  readonly key: string;
  readonly name: string;
  readonly file: string;
  /** First part of its `$id`. */
  readonly urn: string;
  readonly schema: JsonObject;
  /** True if all schemas with their references written out would be too large. Then they are compiled together. */
  readonly isLinked: boolean;
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
  const isLinked = sizes.reduce((sum, size) => sum + size, 0) > LARGEST;
  const files = new Set(TAKEN);
  return [...found].map(([key, schema]) => {
    const plain = codeName(key) || 'Schema';
    let name = plain;
    for (let number = 2; modulesOf(name).some((file) => files.has(file)); number += 1) name = `${plain}_${number}`;
    for (const file of modulesOf(name)) files.add(file);
    const whole = schema === true ? {} : schema === false ? { not: {} } : schema;
    return { key, name, file: kebab(name), urn: `urn:${owner}:schemas:`, schema: asObject(whole, key), isLinked };
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

/**
 * A schema to publish: references point to its own `$defs`. `x-` keywords, which strict validators reject, become a
 * `$comment`.
 */
export function publishable(named: NamedSchema, all: readonly NamedSchema[], variant = ''): JsonObject {
  const wanted = new Set<string>();
  const rewritten = asObject(rewrite(named.schema, wanted, all), named.name);
  const defs: Record<string, Json> = {};
  for (const key of wanted) {
    const { name, schema } = find(all, key);
    defs[name] = rewrite(schema, wanted, all);
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${named.urn}${named.file}${variant}`,
    ...rewritten,
    ...(wanted.size > 0 ? { $defs: defs } : {}),
  };
}

function rewrite(schema: Json, wanted: Set<string>, all: readonly NamedSchema[]): Json {
  return mapSchema(schema, (node) => {
    const out: Record<string, Json> = {};
    for (const [keyword, value] of Object.entries(node)) {
      if (keyword === '$ref') {
        const key = String(value).replace(COMPONENT, '');
        const { urn, file, name, isLinked } = find(all, key);
        if (!isLinked) wanted.add(key);
        out.$ref = isLinked ? urn + file : `#/$defs/${name}`;
      } else if (!keyword.startsWith('x-') && keyword !== 'example') out[keyword] = value;
    }
    const comment = [
      typeof node['x-reference'] === 'string' ? `API reference, ${node['x-reference']}` : '',
      typeof node['x-since'] === 'string' ? `since ${node['x-since']}` : '',
    ].filter(Boolean);
    return comment.length > 0 ? { ...out, $comment: comment.join('; ') } : out;
  });
}

/**
 * A schema to compile: references are inlined, annotations and `x-` keywords removed. Recursive schemas are in `$defs`.
 * The only format that is checked is `date-time` (JSON Schema 2020-12, Validation 7.2.1).
 *
 * @param link makes of the key of a schema the reference that stays
 */
export function compilable(
  schema: JsonObject,
  all: readonly NamedSchema[],
  link?: (key: string) => JsonObject,
): JsonObject {
  const recursive = new Set<string>();
  const inline = (node: JsonObject, through: readonly string[]): JsonObject =>
    asObject(
      mapSchema(node, (each) => {
        const rest = Object.fromEntries(Object.entries(each).filter(isJudged));
        if (typeof each.$ref !== 'string') return rest;
        const key = each.$ref.replace(COMPONENT, '');
        const again = link ?? (through.includes(key) ? named : undefined);
        const target = again?.(key) ?? inline(find(all, key).schema, [...through, key]);
        return Object.keys(rest).length === 0 ? target : { allOf: [target, rest] };
      }),
      'schema',
    );
  const named = (key: string): JsonObject => {
    recursive.add(key);
    return { $ref: `#/$defs/${find(all, key).name}` };
  };
  const root = inline(schema, []);
  const $defs: Record<string, Json> = {};
  for (const key of recursive) $defs[find(all, key).name] = inline(find(all, key).schema, [key]);
  return recursive.size === 0 ? root : { ...root, $defs };
}

/** Number of nodes above which schemas keep their references. */
const LARGEST = 10_000;

/** All schemas and their exact readings, by their names in code. Each reference is such a name. */
export function linkedSchemas(all: readonly NamedSchema[]): Readonly<Record<string, JsonObject>> {
  const places = new Map(all.map(({ key }, place) => [key, place]));
  const link = (schema: JsonObject, reading: string): JsonObject =>
    compilable(schema, all, (key) => ({ $ref: `${reading}${places.get(key)}` }));
  const tolerant = all.map(({ schema }) => link(schema, 'tolerant'));
  const targetOf = (reference: string): Json | undefined => tolerant[Number(/\d+$/.exec(reference)?.[0])];
  const variants = all.flatMap(({ schema }, place) => [
    [`${place}`, schema] as const,
    ...currenciesOf(schema).map((currency) => [`${place}${currency}`, forCurrency(schema, currency)] as const),
  ]);
  return Object.fromEntries(
    variants.flatMap(([suffix, schema]) => [
      [`tolerant${suffix}`, link(schema, 'tolerant')],
      [`exact${suffix}`, exact(link(schema, 'exact'), targetOf)],
      [`open${suffix}`, exact(link(schema, 'exact'), targetOf, true)],
    ]),
  );
}

function isJudged([keyword, value]: readonly [string, Json]): boolean {
  if (keyword === 'format') return value === 'date-time';
  if (keyword === 'pattern') return isPattern(String(value));
  return keyword !== '$ref' && !keyword.startsWith('x-') && !ANNOTATIONS.has(keyword);
}

/** Invalid patterns were reported when the contract was loaded. They are not checked. */
function isPattern(source: string): boolean {
  try {
    return regExpOf(source) !== undefined;
  } catch {
    return false;
  }
}

const COMBINING = ['allOf', 'anyOf', 'oneOf'] as const;

/**
 * The exact reading: objects have only the fields that the schema names.
 *
 * @param targetOf finds the target of a reference to another exact reading, whose open form is named `open…`
 */
export function exact(
  schema: JsonObject,
  targetOf: (reference: string) => Json | undefined = () => undefined,
  isOpen = false,
): JsonObject {
  // the parts of a combination name their fields together, so closed parts are reopened
  const opened = new WeakMap<object, JsonObject>();
  const close = (node: JsonObject, keyword: string): JsonObject => {
    const closed = { ...node, [keyword]: false };
    opened.set(closed, node);
    return closed;
  };
  const open = (part: Json): Json => {
    if (!isObject(part) || typeof part.$ref !== 'string') return isObject(part) ? (opened.get(part) ?? part) : part;
    return { ...part, $ref: part.$ref.replace(/^exact/, 'open') };
  };
  const namesFields = (node: Json | undefined, above: readonly string[] = []): boolean => {
    if (!isObject(node)) return false;
    const parts = COMBINING.flatMap((keyword) => [node[keyword] ?? []].flat());
    if (isObject(node.properties) || parts.some((part) => namesFields(part, above))) return true;
    const { $ref } = node;
    return typeof $ref === 'string' && !above.includes($ref) && namesFields(targetOf($ref), [...above, $ref]);
  };
  const change = (node: JsonObject): JsonObject => {
    const combined = COMBINING.flatMap((keyword) => {
      const parts = node[keyword];
      return Array.isArray(parts) ? [[keyword, parts.map(open)] as const] : [];
    });
    const whole = { ...node, ...Object.fromEntries(combined) };
    if (typeof node.$ref === 'string' || !namesFields(whole)) return whole;
    return close(whole, combined.length > 0 ? 'unevaluatedProperties' : 'additionalProperties');
  };
  const whole = mapSchema(schema, change);
  return asObject(isOpen ? open(whole) : whole, 'schema');
}

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

function find(all: readonly NamedSchema[], key: string): NamedSchema {
  const found = all.find((candidate) => candidate.key === key);
  if (!found) throw new Error(`no schema is named ${key}`);
  return found;
}

/** From the leaves up. Data (for instance examples) does not change. */
function mapSchema(schema: Json, change: (node: JsonObject) => Json): Json {
  if (!isObject(schema)) return schema;
  const inside = (value: Json): Json => mapSchema(value, change);
  const parts = Object.entries(schema).map(([keyword, value]): [string, Json] => {
    const kind = kindOfChild('schema', keyword);
    if (kind === 'schema') return [keyword, inside(value)];
    if (kind === 'list:schema' && Array.isArray(value)) return [keyword, value.map(inside)];
    if (kind !== 'map:schema' || !isObject(value)) return [keyword, value];
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inside(member)]))];
  });
  return change(Object.fromEntries(parts));
}

function asObject(value: unknown, what: string): JsonObject {
  if (!isObject(value)) throw new Error(`${what} is not an object`);
  return value;
}
