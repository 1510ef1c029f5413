import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { Contract, Json, JsonObject, Provenance } from './contract.ts';
import { joinPointer, parseFragment } from './pointer.ts';

/** How a value is made of a schema. */
export interface SampleOptions {
  /** The same seed makes the same value. */
  readonly seed: number;
  /** Whether a field that is not required is there; all are by default. */
  readonly include?: (at: string) => boolean;
  /** Which of several types or words a place has, as an index below `of`; the first by default. */
  readonly choose?: (at: string, of: number) => number;
  /** Whether what a recording saw against the reference (`x-contradicts-reference`) stands in place of what is documented; not by default. */
  readonly contradicting?: boolean;
}

const DEEPEST = 24;

/**
 * A value that the schema at a pointer of the bundle accepts, as far as types, formats, patterns, words, bounds and fields go. Made up:
 * nothing of it is a fact.
 */
export function sampleOf(contract: Contract, pointer: string, options: SampleOptions): Json {
  return make(contract, [pointer], '', options, 0);
}

/**
 * A value that keeps of an example what the schema at a pointer accepts, with the rest made up. Fields of which a recording knows
 * nothing, in objects whose fields were recorded, are left out.
 */
export function completeExample(contract: Contract, pointer: string, example: Json, options: SampleOptions): Json {
  return complete(contract, [pointer], example, '', options, 0);
}

