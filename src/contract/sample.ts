import { fullFormats } from 'ajv-formats/dist/formats.js';
import { patternExamples } from '../patterns/example.ts';
import { patternOf } from '../patterns/pattern.ts';
import { joinPointer } from '../text/pointer.ts';
import type { Contract, Json, JsonObject } from './contract.ts';
import { type Direction, OTHERS } from './direction.ts';
import { holdsIn } from './formats.ts';
import { admits, factsOf, isObject, listOf, type SchemaFacts, type SchemaPart, typeOf } from './schema-facts.ts';

export interface SampleOptions {
  /** The same seed makes the same value. */
  readonly seed: number;
  /** Uses documented and observed facts only. Fields that only assumptions name are left out. */
  readonly known?: boolean;
  /** Leaves out members of the opposite direction: `readOnly` in a request, `writeOnly` in a response. */
  readonly direction?: Direction;
  /** The branch of each choice of schemas: an index from 0, modulo their number. 0 by default. */
  readonly branch?: number;
  readonly bare?: boolean;
}

/** Schemas may require members to this depth. Deeper schemas refer to themselves. */
const DEEPEST = 600;
/** Optional members are made above this depth only. */
const NESTED = 6;
/** Limit of values. Beyond it only required values are made: schemas that refer to each other have no end. */
const MOST = 200;

/** A value that the schema accepts, judged by types, formats, patterns, enums, bounds and fields. It is no fact. */
export function sampleOf(contract: Contract, pointer: string, options: SampleOptions): Json {
  return new Maker(contract, options).make([pointer], '', 0);
}

const BRANCHES = 6;
/** How many items of a list differ in all their members. */
const MANY = 64;

export function sampleThat(
  holds: (value: Json) => boolean,
  contract: Contract,
  pointer: string,
  options: SampleOptions,
): Json | undefined {
  for (const bare of [false, true])
    for (let branch = 0; branch < BRANCHES; branch += 1) {
      const value = sampleOf(contract, pointer, { ...options, bare, branch });
      if (holds(value)) return value;
    }
  return undefined;
}

/** Keeps the parts of an example that the schema accepts. In recorded objects, drops fields that no recording knows. */
export function completeExample(contract: Contract, pointer: string, example: Json, options: SampleOptions): Json {
  const maker = new Maker(contract, options);
  return maker.complete([pointer], maker.rewrapped(pointer, example), '', 0);
}

