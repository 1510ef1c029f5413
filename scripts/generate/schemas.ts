/** The schemas of the bundle in the forms in which others need them: to publish, to compile, exact, and for a currency. */
import type { Json, JsonObject } from '../../src/spec/contract.ts';
import { maximaIn } from '../../src/spec/limits.ts';
import { asObject, isObject } from './json.ts';

const COMPONENT = '#/components/schemas/';

/** Keywords that say something to people and nothing to a validator. `examples` stay: the predicate tries them first. */
const ANNOTATIONS = new Set([
  'title',
  'description',
  'default',
  'example',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
]);

/** Keywords whose value is a map of names to schemas. */
const MAPS = new Set(['properties', '$defs', 'patternProperties', 'dependentSchemas']);
/** Keywords whose value is data. */
const DATA = new Set(['enum', 'const', 'default', 'example', 'examples', 'required', 'type']);

export interface NamedSchema {
  readonly name: string;
  /** File name without ending, `issue-new-card-request`. */
  readonly file: string;
  readonly schema: JsonObject;
}

/** The component schemas of a bundled document, in its order. */
export function componentSchemas(document: JsonObject): readonly NamedSchema[] {
  const schemas = asObject(asObject(document.components, 'components').schemas, 'components.schemas');
  return Object.entries(schemas).map(([name, schema]) => ({ name, file: kebab(name), schema: asObject(schema, name) }));
}

export function kebab(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}

/**
 * A schema to publish: references lead to its own `$defs`, and our `x-` keywords, at which strict validators stop,
 * have become a `$comment`.
 */
export function publishable(named: NamedSchema, all: readonly NamedSchema[], variant = ''): JsonObject {
  const wanted = new Set<string>();
  const rewritten = asObject(rewrite(named.schema, wanted), named.name);
  const defs: Record<string, Json> = {};
  for (const name of wanted) defs[name] = rewrite(find(all, name).schema, wanted);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:banking-api-contract:schemas:${named.file}${variant}`,
    ...rewritten,
    ...(wanted.size > 0 ? { $defs: defs } : {}),
  };
}

function rewrite(schema: Json, wanted: Set<string>): Json {
  return mapSchema(schema, (node) => {
    const out: Record<string, Json> = {};
    for (const [keyword, value] of Object.entries(node)) {
      if (keyword === '$ref') {
        const name = String(value).replace(COMPONENT, '');
        wanted.add(name);
        out.$ref = `#/$defs/${name}`;
      } else if (!keyword.startsWith('x-') && keyword !== 'example') out[keyword] = value;
    }
    const comment = [
      typeof node['x-reference'] === 'string' ? `API reference, ${node['x-reference']}` : '',
      typeof node['x-since'] === 'string' ? `since ${node['x-since']}` : '',
    ].filter(Boolean);
    return comment.length > 0 ? { ...out, $comment: comment.join('; ') } : out;
  });
}

/** A schema to compile: references replaced by what they lead to, annotations and `x-` keywords gone. */
export function compilable(
  schema: JsonObject,
  all: readonly NamedSchema[],
  through: readonly string[] = [],
): JsonObject {
  const mapped = mapSchema(schema, (node) => {
    const rest = Object.fromEntries(
      Object.entries(node).filter(
        ([keyword]) => keyword !== '$ref' && !keyword.startsWith('x-') && !ANNOTATIONS.has(keyword),
      ),
    );
    if (typeof node.$ref !== 'string') return rest;
    const name = node.$ref.replace(COMPONENT, '');
    if (through.includes(name))
      throw new Error(`${name} contains itself: the generator does not know how to compile that`);
    const target = compilable(find(all, name).schema, all, [...through, name]);
    return Object.keys(rest).length === 0 ? target : { allOf: [target, rest] };
  });
  return asObject(mapped, 'schema');
}

/** The exact reading: no object whose fields the schema names may have another. */
export function exact(schema: JsonObject): JsonObject {
  return asObject(
    mapSchema(schema, (node) => {
      if (node.allOf || node.anyOf || node.oneOf)
        throw new Error('the generator has no exact reading of combined schemas');
      return isObject(node.properties) ? { ...node, additionalProperties: false } : node;
    }),
    'schema',
  );
}

/** The currencies for which some field of the schema has a maximum, in the order in which they are named. */
export function currenciesOf(schema: JsonObject): readonly string[] {
  const found = new Set<string>();
  mapSchema(schema, (node) => {
    for (const currency of Object.keys(maximaIn(node) ?? {})) found.add(currency);
    return node;
  });
  return [...found];
}

/** The schema with the maxima of one currency. */
export function forCurrency(schema: JsonObject, currency: string): JsonObject {
  const mapped = mapSchema(schema, (node) => {
    const maximum = maximaIn(node)?.[currency];
    return maximum === undefined ? node : { ...node, maximum };
  });
  return asObject(mapped, 'schema');
}

function find(all: readonly NamedSchema[], name: string): NamedSchema {
  const found = all.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`no schema is named ${name}`);
  return found;
}

/** Rebuilds a schema from its leaves up; data such as examples is left alone. */
function mapSchema(schema: Json, change: (node: JsonObject) => Json): Json {
  if (Array.isArray(schema)) return schema.map((item) => mapSchema(item, change));
  if (!isObject(schema)) return schema;
  const out: Record<string, Json> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (DATA.has(keyword) || keyword.startsWith('x-')) out[keyword] = value;
    else if (MAPS.has(keyword) && isObject(value)) {
      out[keyword] = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapSchema(item, change)]));
    } else out[keyword] = mapSchema(value, change);
  }
  return change(out);
}
