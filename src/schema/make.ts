import { patternOf } from '../patterns/pattern.ts';
import { joinPointer } from '../text/pointer.ts';
import { type Direction, OTHERS } from './direction.ts';
import { tagOf } from './discriminator.ts';
import { admits, isObject, type Json, type JsonObject, listOf, typeOf } from './json.ts';
import { fittingTexts, numberFor, satisfiesFacts, textFor } from './scalars.ts';
import type { SchemaDocument } from './schema-document.ts';
import { factsOf, type SchemaFacts, type SchemaPart } from './schema-facts.ts';

export interface MakeOptions {
  /** The same seed makes the same value. */
  readonly seed: number;
  /** Uses documented and observed facts only. Fields that only assumptions name are left out. */
  readonly known?: boolean;
  /** Leaves out members of the opposite direction: `readOnly` in a request, `writeOnly` in a response. */
  readonly direction?: Direction;
  /** Makes required members only. */
  readonly bare?: boolean;
  /** An example. Its parts stay if the schema accepts them, and only missing required members are added. */
  readonly like?: Json | undefined;
  /** The judge of the schema. If a value fails, other branches of its choices are tried. */
  readonly judge?: Judge;
}

/** A compiled schema. */
export interface Judge {
  (value: Json): boolean;
  errors?: readonly { readonly instancePath: string; readonly message?: string | undefined }[] | null | undefined;
}

export interface Made {
  readonly value: Json;
  /** Why the judge rejects the value; null if it accepts it. */
  readonly fault: string | null;
}

/** A value by the schema's types, formats, patterns, enums, bounds and fields. It is no fact. */
export function make(document: SchemaDocument, pointer: string, options: MakeOptions): Json {
  return makeBest(document, pointer, options).value;
}

/** How many branches of each choice are tried. */
const BRANCHES = 6;

/** The first value that the judge accepts, else the value with the fewest faults. */
export function makeBest(document: SchemaDocument, pointer: string, { like, judge, ...options }: MakeOptions): Made {
  let best: Made | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const [maker, example] of makersOf(document, options, like)) {
    const value = maker.make([pointer], '', 0, 0, example === undefined ? example : maker.rewrapped(pointer, example));
    if (judge === undefined || judge(value)) return { value, fault: null };
    const { errors } = judge;
    const [{ instancePath = '', message = 'is not allowed' } = {}] = errors ?? [];
    if ((errors?.length ?? 0) < fewest) best = { value, fault: `${instancePath || 'the value'} ${message}` };
    fewest = Math.min(fewest, errors?.length ?? 0);
  }
  return best ?? { value: null, fault: null };
}

function* makersOf(document: SchemaDocument, { bare, ...options }: MakeOptions, like: Json | undefined) {
  const usual = bare === true ? [] : [[undefined, false] as const];
  for (const [example, isBare] of [
    ...(like === undefined ? [] : [[like, false] as const]),
    ...usual,
    [undefined, true] as const,
  ])
    for (let branch = 0; branch < BRANCHES; branch += 1)
      yield [new Maker(document, { ...options, bare: isBare, branch }), example] as const;
}

/** Schemas may require members to this depth. Deeper schemas refer to themselves. */
const DEEPEST = 600;
/** Optional members are made above this depth only. */
const NESTED = 6;
/** Limit of values. Beyond it only required values are made: schemas that refer to each other have no end. */
const MOST = 200;
/** How many items of a list differ in all their members. */
const MANY = 64;

/** Makes values for schemas of a document. `pointers`: all schemas of one value; `at`: its place in the whole. */
class Maker {
  readonly #document: SchemaDocument;
  readonly #options: MakeOptions & { readonly branch: number };
  #made = 0;

  constructor(document: SchemaDocument, options: MakeOptions & { readonly branch: number }) {
    this.#document = document;
    this.#options = options;
  }

  #factsOf(pointers: readonly string[]): SchemaFacts {
    return factsOf(this.#document, pointers, this.#options);
  }

