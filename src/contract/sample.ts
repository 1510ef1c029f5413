import { fullFormats } from 'ajv-formats/dist/formats.js';
import { patternOf } from '../patterns/pattern.ts';
import { joinPointer } from '../text/pointer.ts';
import type { Contract, Json, JsonObject } from './contract.ts';
import { holdsIn } from './formats.ts';
import { factsOf, isObject, type SchemaFacts } from './schema-facts.ts';

export interface SampleOptions {
  /** The same seed makes the same value. */
  readonly seed: number;
  /** Only what is documented or observed: what is merely assumed counts for nothing, and a field that nothing else names is left out. */
  readonly known?: boolean;
}

const DEEPEST = 24;
/** So deep stand members that are not required. */
const NESTED = 6;
/** How many values are made; beyond that only what is required is: schemas that refer to each other, or to themselves, have no end. */
const MOST = 200;

/**
 * A value that the schema at a pointer of the bundle accepts, as far as types, formats, patterns, words, bounds and fields go. Made up:
 * nothing of it is a fact.
 */
export function sampleOf(contract: Contract, pointer: string, options: SampleOptions): Json {
  return new Maker(contract, options).make([pointer], '', 0);
}

/**
 * A value that keeps of an example what the schema at a pointer accepts, with the rest made up. Fields of which a recording knows
 * nothing, in objects whose fields were recorded, are left out. A list goes into the envelope that the schema has around it, or out of
 * the one that it has not.
 */
export function completeExample(contract: Contract, pointer: string, example: Json, options: SampleOptions): Json {
  const maker = new Maker(contract, options);
  return maker.complete([pointer], maker.rewrapped(pointer, example), '', 0);
}

/** Makes values of the schemas of a contract. `pointers` are those of all schemas that hold for one value, `at` is its place in the whole. */
class Maker {
  readonly #contract: Contract;
  readonly #options: SampleOptions;
  #made = 0;

  constructor(contract: Contract, options: SampleOptions) {
    this.#contract = contract;
    this.#options = options;
  }

  #factsOf(pointers: readonly string[]): SchemaFacts {
    return factsOf(this.#contract, pointers, this.#options);
  }