/** Makes values for schemas of a contract. `pointers`: all schemas of one value; `at`: its place in the whole. */
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

  /** @param index position in a list whose items may have to differ */
  make(pointers: readonly string[], at: string, depth: number, index = 0): Json {
    const facts = this.#factsOf(pointers);
    const { types, values, words } = facts;
    if (values !== null && values.length > 0) return values[index % values.length] ?? null;
    const explicit = index === 0 ? explicitOf(facts) : undefined;
    if (explicit !== undefined && typeof explicit !== 'object') return explicit;
    if (explicit !== undefined && depth <= DEEPEST && !this.#options.bare)
      return this.complete(pointers, explicit, at, depth);
    const [type] = types;
    if (type === undefined || depth > DEEPEST) return null;
    const chance = chanceOf(this.#options.seed, at) + index;
    this.#made += 1;
    if (this.#made > 10 * MOST) return null;
    switch (type) {
      case 'object':
        return this.#makeObject(facts, at, depth);
      case 'array':
        return this.#makeList(facts, at, depth);
      case 'integer':
      case 'number':
        return numberFor(words, type, chance);
      case 'string':
        return textFor(words, at, chance);
      case 'boolean':
        return index % 2 === 0;
      default:
        return null;
    }
  }

  get #enough(): boolean {
    return this.#made >= MOST;
  }

  #makeObject({ properties, required, patterns, others, parts }: SchemaFacts, at: string, depth: number): Json {
    const { bare = false } = this.#options;
    const members = new Map<string, Json>();
    const add = (name: string, own: readonly string[]): unknown =>
      members.set(name, this.make(own, joinPointer(at, name), depth + 1));
    for (const [name, own] of properties) {
      const isWanted = required.has(name) || !(bare || depth >= NESTED || this.#enough);
      if (isWanted && !this.#isOfOther(own)) add(name, own);
    }
    const schemasOf = (name: string): readonly string[] => {
      const own = patterns.filter(({ source }) => patternOf(source).test(name)).map(({ pointer }) => pointer);
      return own.length > 0 ? own : others;
    };
    for (const name of required.keys()) if (!properties.has(name)) add(name, schemasOf(name));
    const fewest = limitOf(parts, 'minProperties', Math.max, 0);
    for (const [name, own] of properties)
      if (members.size < fewest && !members.has(name) && !this.#isOfOther(own)) add(name, own);
    const more = others.length > 0 || patterns.length > 0;
    const wanted = Math.max(fewest, more && !bare && !this.#enough ? members.size + 1 : 0);
    for (const name of members.size < wanted ? this.#names(parts, patterns) : []) {
      if (members.size >= wanted) break;
      if (!properties.has(name)) members.set(name, null);
    }
    // the loop also visits the members that it adds
    for (const name of members.keys())
      for (const other of dependentsOf(parts, name))
        if (!members.has(other)) add(other, properties.get(other) ?? schemasOf(other));
    for (const name of members.keys())
      if (!properties.has(name) && !required.has(name))
        members.set(name, this.make(schemasOf(name), `${at}/*`, depth + 1));
    const tag = tagOf(parts);
    if (tag !== undefined && members.has(tag.name) && this.#factsOf(properties.get(tag.name) ?? []).values === null)
      members.set(tag.name, tag.value);
    return Object.fromEntries(members);
  }

  *#names(parts: readonly SchemaPart[], patterns: readonly { readonly source: string }[]): Generator<string> {
    const named = parts.find(({ schema }) => isObject(schema.propertyNames));
    const facts = named && this.#factsOf([joinPointer(named.pointer, 'propertyNames')]);
    yield* (facts?.values ?? []).map(String);
    const all = facts ? [facts.words] : patterns.map(({ source }) => new Map([['pattern', source]]));
    for (let number = 1; number < MOST; number += 1) {
      if (all.length === 0) yield `key${number}`;
      // a pattern without an end has one shortest text, but any text may follow it
      for (const words of all)
        for (const text of fittingTexts(words, 'key', number))
          yield* [text, `${text}${number}`].filter((name) => satisfiesFacts({ values: null, words }, name));
    }
  }

  #makeList({ items, parts }: SchemaFacts, at: string, depth: number): Json {
    const tuple = parts.find(({ schema }) => Array.isArray(schema.prefixItems));
    const first = listOf(tuple?.schema.prefixItems).map((_, index) => [
      joinPointer(tuple?.pointer ?? '', 'prefixItems', index),
    ]);
    const contained = parts.flatMap(({ pointer, schema }) =>
      isObject(schema.contains) ? [joinPointer(pointer, 'contains')] : [],
    );
    const fewest = limitOf(parts, 'minItems', Math.max, limitOf(parts, 'minContains', Math.max, contained.length));
    const usual = this.#enough || this.#options.bare ? 0 : Math.max(first.length, Number(items.length > 0));
    const most = limitOf(parts, 'maxItems', Math.min, Number.POSITIVE_INFINITY);
    const count = Math.min(Math.max(fewest, usual), most, 10 * MOST);
    return Array.from({ length: count }, (_, index) =>
      this.make(first[index] ?? [...items, ...contained], at + '/*'.repeat(1 + (index % MANY)), depth + 1, index),
    );
  }

  #isOfOther(pointers: readonly string[]): boolean {
    const { direction } = this.#options;
    if (direction === undefined) return false;
    return this.#factsOf(pointers).parts.some(({ schema }) => schema[OTHERS[direction]] === true);
  }

  /** Gives the example the list form that the schema requires: bare, or in the only list field of an object. */
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
    const fits = facts.types.length === 0 || admits(facts.types, typeOf(example));
    if (!fits || depth > DEEPEST) return this.make(pointers, at, depth);
    if (Array.isArray(example)) return this.#completeList(facts, example, at, depth);
    if (isObject(example)) return this.#completeObject(facts, example, at, depth);
    return satisfiesFacts(facts, example) ? example : this.make(pointers, at, depth);
  }

  #completeList({ items }: SchemaFacts, example: readonly Json[], at: string, depth: number): Json {
    if (items.length === 0) return this.#options.known === true ? [] : example;
    const { seed } = this.#options;
    // generated values differ from item to item
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
      if ((onlyKnown && guess && !facts.required.has(name)) || this.#isOfOther(own)) continue;
      const inside = joinPointer(at, name);
      entries.push([name, own.length === 0 ? value : this.complete(own, value, inside, depth + 1)]);
    }
    for (const name of facts.required.keys()) {
      const own = facts.properties.get(name) ?? [];
      if (Object.hasOwn(example, name) || this.#isOfOther(own)) continue;
      entries.push([name, this.make(own, joinPointer(at, name), depth + 1)]);
    }
    return Object.fromEntries(entries);
  }
}

export function numberFor(words: ReadonlyMap<string, Json>, type: string, chance: number): number {
  const low = Math.max(bound(words, 'minimum', -Infinity), bound(words, 'exclusiveMinimum', -Infinity) + 1);
  const high = Math.min(bound(words, 'maximum', Infinity), bound(words, 'exclusiveMaximum', Infinity) - 1);
  const step = bound(words, 'multipleOf', 0);
  const whole = Math.min(Math.max(1 + (chance % 99), Math.ceil(low)), Math.floor(high));
  if (step > 0) return stepped(whole, step, low);
  if (type === 'number' && Math.ceil(low) > Math.floor(high)) return between(words);
  // A fraction shows that the number is not an integer.
  return type === 'number' && whole + 0.5 <= high ? whole + 0.5 : whole;
}

function stepped(near: number, step: number, low: number): number {
  const below = Math.floor(near / step) * step;
  return below >= low ? below : below + step;
}

function between(words: ReadonlyMap<string, Json>): number {
  const low = Math.max(bound(words, 'minimum', -Infinity), bound(words, 'exclusiveMinimum', -Infinity));
  const high = Math.min(bound(words, 'maximum', Infinity), bound(words, 'exclusiveMaximum', Infinity));
  return (low + high) / 2;
}

export function bound(words: ReadonlyMap<string, Json>, word: string, otherwise: number): number {
  const value = words.get(word);
  return typeof value === 'number' ? value : otherwise;
}

/** Texts of many forms, tried in turn against a pattern. */
const TEXTS: readonly string[] = [
  ['1', '1.50', 'GBP', 'GB', '2030-01-31T12:00:00', '2030-01', '2030-01-31', 'a', 'A', 'text', 'bearer'],
  ['0000', '000000', '-1', '12:00:00Z', '2030-01-31T12:00:00Z', '2030-01-31T13:00:00+01:00'],
  ['00000000-0000-4000-8000-000000000000', 'GB33BUKB20201555555555', 'someone@example.com', 'https://example.com/'],
  ['Some words, and a mark.', ''],
].flat();

export function textFor(words: ReadonlyMap<string, Json>, at: string, chance: number): string {
  const [first = [...textsFor(words, at, chance)].at(-1)] = fittingTexts(words, at, chance);
  return first ?? '';
}

function* fittingTexts(words: ReadonlyMap<string, Json>, at: string, chance: number): Generator<string> {
  for (const text of textsFor(words, at, chance)) if (satisfiesFacts({ values: null, words }, text)) yield text;
}

/** Limit of a generated text, in characters. */
const LONGEST = 100_000;

function* textsFor(words: ReadonlyMap<string, Json>, at: string, chance: number): Generator<string> {
  const pattern = words.get('pattern');
  const hex = (chance % 0x10000).toString(16).padStart(4, '0');
  const named = String(words.get('format'));
  const format = Object.hasOwn(FORMATS, named) ? FORMATS[named]?.(hex, day(chance)) : undefined;
  if (typeof pattern === 'string') {
    yield* ['1.50', ...TEXTS];
    if (format !== undefined) yield format;
    yield* patternExamples(pattern, chance);
  }
  if (format !== undefined) yield format;
  const name = at.split('/').findLast((part) => part !== '' && part !== '*') ?? 'text';
  yield `${name} ${hex}`
    .padEnd(Math.min(bound(words, 'minLength', 0), LONGEST), '.')
    .slice(0, bound(words, 'maxLength', Math.max(200, bound(words, 'minLength', 0))));
}

/** A text per format (JSON Schema 2020-12, Validation 7.3; OpenAPI Format Registry), from 4 hex digits and a day. */
const FORMATS: Readonly<Record<string, (hex: string, day: string) => string>> = {
  'date-time': (_, date) => `2030-01-${date}T12:00:00Z`,
  date: (_, date) => `2030-01-${date}`,
  time: () => '12:00:00Z',
  duration: () => 'P1D',
  uuid: (hex) => `00000000-0000-4000-8000-00000000${hex}`,
  email: (hex) => `someone-${hex}@example.com`,
  uri: (hex) => `https://example.com/${hex}`,
  'uri-reference': (hex) => `/${hex}`,
  'uri-template': (hex) => `https://example.com/${hex}/{id}`,
  url: (hex) => `https://example.com/${hex}`,
  hostname: (hex) => `host-${hex}.example.com`,
  ipv4: () => '192.0.2.1',
  ipv6: (hex) => `2001:db8::${hex}`,
  'json-pointer': (hex) => `/${hex}`,
  'relative-json-pointer': () => '0',
  regex: (hex) => `^${hex}$`,
  byte: (hex) => hex,
};

/** A value that the schemas give as an example or default, except for null. */
function explicitOf({ parts, types, values, words }: SchemaFacts): Json | undefined {
  const explicit = parts.flatMap(({ schema }) => [schema.example, ...listOf(schema.examples), schema.default]);
  return explicit.find((value) => {
    if (value === undefined || value === null || !admits(types, typeOf(value))) return false;
    return typeof value === 'object' || satisfiesFacts({ values, words }, value);
  });
}

/** The members that an object must have beside a member. */
function dependentsOf(parts: readonly SchemaPart[], name: string): string[] {
  return parts.flatMap(({ schema: { dependentRequired: all } }) =>
    isObject(all) && Object.hasOwn(all, name) ? listOf(all[name]).map(String) : [],
  );
}

function limitOf(
  parts: readonly SchemaPart[],
  word: string,
  pick: (...all: number[]) => number,
  otherwise: number,
): number {
  const stated = parts.map(({ schema }) => schema[word]).filter((value) => typeof value === 'number');
  return pick(otherwise, ...stated);
}

/** Name and value of the discriminator for the chosen schema (OpenAPI 3.1, Discriminator Object). */
function tagOf(parts: readonly SchemaPart[]): { readonly name: string; readonly value: string } | undefined {
  const holder = parts.find(({ schema }) => isObject(schema.discriminator));
  const { propertyName, mapping } = (holder?.schema.discriminator ?? {}) as { propertyName?: Json; mapping?: Json };
  if (typeof propertyName !== 'string') return undefined;
  const names = parts.filter((part) => part !== holder).flatMap(({ pointer }) => COMPONENT.exec(pointer)?.[1] ?? []);
  const mapped = Object.entries(isObject(mapping) ? mapping : {}).find(([, target]) =>
    names.includes(String(target).split('/').at(-1) ?? ''),
  );
  const value = mapped?.[0] ?? names[0];
  return value === undefined ? undefined : { name: propertyName, value };
}

const COMPONENT = /^\/components\/schemas\/([^/]+)$/;

function day(chance: number): string {
  return String(1 + (chance % 28)).padStart(2, '0');
}

/** A number that depends on seed and place only (FNV-1a). */
function chanceOf(seed: number, at: string): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let index = 0; index < at.length; index += 1) hash = Math.imul(hash ^ at.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

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

/** True if completing the value by the schema does not change it. */
function accepts(contract: Contract, pointer: string, value: Json): boolean {
  const completed = new Maker(contract, { seed: 0 }).complete([pointer], value, '', 0);
  return JSON.stringify(completed) === JSON.stringify(value);
}

export function satisfiesFacts({ values, words }: Pick<SchemaFacts, 'values' | 'words'>, value: Json): boolean {
  if (values !== null) return values.includes(value);
  const isWithin = (size: number, low: string, high: string): boolean =>
    size >= bound(words, low, -Infinity) && size <= bound(words, high, Infinity);
  if (typeof value === 'number') {
    const isOnEdge = value === words.get('exclusiveMinimum') || value === words.get('exclusiveMaximum');
    return (
      isWithin(value, 'minimum', 'maximum') && isWithin(value, 'exclusiveMinimum', 'exclusiveMaximum') && !isOnEdge
    );
  }
  if (typeof value !== 'string') return true;
  // lengths count code points (JSON Schema 2020-12, Validation 6.3)
  if (!isWithin([...value].length, 'minLength', 'maxLength')) return false;
  const format = words.get('format');
  const pattern = words.get('pattern');
  if (typeof pattern === 'string' && !patternOf(pattern).test(value)) return false;
  return typeof format !== 'string' || holdsIn(fullFormats, format, value);
}
