import { hash } from 'node:crypto';
import { countOf, type Shape } from '../judge/shape.ts';
import { type JsonObject, typeOf } from '../schema/json.ts';
import { FORMS, formsOf, isMasked, type StringForm } from '../schema/string-forms.ts';

/** Observations of one place. Equal values count once: five equal objects are one sample. */
export interface ObservedShape extends Shape {
  /** Number of different objects. After reading a recording, the largest count of any one. */
  objects: number;
  readonly fields: Map<string, ObservedShape>;
  /** For a field: the number of different objects with and without it, and the nights that showed it. */
  in: number;
  out: number;
  readonly nights: Set<string>;
  /** The most keys of one night, in a recording. In answers, the fields state their nights. */
  keys: number;
  /** Values under dynamic keys, in a recording. In answers they are among the fields. */
  keyed: ObservedShape | null;
  items: ObservedShape | null;
  readonly texts: ObservedTexts;
  written: WrittenPlace | null;
  readonly digests: Set<string>;
}

export interface ObservedTexts {
  /** Formats that all texts matched; meaningless without texts. */
  forms: ReadonlySet<StringForm>;
  /** Distinct texts. A recording has only their number. */
  readonly digests: Set<string>;
  count: number;
  /** The words themselves while they are few and short, for enums only. Null once they are not. */
  words: Set<string> | null;
}

export interface WrittenPlace {
  readonly words: readonly string[] | null;
  readonly otherwise: JsonObject | null;
  readonly named: ReadonlySet<string>;
  /** Whether a recording shows only dynamic keys. */
  readonly isMap: boolean;
  /** Fields that it may omit because the reference requires them. */
  readonly unlisted: ReadonlySet<string>;
}

const MOST_WORDS = 12;
const LONGEST_WORD = 32;
export const MOST_TEXTS = 50;
const MOST_DIGESTS = 20_000;
const DEEPEST = 64;
const ALL_FORMS: ReadonlySet<StringForm> = new Set(FORMS);

export function createObservedShape(): ObservedShape {
  return {
    types: new Map(),
    objects: 0,
    fields: new Map(),
    in: 0,
    out: 0,
    nights: new Set(),
    keys: 0,
    keyed: null,
    items: null,
    texts: { forms: ALL_FORMS, digests: new Set(), count: 0, words: new Set() },
    written: null,
    digests: new Set(),
  };
}

export function mostKeys({ fields, keys }: ObservedShape): number {
  const nights = [...fields.values()].flatMap((field) => [...field.nights]);
  return Math.max(keys, ...[...Map.groupBy(nights, String).values()].map(({ length }) => length));
}

export function textsIn(texts: ObservedTexts): number {
  return Math.min(MOST_TEXTS, Math.max(texts.count, texts.digests.size));
}

type Digests = Map<object, string>;

/** @param known digests of the value's parts */
export function learnValue(seen: ObservedShape, value: unknown, night = '', known: Digests = new Map(), depth = 0) {
  const type = typeOf(value);
  seen.types.set(type, countOf(seen, type) + 1);
  if (typeof value === 'string') addText(seen.texts, value);
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return;
  const own = digestOf(value, known, depth);
  if (seen.digests.has(own)) return;
  if (seen.digests.size < MOST_DIGESTS) seen.digests.add(own);
  if (Array.isArray(value)) {
    for (const item of value) {
      seen.items ??= createObservedShape();
      learnValue(seen.items, item, night, known, depth + 1);
    }
    return;
  }
  for (const [name, child] of Object.entries(value)) {
    const field = seen.fields.get(name) ?? { ...createObservedShape(), out: seen.objects };
    seen.fields.set(name, field);
    field.in += 1;
    field.nights.add(night);
    learnValue(field, child, night, known, depth + 1);
  }
  for (const [name, field] of seen.fields) if (!Object.hasOwn(value, name)) field.out += 1;
  seen.objects += 1;
}

function addText(texts: ObservedTexts, text: string): void {
  // Only the type of a secret is known.
  if (isMasked(text)) {
    texts.words = null;
    return;
  }
  if (texts.forms.size > 0) texts.forms = texts.forms.intersection(formsOf(text));
  if (texts.digests.size < MOST_TEXTS) texts.digests.add(hash('sha1', text));
  if (texts.words === null) return;
  if (text === '' || text.length > LONGEST_WORD) texts.words = null;
  else if (texts.words.add(text).size > MOST_WORDS) texts.words = null;
}

export function digestOf(value: unknown, known: Digests = new Map(), depth = 0): string {
  if (typeof value !== 'object' || value === null) return hash('sha1', `${typeof value} ${String(value)}`);
  const before = known.get(value);
  if (before !== undefined) return before;
  const own = depth > DEEPEST ? '…' : hash('sha1', contentOf(value, known, depth));
  known.set(value, own);
  return own;
}

function contentOf(value: object, known: Digests, depth: number): string {
  if (Array.isArray(value)) return `[${value.map((item) => digestOf(item, known, depth + 1)).join()}]`;
  const fields = Object.entries(value).map(
    ([name, child]) => `${JSON.stringify(name)}:${digestOf(child, known, depth + 1)}`,
  );
  return `{${fields.sort().join()}}`;
}

export function mergeTexts(into: ObservedTexts, from: ObservedTexts): void {
  into.forms = formsOfBoth(into, from);
  into.count = Math.max(into.count, from.count);
  for (const text of from.digests) if (into.digests.size < MOST_TEXTS) into.digests.add(text);
  into.words = wordsOfBoth(into.words, from.words);
}

/** Formats common to both. A side without texts does not count. */
function formsOfBoth(a: ObservedTexts, b: ObservedTexts): ReadonlySet<StringForm> {
  if (isEmpty(a)) return b.forms;
  if (isEmpty(b)) return a.forms;
  return a.forms.intersection(b.forms);
}

export function isEmpty({ digests, count }: ObservedTexts): boolean {
  return digests.size === 0 && count === 0;
}

function wordsOfBoth(a: Set<string> | null, b: Set<string> | null): Set<string> | null {
  if (a === null || b === null) return null;
  const both = a.union(b);
  return both.size > MOST_WORDS ? null : both;
}
