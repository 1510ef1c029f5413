import { patternOf } from '../patterns/pattern.ts';
import { joinPointer, pointerOfReference } from '../text/pointer.ts';
import { isObject, type Json, type JsonObject, listOf, objectOf } from './json.ts';
import { type Provenance, remembered, type SchemaDocument } from './schema-document.ts';

/** What some schemas of a document say together about one value: a node of the graph of schemas. */
export interface SchemaFacts {
  readonly pointers: readonly string[];
  readonly types: readonly string[];
  readonly words: ReadonlyMap<string, Json>;
  readonly values: readonly Json[] | null;
  readonly properties: ReadonlyMap<string, readonly string[]>;
  /** The `required` entry of each field, by name. Empty for an entry of an alternative, which need not apply. */
  readonly required: ReadonlyMap<string, string>;
  /** The fields that every value needs. */
  readonly demanded: ReadonlyMap<string, string>;
  readonly patterns: readonly { readonly source: string; readonly pointer: string }[];
  readonly items: readonly string[];
  /** Number of items that `prefixItems` describes one by one. */
  readonly listed: number;
  readonly others: readonly string[];
  readonly namers: ReadonlySet<Provenance>;
  /** The schemas that name fields, or refer to them. */
  readonly naming: readonly string[];
  readonly parts: readonly SchemaPart[];
  readonly otherwise: string | null;
  /** The same reading of other schemas. */
  at(pointers: readonly string[]): SchemaFacts;
  member(name: string): SchemaFacts;
  /** The schemas of a member that no property names. */
  unnamed(name: string): readonly string[];
  /** The node of an item of a list, or of a member of an object. */
  child(container: unknown, key: string): SchemaFacts;
  /** A word that applies to every value, as the schema nearest to the pointers states it. */
  stated(word: string): { readonly value: Json; readonly pointer: string } | undefined;
}

export interface FactsOptions {
  /** `true` ignores assumptions, and `'documented'` uses documented facts only. */
  readonly known?: boolean | 'documented';
  /** The number of branches that count per choice; 1 by default. */
  readonly alternatives?: number;
  /** Index of the first branch that counts in each choice, from 0, modulo their number. */
  readonly branch?: number;
}

const BOUNDS: ReadonlyMap<string, (...all: number[]) => number> = new Map([
  ...['minimum', 'exclusiveMinimum', 'minLength'].map((word) => [word, Math.max] as const),
  ...['maximum', 'exclusiveMaximum', 'maxLength'].map((word) => [word, Math.min] as const),
]);

const PLAIN = ['format', 'pattern', 'multipleOf', ...BOUNDS.keys()];

const known = remembered(() => new Map<string, SchemaFacts>());

/** The node of the schemas at some pointers of the bundle. Each is read once, on first use. */
export function factsOf(
  document: SchemaDocument,
  pointers: readonly string[],
  options: FactsOptions = {},
): SchemaFacts {
  const nodes = known(document);
  const key = [options.known, options.alternatives, options.branch, ...pointers].join('\n');
  const node = nodes.get(key) ?? read(document, pointers, options);
  nodes.set(key, node);
  return node;
}

/** The node with every branch of each choice. */
export function describe(document: SchemaDocument, pointers: readonly string[]): SchemaFacts {
  return factsOf(document, pointers, ALL);
}

const NONE: readonly string[] = [];
const ALL: FactsOptions = { alternatives: Number.POSITIVE_INFINITY };

