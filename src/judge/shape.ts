import { FORMS, formsOf, isMasked, type StringForm } from './strings.ts';

export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** What was seen at one place of all samples. It grows with each sample and knows no order of them. */
export interface Shape {
  /** How often there was a value of each type. */
  readonly types: Map<JsonType, number>;
  /** Forms that every text had so far. */
  forms: ReadonlySet<StringForm>;
  /** Fields of the objects, by name. */
  readonly fields: Map<string, Shape>;
  /** What stands in the lists; null where there was none, or an empty one only. */
  items: Shape | null;
  /** Distinct texts, as long as they are few and short: for enums, and never written otherwise. Null once they are not. */
  texts: Set<string> | null;
}

/** More distinct texts than this are no enum. */
export const MOST_WORDS = 12;
const LONGEST_WORD = 32;
const DEEPEST = 64;

export function createShape(): Shape {
  return { types: new Map(), forms: ALL_FORMS, fields: new Map(), items: null, texts: new Set() };
}

/** Shared: a body of a hundred thousand members has as many shapes. */
const ALL_FORMS: ReadonlySet<StringForm> = new Set(FORMS);

/** What one value shows. */
export function shapeOf(value: unknown): Shape {
  const shape = createShape();
  observe(shape, value);
  return shape;
}

/** Adds one value to what was seen at a place. What is deeper than 64 levels is only known to be there. */
export function observe(shape: Shape, value: unknown, depth = 0): void {
  const type = typeOf(value);
  shape.types.set(type, countOf(shape, type) + 1);
  if (typeof value === 'string') observeText(shape, value);
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return;
  if (Array.isArray(value)) {
    for (const item of value) {
      shape.items ??= createShape();
      observe(shape.items, item, depth + 1);
    }
    return;
  }
  for (const [name, child] of Object.entries(value)) {
    let field = shape.fields.get(name);
    if (field === undefined) {
      field = createShape();
      shape.fields.set(name, field);
    }
    observe(field, child, depth + 1);
  }
}

function observeText(shape: Shape, text: string): void {
  if (shape.forms.size > 0) {
    const forms = formsOf(text);
    shape.forms = new Set([...shape.forms].filter((form) => forms.has(form)));
  }
  if (shape.texts === null) return;
  if (text === '' || text.length > LONGEST_WORD || isMasked(text)) shape.texts = null;
  else if (shape.texts.add(text).size > MOST_WORDS) shape.texts = null;
}

/** Adds all that was seen at one place to another. */
export function merge(into: Shape, from: Shape): void {
  const hadTexts = countOf(into, 'string') > 0;
  if (countOf(from, 'string') > 0) {
    into.forms = hadTexts ? new Set([...into.forms].filter((form) => from.forms.has(form))) : from.forms;
  }
  for (const [type, count] of from.types) into.types.set(type, countOf(into, type) + count);
  for (const [name, field] of from.fields) {
    const own = into.fields.get(name) ?? createShape();
    into.fields.set(name, own);
    merge(own, field);
  }
  if (from.items !== null) {
    into.items ??= createShape();
    merge(into.items, from.items);
  }
  if (into.texts === null || from.texts === null) into.texts = null;
  else {
    for (const text of from.texts) into.texts.add(text);
    if (into.texts.size > MOST_WORDS) into.texts = null;
  }
}

export function countOf(shape: Shape, type: JsonType): number {
  return shape.types.get(type) ?? 0;
}

/** How often there was a value at all. */
export function timesSeen(shape: Shape): number {
  return [...shape.types.values()].reduce((sum, count) => sum + count, 0);
}

/** JSON type of a value, integers apart from other numbers. */
export function typeOf(value: unknown): JsonType {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as JsonType;
}
