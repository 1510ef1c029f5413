import type { Contract } from '../contract/contract.ts';
import { JSON_TYPES, type JsonType } from '../schema/json.ts';
import { looksLikeId } from '../schema/key-names.ts';
import { shapeBySchemas } from './allowed-values.ts';
import { createShape, DEEPEST_TOLD, MOST_FIELDS, merge, type Shape, timesSeen } from './shape.ts';

const MOST_NAMES = 4;

export function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  const shown = names.slice(0, more > 1 ? MOST_NAMES : names.length).join(', ');
  return more > 1 ? `${shown} and ${more} more` : shown;
}

function typesIn({ types }: Shape): JsonType[] {
  return JSON_TYPES.filter((type) => types.has(type) && !(type === 'integer' && types.has('number')));
}

/** The types, with null only if it is the only type. Fingerprints use them, so changes inside do not count. */
export function typesOfShape(shape: Shape): string {
  const types = typesIn(shape);
  const named = types.length > 1 ? types.filter((type) => type !== 'null') : types;
  return named.sort().join(' or ');
}

/** `object { code: string, parts?: array of integer }`: `?` if some lack it, `*` for id-like keys; never a value. */
export function textOfShape(shape: Shape, depth = 0): string {
  return typesIn(shape)
    .map((type) => textOfType(type, shape, depth))
    .join(' or ');
}

function textOfType(type: JsonType, shape: Shape, depth: number): string {
  if (depth > DEEPEST_TOLD) return type;
  if (type === 'array') {
    const items = shape.items === null ? '' : textOfShape(shape.items, depth + 1);
    return items === '' ? type : `array of ${items}`;
  }
  if (type !== 'object' || shape.fields.size === 0) return type;
  const objects = shape.types.get('object') ?? 0;
  const fields = new Map<string, { shape: Shape; seen: number }>();
  for (const [name, field] of shape.fields) {
    const key = looksLikeId(name) ? '*' : name;
    const known = fields.get(key) ?? { shape: createShape(), seen: 0 };
    merge(known.shape, field);
    fields.set(key, { shape: known.shape, seen: Math.max(known.seen, timesSeen(field)) });
  }
  const sorted = [...fields].sort(([a], [b]) => (a < b ? -1 : 1));
  if (sorted.length > MOST_FIELDS) return `object with ${listed(sorted.map(([name]) => name))}`;
  const texts = sorted.map(([name, field]) => {
    const always = name === '*' || field.seen === 0 || field.seen >= objects;
    return `${name}${always ? '' : '?'}: ${textOfShape(field.shape, depth + 1) || 'any'}`;
  });
  return `object { ${texts.join(', ')} }`;
}

export function textOfSchema(contract: Contract, pointer: string): string | null {
  return textOfShape(shapeBySchemas(contract, [pointer])) || null;
}