  make(pointers: readonly string[], at: string, depth: number): Json {
    const { types, values, properties, required, others, items, words } = this.#factsOf(pointers);
    if (values !== null && values.length > 0) return values[0] ?? null;
    const [type] = types;
    if (type === undefined || depth > DEEPEST) return null;
    const chance = chanceOf(this.#options.seed, at);
    this.#made += 1;
    const enough = (): boolean => this.#made >= MOST;
    if (this.#made > 10 * MOST) return null;
    switch (type) {
      case 'object': {
        const entries: [string, Json][] = [];
        for (const [name, own] of properties) {
          if ((depth >= NESTED || enough()) && !required.has(name)) continue;
          entries.push([name, this.make(own, joinPointer(at, name), depth + 1)]);
        }
        for (const name of required) if (!properties.has(name)) entries.push([name, null]);
        if (others.length > 0 && !enough()) entries.push(['key1', this.make(others, `${at}/*`, depth + 1)]);
        return Object.fromEntries(entries);
      }
      case 'array':
        return items.length === 0 || enough() ? [] : [this.make(items, `${at}/*`, depth + 1)];
      case 'integer':
      case 'number':
        return numberFor(words, type, chance);
      case 'string':
        return textFor(words, at, chance);
      case 'boolean':
        return true;
      default:
        return null;
    }
  }

  /** The example as the top of a schema wants its list: bare, or in the one list that an object has. */
  rewrapped(pointer: string, example: Json): Json {
    const { types, properties } = this.#factsOf([pointer]);
    if (Array.isArray(example) && types[0] === 'object') {
      const lists = [...properties].filter(([, own]) => this.#factsOf(own).types.includes('array'));
      const [[name, own] = ['', []]] = lists;
      const fields = this.#factsOf(this.#factsOf(own).items).properties;
      const [first] = example as readonly Json[];
      const alike = first === undefined || (isObject(first) && Object.keys(first).some((key) => fields.has(key)));
      return lists.length === 1 && alike ? { [name]: example as Json } : example;
    }
    if (isObject(example) && types[0] === 'array') {
      const [only, ...others] = Object.values(example).filter((value) => Array.isArray(value));
      return only !== undefined && others.length === 0 ? only : example;
    }
    return example;
  }

  complete(pointers: readonly string[], example: Json, at: string, depth: number): Json {
    const facts = this.#factsOf(pointers);
    const type = typeOf(example);
    const fits =
      facts.types.length === 0 || facts.types.includes(type) || (type === 'integer' && facts.types.includes('number'));
    if (!fits || depth > DEEPEST) return this.make(pointers, at, depth);
    if (Array.isArray(example)) return this.#completeList(facts, example, at, depth);
    if (isObject(example)) return this.#completeObject(facts, example, at, depth);
    return holds(facts, example) ? example : this.make(pointers, at, depth);
  }

  #completeList({ items }: SchemaFacts, example: readonly Json[], at: string, depth: number): Json {
    if (items.length === 0) return this.#options.known === true ? [] : example;
    const { seed } = this.#options;
    // what is made up differs from item to item
    const makerOf = (index: number): Maker =>
      new Maker(this.#contract, { ...this.#options, seed: seed + index * 7919 });
    return example.map((item, index) => makerOf(index).complete(items, item, `${at}/*`, depth + 1));
  }

  #completeObject(facts: SchemaFacts, example: JsonObject, at: string, depth: number): Json {
    const onlyKnown = facts.namers.has('observed') || this.#options.known === true;
    const entries: [string, Json][] = [];
    for (const [name, value] of Object.entries(example)) {
      const own = facts.properties.get(name) ?? facts.others;
      const guess = !own.some((pointer) => this.#contract.provenanceOf(pointer) !== 'assumed');
      if (onlyKnown && guess && !facts.required.has(name)) continue;
      const inside = joinPointer(at, name);
      entries.push([name, own.length === 0 ? value : this.complete(own, value, inside, depth + 1)]);
    }
    for (const name of facts.required) {
      if (Object.hasOwn(example, name)) continue;
      entries.push([name, this.make(facts.properties.get(name) ?? [], joinPointer(at, name), depth + 1)]);
    }
    return Object.fromEntries(entries);
  }
}

export function numberFor(words: ReadonlyMap<string, Json>, type: string, chance: number): number {
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

/** Texts of many forms, tried one after the other against a pattern. */
const TEXTS: readonly string[] = [
  ['1', '1.50', 'GBP', 'GB', '2030-01-31T12:00:00', '2030-01', '2030-01-31', 'a', 'A', 'text', 'bearer'],
  ['0000', '000000', '-1', '12:00:00Z', '2030-01-31T12:00:00Z', '2030-01-31T13:00:00+01:00'],
  ['00000000-0000-4000-8000-000000000000', 'someone@example.com', 'https://example.com/'],
  ['Some words, and a mark.', ''],
].flat();

export function textFor(words: ReadonlyMap<string, Json>, at: string, chance: number): string {
  const pattern = words.get('pattern');
  if (typeof pattern === 'string') {
    const expression = patternOf(pattern);
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
  const completed = new Maker(contract, { seed: 0 }).complete([pointer], value, '', 0);
  return JSON.stringify(completed) === JSON.stringify(value);
}

export function holds({ values, words }: Pick<SchemaFacts, 'values' | 'words'>, value: Json): boolean {
  if (values !== null) return values.includes(value);
  if (typeof value === 'number') {
    return value >= bound(words, 'minimum', -Infinity) && value <= bound(words, 'maximum', Infinity);
  }
  if (typeof value !== 'string') return true;
  const format = words.get('format');
  const pattern = words.get('pattern');
  if (typeof pattern === 'string' && !patternOf(pattern).test(value)) return false;
  return typeof format !== 'string' || formatHolds(format, value);
}

function formatHolds(name: string, value: string): boolean {
  return holdsIn(fullFormats, name, value);
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}