function read(document: SchemaDocument, pointers: readonly string[], options: FactsOptions): SchemaFacts {
  const counts = (pointer: string): boolean => {
    if (!options.known) return true;
    const provenance = document.provenanceOf(pointer);
    return options.known === 'documented' ? provenance === options.known : provenance !== 'assumed';
  };
  const words = new Map<string, Json>();
  const properties = new Map<string, string[]>();
  const required = new Map<string, string>();
  const patterns: { source: string; pointer: string }[] = [];
  const items: string[] = [];
  const others: string[] = [];
  const namers = new Set<Provenance>();
  let otherwise: string | null = null;
  let types: readonly string[] | null = null;
  let values: readonly Json[] | null = null;
  const parts = partsOf(document, pointers, options, counts);
  let listed = 0;
  const isOneChoice = (options.alternatives ?? 1) <= 1;
  for (const { pointer, schema, binding } of parts) {
    if (schema.type !== undefined)
      types = narrowed(types, (Array.isArray(schema.type) ? schema.type : [schema.type]) as string[]);
    if (isObject(schema['x-contradicts-reference'])) otherwise = joinPointer(pointer, 'x-contradicts-reference');
    if (schema['x-only-null'] === true) types = narrowed(types, ['null']);
    if (schema.const !== undefined) values = [schema.const];
    else if (Array.isArray(schema.enum)) values ??= schema.enum as readonly Json[];
    for (const word of PLAIN) {
      const [before, value, narrow] = [words.get(word), schema[word], BOUNDS.get(word)];
      if (before === undefined && value !== undefined) words.set(word, value);
      // bounds of alternatives do not apply together
      else if (narrow && (binding || isOneChoice) && typeof before === 'number' && typeof value === 'number')
        words.set(word, narrow(before, value));
    }
    for (const [index, name] of listOf(schema.required).entries()) {
      const source = joinPointer(pointer, 'required', index);
      if (typeof name !== 'string' || !counts(source)) continue;
      if (!required.get(name)) required.set(name, binding ? source : '');
    }
    if (isObject(schema.properties)) {
      for (const name of Object.keys(schema.properties)) {
        const property = joinPointer(pointer, 'properties', name);
        if (!counts(property)) continue;
        namers.add(document.provenanceOf(property));
        properties.set(name, [...(properties.get(name) ?? []), property]);
      }
    }
    for (const source of Object.keys(objectOf(schema.patternProperties))) {
      patterns.push({ source, pointer: joinPointer(pointer, 'patternProperties', source) });
    }
    listed = Math.max(listed, listOf(schema.prefixItems).length);
    if (isObject(schema.items) && counts(joinPointer(pointer, 'items'))) items.push(joinPointer(pointer, 'items'));
    if (isObject(schema.additionalProperties)) others.push(joinPointer(pointer, 'additionalProperties'));
  }
  // by the lists of this node, because a run asks for the same members millions of times
  const nodes = new WeakMap<readonly string[], SchemaFacts>();
  const at = (inside: readonly string[]): SchemaFacts => {
    const node = nodes.get(inside) ?? factsOf(document, inside, options);
    nodes.set(inside, node);
    return node;
  };
  return {
    pointers,
    types: types ?? guessed(),
    words,
    values,
    properties,
    required,
    demanded: new Map([...required].filter(([, source]) => source !== '')),
    patterns,
    items,
    listed,
    others,
    namers,
    naming: parts.flatMap(({ pointer, schema }) => (namesFields(document, pointer, schema) ? [pointer] : [])),
    parts,
    otherwise,
    at,
    member: (name) => at(properties.get(name) ?? NONE),
    unnamed,
    child: (container, key) => at(Array.isArray(container) ? items : (properties.get(key) ?? unnamed(key))),
    stated(word) {
      const part = parts.findLast(({ schema, binding }) => binding && schema[word] !== undefined);
      return part && { value: part.schema[word] as Json, pointer: joinPointer(part.pointer, word) };
    },
  };

  function unnamed(name: string): readonly string[] {
    const matching = patterns.filter(({ source }) => patternOf(source).test(name));
    return matching.length > 0 ? matching.map(({ pointer }) => pointer) : others;
  }

  function guessed(): string[] {
    if (properties.size > 0 || others.length > 0 || required.size > 0) return ['object'];
    if (items.length > 0) return ['array'];
    return words.has('minimum') || words.has('maximum') ? ['number'] : words.size > 0 ? ['string'] : [];
  }
}

export function pick<T>(object: Readonly<Record<string, T>>, wanted: (key: string) => boolean): Record<string, T> {
  return Object.fromEntries(Object.entries(object).filter(([key]) => wanted(key)));
}

function narrowed(known: readonly string[] | null, types: readonly string[]): readonly string[] {
  if (known === null) return types;
  const both = types.flatMap((type) => {
    if (known.includes(type)) return [type];
    if (type === 'integer' && known.includes('number')) return ['integer'];
    return type === 'number' && known.includes('integer') ? ['integer'] : [];
  });
  return both.length > 0 ? both : known;
}

export interface SchemaPart {
  readonly pointer: string;
  readonly schema: JsonObject;
  /** False for an alternative, which need not apply. */
  readonly binding: boolean;
}

/** The schemas at some pointers, with their references and parts. Each appears once, after the schemas that it uses. */
function partsOf(
  document: SchemaDocument,
  pointers: readonly string[],
  { known, alternatives = 1, branch = 0 }: FactsOptions,
  counts: (pointer: string) => boolean,
): SchemaPart[] {
  const met = new Map<string, boolean>();
  const parts = new Map<string, SchemaPart>();
  const add = (pointer: string, binding: boolean): void => {
    const node = document.at(pointer);
    const before = met.get(pointer);
    if (!isObject(node) || before === true || before === binding || !counts(pointer)) return;
    met.set(pointer, binding);
    const schema = known ? pick(node, (word) => counts(joinPointer(pointer, word))) : node;
    const target = typeof schema.$ref === 'string' ? pointerOfReference(schema.$ref) : undefined;
    if (target !== undefined) add(target, binding);
    for (const index of listOf(schema.allOf).keys()) add(joinPointer(pointer, 'allOf', index), binding);
    for (const branches of choicesOf(pointer, schema)) {
      const first = branch % Math.max(1, branches.length);
      for (const own of [...branches.slice(first), ...branches.slice(0, first)].slice(0, alternatives))
        for (const at of own) add(at, false);
    }
    parts.set(pointer, { pointer, schema, binding });
  };
  for (const pointer of pointers) add(pointer, true);
  return [...parts.values()];
}

/** The branches of each choice in a schema. A branch lists the schemas that apply together. */
function choicesOf(pointer: string, schema: JsonObject): (readonly string[])[][] {
  const at = (...path: (string | number)[]): string => joinPointer(pointer, ...path);
  const { dependentSchemas: dependent } = schema;
  return [
    ...ALTERNATIVES.map((word) => [...listOf(schema[word]).keys()].map((index) => [at(word, index)])),
    isObject(schema.if) ? [[at('if'), at('then')], [at('else')]] : [],
    isObject(dependent) ? [Object.keys(dependent).map((name) => at('dependentSchemas', name))] : [],
  ];
}

/** A recording does not repeat the documentation: for an object it may contain only `$ref` or `required`. */
function namesFields(document: SchemaDocument, pointer: string, schema: JsonObject): boolean {
  if (isObject(schema.properties) && Object.keys(schema.properties).length > 0) return true;
  const says = typeof schema.$ref === 'string' || listOf(schema.required).length > 0;
  return says && document.provenanceOf(pointer) === 'observed';
}

const ALTERNATIVES = ['anyOf', 'oneOf'] as const;
