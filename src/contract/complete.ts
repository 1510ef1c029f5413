import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { Contract, Json, JsonObject } from './contract.ts';
import { type Facts, factsOf, isObject } from './facts.ts';
import { joinPointer } from './pointer.ts';
import { bound, DEEPEST, make, type SampleOptions } from './sample.ts';

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
function rewrapped(contract: Contract, facts: Facts, example: Json, options: SampleOptions): Json {
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