  /**
   * @param index position in a list whose items may have to differ
   * @param like an example for the value
   */
  make(pointers: readonly string[], at: string, depth: number, index = 0, like?: Json): Json {
    const facts = this.#factsOf(pointers);
    if (like !== undefined) {
      const fits = facts.types.length === 0 || admits(facts.types, typeOf(like));
      if (!fits || depth > DEEPEST) return this.make(pointers, at, depth, index);
      if (Array.isArray(like)) return this.#list(facts, at, depth, like);
      if (isObject(like)) return this.#object(facts, at, depth, like);
      return satisfiesFacts(facts, like) ? like : this.make(pointers, at, depth, index);
    }
    const { types, values, words } = facts;
    if (values !== null && values.length > 0) return values[index % values.length] ?? null;
    const explicit = index === 0 ? explicitOf(facts) : undefined;
    if (explicit === null || (explicit !== undefined && typeof explicit !== 'object')) return explicit;
    if (explicit !== undefined && depth <= DEEPEST && !this.#options.bare)
      return this.make(pointers, at, depth, index, explicit);
    const [type] = types;
    if (type === undefined || depth > DEEPEST) return null;
    // the place counts the first items
    const chance = chanceOf(this.#options.seed, at) + index - (index % MANY);
    this.#made += 1;
    if (this.#made > 10 * MOST) return null;
    switch (type) {
      case 'object':
        return this.#object(facts, at, depth);
      case 'array':
        return this.#list(facts, at, depth);
      case 'integer':
      case 'number':
        return numberFor(words, type, chance, at);
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

  #object(given: SchemaFacts, at: string, depth: number, like?: JsonObject): Json {
    const stated = tagOf(this.#document, given.parts, this.#options.branch);
    const tag = stated && like && Object.hasOwn(like, stated.name) ? undefined : stated;
    const facts =
      tag?.child === undefined ? given : this.#factsOf([...given.parts.map((part) => part.pointer), tag.child]);
    const { properties, required, patterns, others, parts } = facts;
    const members = new Map<string, Json>();
    const schemasOf = (name: string): readonly string[] => {
      const own = patterns.filter(({ source }) => patternOf(source).test(name)).map(({ pointer }) => pointer);
      return properties.get(name) ?? (own.length > 0 ? own : others);
    };
    const add = (name: string, example?: Json): void => {
      const own = schemasOf(name);
      if (members.has(name) || this.#isOfOther(own)) return;
      const place = properties.has(name) || required.has(name) || like ? joinPointer(at, name) : `${at}/*`;
      const isFree = own.length === 0 && example !== undefined;
      members.set(name, isFree ? example : this.make(own, place, depth + 1, 0, example));
    };
    const isRich = !(like || this.#options.bare || depth >= NESTED || this.#enough);
    for (const [name, value] of Object.entries(like ?? {})) if (!this.#isGuess(facts, name)) add(name, value);
    for (const name of properties.keys()) if (required.has(name) || (isRich && !this.#enough)) add(name);
    for (const name of required.keys()) add(name);
    const fewest = limitOf(parts, 'minProperties', Math.max, 0);
    for (const name of members.size < fewest ? properties.keys() : []) if (members.size < fewest) add(name);
    const isOpen = others.length > 0 || patterns.length > 0;
    const wanted = Math.max(fewest, isOpen && isRich && !this.#enough ? members.size + 1 : 0);
    for (const name of members.size < wanted ? this.#names(parts, patterns) : []) {
      if (members.size >= wanted) break;
      if (!properties.has(name)) add(name);
    }
    // the loop also visits the members that it adds
    for (const name of members.keys()) for (const other of dependentsOf(parts, name)) add(other);
    if (tag !== undefined && this.#takes(facts, tag.name)) members.set(tag.name, tag.value);
    return Object.fromEntries(members);
  }

  /** Whether the word of a branch may be the value of this member. */
  #takes({ properties, parts }: SchemaFacts, name: string): boolean {
    const own = properties.get(name);
    if (own !== undefined) return this.#factsOf(own).values === null;
    return !parts.some(({ schema }) => schema.additionalProperties === false || schema.unevaluatedProperties === false);
  }

  /** Whether only assumptions name a member of an example where the value shows known members only. */
  #isGuess({ namers, properties, required, others }: SchemaFacts, name: string): boolean {
    if (!(namers.has('observed') || this.#options.known === true) || required.has(name)) return false;
    return (properties.get(name) ?? others).every((own) => this.#document.provenanceOf(own) === 'assumed');
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

  #list({ items, parts }: SchemaFacts, at: string, depth: number, like?: readonly Json[]): Json {
    const tuple = parts.find(({ schema }) => Array.isArray(schema.prefixItems));
    const first = listOf(tuple?.schema.prefixItems).map((_, index) => [
      joinPointer(tuple?.pointer ?? '', 'prefixItems', index),
    ]);
    const contained = parts.flatMap(({ pointer, schema }) =>
      isObject(schema.contains) ? [joinPointer(pointer, 'contains')] : [],
    );
    const placeOf = (index: number): string => at + '/*'.repeat(1 + (index % MANY));
    if (like) {
      if (items.length + first.length === 0) return this.#options.known === true ? [] : like;
      return like.map((item, index) => this.make(first[index] ?? items, placeOf(index), depth + 1, 0, item));
    }
    const fewest = limitOf(parts, 'minItems', Math.max, limitOf(parts, 'minContains', Math.max, contained.length));
    const usual = this.#enough || this.#options.bare ? 0 : Math.max(first.length, Number(items.length > 0));
    const most = limitOf(parts, 'maxItems', Math.min, Number.POSITIVE_INFINITY);
    const count = Math.min(Math.max(fewest, usual), most, 10 * MOST);
    return Array.from({ length: count }, (_, index) =>
      this.make(first[index] ?? [...items, ...contained], placeOf(index), depth + 1, index),
    );
  }

  #isOfOther(pointers: readonly string[]): boolean {
    const { direction } = this.#options;
    if (direction === undefined || pointers.length === 0) return false;
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
}

/** A value that the schemas give as an example or default. */
function explicitOf({ parts, types, values, words }: SchemaFacts): Json | undefined {
  const explicit = parts.flatMap(({ schema }) => [schema.example, ...listOf(schema.examples), schema.default]);
  return explicit.find((value) => {
    if (value === undefined || (types.length > 0 && !admits(types, typeOf(value)))) return false;
    return isObject(value) || Array.isArray(value) || satisfiesFacts({ values, words }, value);
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

/** A number that depends on seed and place only (FNV-1a). Those of a list follow each other, so they differ. */
function chanceOf(seed: number, at: string): number {
  const first = at.replaceAll(/(?:\/\*)+/g, '/*');
  let hash = 0x811c9dc5 ^ seed;
  for (let index = 0; index < first.length; index += 1) hash = Math.imul(hash ^ first.charCodeAt(index), 0x01000193);
  return (hash >>> 0) + (at.length - first.length) / 2;
}
