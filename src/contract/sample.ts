import { fullFormats } from 'ajv-formats/dist/formats.js';
import { joinPointer } from '../pointer.ts';
import type { Contract, Json, JsonObject } from './contract.ts';
import type { SchemaFacts } from './schema-facts.ts';
import { factsOf, isObject } from './schema-facts.ts';

/** How a value is made of a schema. */
export interface SampleOptions {
  /** The same seed makes the same value. */
  readonly seed: number;
  /** Only what is documented or observed: what is merely assumed counts for nothing, and a field that nothing else names is left out. */
  readonly known?: boolean;
}

export const DEEPEST = 24;

/**
 * A value that the schema at a pointer of the bundle accepts, as far as types, formats, patterns, words, bounds and fields go. Made up:
 * nothing of it is a fact.
 */
export function sampleOf(contract: Contract, pointer: string, options: SampleOptions): Json {
  return make(contract, [pointer], '', options, 0);
}

/** A value that all schemas at some pointers of the bundle accept; `at` is its place in the whole. */
export function make(
  contract: Contract,
  pointers: readonly string[],
  at: string,
  options: SampleOptions,
  depth: number,
): Json {
  const facts = factsOf(contract, pointers, options);
  if (facts.values !== null && facts.values.length > 0) return facts.values[0] ?? null;
  const [type] = facts.types;
  if (type === undefined || depth > DEEPEST) return null;
  const chance = chanceOf(options.seed, at);
  switch (type) {
    case 'object': {
      const entries: [string, Json][] = [];
      for (const [name, own] of facts.properties) {
        entries.push([name, make(contract, own, joinPointer(at, name), options, depth + 1)]);
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

function numberFor(words: ReadonlyMap<string, Json>, type: string, chance: number): number {
  const low = Math.max(bound(words, 'minimum', -Infinity), bound(words, 'exclusiveMinimum', -Infinity) + 1);
  const high = Math.min(bound(words, 'maximum', Infinity), bound(words, 'exclusiveMaximum', Infinity) - 1);
  const whole = Math.min(Math.max(1 + (chance % 99), Math.ceil(low)), Math.floor(high));
  // A fraction, so that it is seen to be one.
  return type === 'number' && whole + 0.5 <= high ? whole + 0.5 : whole;
}

/** A bound that a schema names, or another one. */
export function bound(words: ReadonlyMap<string, Json>, word: string, otherwise: number): number {
  const value = words.get(word);
  return typeof value === 'number' ? value : otherwise;
}

/** Texts of many forms, tried one after the other against a pattern. */
export const TEXTS: readonly string[] = [
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
  '-1',
  '12:00:00Z',
  '2030-01-31T12:00:00Z',
  '2030-01-31T13:00:00+01:00',
  '00000000-0000-4000-8000-000000000000',
  'someone@example.com',
  'https://example.com/',
  'Some words, and a mark.',
  '',
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

/**
 * A value that keeps of an example what the schema at a pointer accepts, with the rest made up. Fields of which a recording knows
 * nothing, in objects whose fields were recorded, are left out. A list goes into the envelope that the schema has around it, or out of
 * the one that it has not.
 */
export function completeExample(contract: Contract, pointer: string, example: Json, options: SampleOptions): Json {
  const facts = factsOf(contract, [pointer], options);
  return complete(contract, [pointer], rewrapped(contract, facts, example, options), '', options, 0);
}

/** The example as the top of a schema wants its list: bare, or in the one list that an object has. */
function rewrapped(contract: Contract, facts: SchemaFacts, example: Json, options: SampleOptions): Json {
  const [type] = facts.types;
  if (Array.isArray(example) && type === 'object') {
    const lists = [...facts.properties].filter(([, own]) => factsOf(contract, own, options).types.includes('array'));
    const [[name, own] = ['', []]] = lists;
    const items = factsOf(contract, factsOf(contract, own, options).items, options);
    const [first] = example as readonly Json[];
    const alike =
      first === undefined || (isObject(first) && Object.keys(first).some((key) => items.properties.has(key)));
    return lists.length === 1 && alike ? { [name]: example as Json } : example;
  }
  if (isObject(example) && type === 'array') {
    const [only, ...others] = Object.values(example).filter((value) => Array.isArray(value));
    return only !== undefined && others.length === 0 ? only : example;
  }
  return example;
}

/**
 * Pointers of assumed schemas of fields that a value contradicts, in the schema at a pointer of the bundle: what was observed says
 * otherwise.
 */
export function refutedBy(contract: Contract, pointer: string, value: Json): string[] {
  return [...new Set(refuted(contract, [pointer], value))];
}

function* refuted(contract: Contract, pointers: readonly string[], value: Json): Iterable<string> {
  const facts = factsOf(contract, pointers, {});
  if (Array.isArray(value)) for (const item of value) yield* refuted(contract, facts.items, item);
  if (!isObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const own = facts.properties.get(name) ?? [];
    for (const pointer of own) {
      const isGuess = contract.provenanceOf(pointer) === 'assumed';
      if (isGuess && !accepts(contract, pointer, member)) yield pointer;
    }
    yield* refuted(contract, own.length > 0 ? own : facts.others, member);
  }
}

/** True where completing a value by a schema changes nothing of it. */
function accepts(contract: Contract, pointer: string, value: Json): boolean {
  return JSON.stringify(complete(contract, [pointer], value, '', { seed: 0 }, 0)) === JSON.stringify(value);
}

function complete(
  contract: Contract,
  pointers: readonly string[],
  example: Json,
  at: string,
  options: SampleOptions,
  depth: number,
): Json {
  const facts = factsOf(contract, pointers, options);
  const type = typeOf(example);
  const fits =
    facts.types.length === 0 || facts.types.includes(type) || (type === 'integer' && facts.types.includes('number'));
  if (!fits || depth > DEEPEST) return make(contract, pointers, at, options, depth);
  if (Array.isArray(example)) {
    const list = example as readonly Json[];
    if (facts.items.length === 0) return options.known === true ? [] : list;
    // what is made up differs from item to item
    return list.map((item, index) => {
      const own = index === 0 ? options : { ...options, seed: options.seed + index * 7919 };
      return complete(contract, facts.items, item, `${at}/*`, own, depth + 1);
    });
  }
  if (isObject(example)) return completeObject(contract, facts, example, at, options, depth);
  return holds(facts, example) ? example : make(contract, pointers, at, options, depth);
}

function completeObject(
  contract: Contract,
  facts: SchemaFacts,
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
    if ((recorded || options.known === true) && guess && !facts.required.has(name)) continue;
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

function holds({ values, words }: SchemaFacts, value: Json): boolean {
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

/** Whether a text is of a format, as Ajv's formats decide; it is of one that they do not know, or that is one of numbers. */
export function formatHolds(name: string, value: string): boolean {
  const format: unknown = (fullFormats as Readonly<Record<string, unknown>>)[name];
  if (format instanceof RegExp) return format.test(value);
  const { type, validate = format } = (format ?? {}) as { readonly type?: unknown; readonly validate?: unknown };
  if (validate instanceof RegExp) return validate.test(value);
  return typeof validate !== 'function' || type === 'number' || validate(value) === true;
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}