/** What all schemas at a place say together; of alternatives the first counts. */
interface Facts {
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

function factsOf(contract: Contract, pointers: readonly string[]): Facts {
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
    const schema = contract.at(pointer);
    if (seen.has(pointer) || !isObject(schema)) return;
    seen.add(pointer);
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
    for (const name of listOf(schema.required)) if (typeof name === 'string') required.add(name);
    if (isObject(schema.properties)) {
      for (const name of Object.keys(schema.properties)) {
        const property = joinPointer(pointer, 'properties', name);
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

function narrowed(known: readonly string[] | null, types: readonly string[]): readonly string[] {
  if (known === null) return types;
  const both = types.flatMap((type) => {
    if (known.includes(type)) return [type];
    if (type === 'integer' && known.includes('number')) return ['integer'];
    return type === 'number' && known.includes('integer') ? ['integer'] : [];
  });
  return both.length > 0 ? both : known;
}

function make(
  contract: Contract,
  pointers: readonly string[],
  at: string,
  options: SampleOptions,
  depth: number,
): Json {
  const facts = factsOf(contract, pointers);
  if (options.contradicting === true && facts.otherwise !== null) {
    return make(contract, [facts.otherwise], at, options, depth + 1);
  }
  const choose = (of: number): number => (of > 1 ? (options.choose?.(at, of) ?? 0) % of : 0);
  if (facts.values !== null && facts.values.length > 0) return facts.values[choose(facts.values.length)] ?? null;
  const type = facts.types[choose(facts.types.length)];
  if (type === undefined || depth > DEEPEST) return null;
  const chance = chanceOf(options.seed, at);
  switch (type) {
    case 'object': {
      const entries: [string, Json][] = [];
      for (const [name, own] of facts.properties) {
        const place = joinPointer(at, name);
        if (!facts.required.has(name) && options.include?.(place) === false) continue;
        entries.push([name, make(contract, own, place, options, depth + 1)]);
      }
      for (const name of facts.required) if (!facts.properties.has(name)) entries.push([name, null]);
      if (facts.others.length > 0) entries.push(['key1', make(contract, facts.others, `${at}/*`, options, depth + 1)]);
      return Object.fromEntries(entries);
    }
    case 'array':
      return facts.items.length === 0 ? [] : [make(contract, facts.items, `${at}/*`, options, depth + 1)];
    case 'integer':
    case 'number':
      return numberFor(facts.words, type, chance);
    case 'string':
      return textFor(facts.words, at, chance);
    case 'boolean':
      return true;
    default:
      return null;
  }
}

function complete(
  contract: Contract,
  pointers: readonly string[],
  example: Json,
  at: string,
  options: SampleOptions,
  depth: number,
): Json {
  const facts = factsOf(contract, pointers);
  const type = typeOf(example);
  const fits =
    facts.types.length === 0 || facts.types.includes(type) || (type === 'integer' && facts.types.includes('number'));
  if (!fits || depth > DEEPEST) return make(contract, pointers, at, options, depth);
  if (Array.isArray(example)) {
    const list = example as readonly Json[];
    return facts.items.length === 0
      ? list
      : list.map((item) => complete(contract, facts.items, item, `${at}/*`, options, depth + 1));
  }
  if (isObject(example)) return completeObject(contract, facts, example, at, options, depth);
  return holds(facts, example) ? example : make(contract, pointers, at, options, depth);
}

function completeObject(
  contract: Contract,
  facts: Facts,
  example: JsonObject,
  at: string,
  options: SampleOptions,
  depth: number,
): Json {
  const recorded = facts.namers.has('observed');
  const entries: [string, Json][] = [];
  for (const [name, value] of Object.entries(example)) {
    const own = facts.properties.get(name) ?? facts.others;
    const guess = !own.some((pointer) => contract.provenanceOf(pointer) !== 'assumed');
    if (recorded && guess && !facts.required.has(name)) continue;
    entries.push([
      name,
      own.length === 0 ? value : complete(contract, own, value, joinPointer(at, name), options, depth + 1),
    ]);
  }
  for (const name of facts.required) {
    if (Object.hasOwn(example, name)) continue;
    entries.push([name, make(contract, facts.properties.get(name) ?? [], joinPointer(at, name), options, depth + 1)]);
  }
  return Object.fromEntries(entries);
}

function holds({ values, words }: Facts, value: Json): boolean {
  if (values !== null) return values.includes(value);
  if (typeof value === 'number') {
    return value >= bound(words, 'minimum', -Infinity) && value <= bound(words, 'maximum', Infinity);
  }
  if (typeof value !== 'string') return true;
  const format = words.get('format');
  const pattern = words.get('pattern');
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value)) return false;
  return typeof format !== 'string' || formatHolds(format, value);
}

function formatHolds(name: string, value: string): boolean {
  const format: unknown = (fullFormats as Readonly<Record<string, unknown>>)[name];
  if (format instanceof RegExp) return format.test(value);
  const check = typeof format === 'function' ? format : (format as { validate?: unknown } | undefined)?.validate;
  if (check instanceof RegExp) return check.test(value);
  return typeof check === 'function' ? check(value) === true : true;
}

function numberFor(words: ReadonlyMap<string, Json>, type: string, chance: number): number {
  const low = Math.max(bound(words, 'minimum', -Infinity), bound(words, 'exclusiveMinimum', -Infinity) + 1);
  const high = Math.min(bound(words, 'maximum', Infinity), bound(words, 'exclusiveMaximum', Infinity) - 1);
  const whole = Math.min(Math.max(1 + (chance % 99), Math.ceil(low)), Math.floor(high));
  // A fraction, so that it is seen to be one.
  return type === 'number' && whole + 0.5 <= high ? whole + 0.5 : whole;
}

function bound(words: ReadonlyMap<string, Json>, word: string, otherwise: number): number {
  const value = words.get(word);
  return typeof value === 'number' ? value : otherwise;
}

/** Tried one after the other against a pattern. */
const TEXTS = [
  '1',
  '1.50',
  'GBP',
  'GB',
  '2030-01-31T12:00:00',
  '2030-01',
  '2030-01-31',
  'a',
  'A',
  'text',
  'bearer',
  '0000',
  '000000',
];

function textFor(words: ReadonlyMap<string, Json>, at: string, chance: number): string {
  const pattern = words.get('pattern');
  if (typeof pattern === 'string') {
    const expression = new RegExp(pattern, 'u');
    const fractions = expression.test('1.50') ? ['1.50'] : [];
    const found = [...fractions, ...TEXTS].find((text) => expression.test(text));
    if (found !== undefined) return found;
  }
  const hex = (chance % 0x10000).toString(16).padStart(4, '0');
  switch (words.get('format')) {
    case 'date-time':
      return `2030-01-${day(chance)}T12:00:00Z`;
    case 'date':
      return `2030-01-${day(chance)}`;
    case 'time':
      return '12:00:00Z';
    case 'uuid':
      return `00000000-0000-4000-8000-00000000${hex}`;
    case 'email':
      return `someone-${hex}@example.com`;
    case 'uri':
      return `https://example.com/${hex}`;
    default: {
      const name = at.split('/').findLast((part) => part !== '' && part !== '*') ?? 'text';
      return `${name} ${hex}`.padEnd(bound(words, 'minLength', 0), '.').slice(0, bound(words, 'maxLength', 200));
    }
  }
}

function day(chance: number): string {
  return String(1 + (chance % 28)).padStart(2, '0');
}

/** A number that depends on seed and place only (FNV-1a). */
function chanceOf(seed: number, at: string): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let index = 0; index < at.length; index += 1) hash = Math.imul(hash ^ at.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
