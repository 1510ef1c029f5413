import { type JsonType, typeOf } from '../schema/json.ts';

/** Everything seen at one place in all samples. It grows with each sample, and their order does not matter. */
export interface Shape {
  readonly types: Map<JsonType, number>;
  readonly fields: Map<string, Shape>;
  items: Shape | null;
}

const DEEPEST = 64;
export const MOST_FIELDS = 8;
export const DEEPEST_TOLD = 3;

export function createShape(): Shape {
  return { types: new Map(), fields: new Map(), items: null };
}

export function shapeOf(value: unknown): Shape {
  const shape = createShape();
  observe(shape, value);
  return shape;
}

export function observe(shape: Shape, value: unknown, depth = 0): void {
  const type = typeOf(value);
  shape.types.set(type, countOf(shape, type) + 1);
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return;
  if (Array.isArray(value)) {
    for (const item of value) {
      shape.items ??= createShape();
      observe(shape.items, item, depth + 1);
    }
    return;
  }
  for (const [name, child] of Object.entries(value)) {
    const field = shape.fields.get(name) ?? createShape();
    shape.fields.set(name, field);
    observe(field, child, depth + 1);
  }
}

export function merge(into: Shape, from: Shape): void {
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
}

export function countOf(shape: Shape, type: JsonType): number {
  return shape.types.get(type) ?? 0;
}

export function timesSeen(shape: Shape): number {
  return [...shape.types.values()].reduce((sum, count) => sum + count, 0);
}

/** An integer is a number: it depends on the samples which of the two was seen. */
export function numeric(type: string): string {
  return type === 'integer' ? 'number' : type;
}
