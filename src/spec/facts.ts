import type { Contract, Json, JsonObject, Provenance } from './contract.ts';
import { joinPointer, parseFragment } from './pointer.ts';

/** What all schemas at a place say together; of alternatives the first counts. */
export interface Facts {
  readonly types: readonly string[];
  readonly words: ReadonlyMap<string, Json>;
  readonly values: readonly Json[] | null;
  readonly properties: ReadonlyMap<string, readonly string[]>;
  readonly required: ReadonlySet<string>;
  readonly items: readonly string[];
  readonly others: readonly string[];
  /** What names fields rests on these. */
  readonly namers: ReadonlySet<Provenance>;
  /** Pointer of the schema of what was seen against the reference, or null. */
  readonly otherwise: string | null;
}

const PLAIN = [
  'format',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
];

/** Reads the schemas at some pointers of the bundle. `known`: what is merely assumed counts for nothing. */
export function factsOf(
  contract: Contract,
  pointers: readonly string[],
  { known = false }: { readonly known?: boolean } = {},
): Facts {
  const counts = (pointer: string): boolean => !known || contract.provenanceOf(pointer) !== 'assumed';
  const seen = new Set<string>();
  const words = new Map<string, Json>();
  const properties = new Map<string, string[]>();
  const required = new Set<string>();
  const items: string[] = [];
  const others: string[] = [];
  const namers = new Set<Provenance>();
  let otherwise: string | null = null;
  let types: readonly string[] | null = null;
  let values: readonly Json[] | null = null;
  const add = (pointer: string): void => {
    const node = contract.at(pointer);
    if (seen.has(pointer) || !isObject(node) || !counts(pointer)) return;
    seen.add(pointer);
    const schema = known ? pick(node, (word) => counts(joinPointer(pointer, word))) : node;
    if (typeof schema.$ref === 'string') add(joinPointer('', ...(parseFragment(schema.$ref.slice(1)) ?? [])));
    for (const index of listOf(schema.allOf).keys()) add(joinPointer(pointer, 'allOf', index));
    for (const word of ['anyOf', 'oneOf']) if (listOf(schema[word]).length > 0) add(joinPointer(pointer, word, 0));
    if (schema.type !== undefined)
      types = narrowed(types, (Array.isArray(schema.type) ? schema.type : [schema.type]) as string[]);
    if (isObject(schema['x-contradicts-reference'])) otherwise = joinPointer(pointer, 'x-contradicts-reference');
    if (schema['x-only-null'] === true) types = narrowed(types, ['null']);
    if (schema.const !== undefined) values = [schema.const];
    else if (Array.isArray(schema.enum)) values ??= schema.enum as readonly Json[];
    for (const word of PLAIN) if (schema[word] !== undefined && !words.has(word)) words.set(word, schema[word]);
    for (const [index, name] of listOf(schema.required).entries()) {
      if (typeof name === 'string' && counts(joinPointer(pointer, 'required', index))) required.add(name);
    }
    if (isObject(schema.properties)) {
      for (const name of Object.keys(schema.properties)) {
        const property = joinPointer(pointer, 'properties', name);
        if (!counts(property)) continue;
        namers.add(contract.provenanceOf(property));
        properties.set(name, [...(properties.get(name) ?? []), property]);
      }
    }
    if (isObject(schema.items)) items.push(joinPointer(pointer, 'items'));
    if (isObject(schema.additionalProperties)) others.push(joinPointer(pointer, 'additionalProperties'));
  };
  for (const pointer of pointers) add(pointer);
  return { types: types ?? guessed(), words, values, properties, required, items, others, namers, otherwise };

  function guessed(): string[] {
    if (properties.size > 0 || others.length > 0 || required.size > 0) return ['object'];
    if (items.length > 0) return ['array'];
    return words.has('minimum') || words.has('maximum') ? ['number'] : words.size > 0 ? ['string'] : [];
  }
}

function pick(object: JsonObject, wanted: (key: string) => boolean): JsonObject {
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

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
