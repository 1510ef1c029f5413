import type { Contract, Json } from './contract.ts';
import { factsOf } from './facts.ts';
import { joinPointer } from './pointer.ts';

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
