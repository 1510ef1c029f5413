import type { Contract, JsonObject } from '../spec/contract.ts';
import { joinPointer, pointerOfReference } from '../spec/pointer.ts';
import { objectFields } from './fields.ts';
import { listed } from './listed.ts';
import { looksLikeId } from './record/keys.ts';
import { isObject } from './record/known.ts';
import { createShape, type JsonType, merge, type Shape, timesSeen } from './record/shape.ts';

const MOST_FIELDS = 8;
const DEEPEST = 3;
const ORDER: readonly JsonType[] = ['boolean', 'integer', 'number', 'string', 'array', 'object', 'null'];

/** The types alone: null only where there was nothing else. It is what a fingerprint is made of, whatever comes and goes inside. */
export function typesOfShape(shape: Shape): string {
  const types = ORDER.filter((type) => shape.types.has(type) && !(type === 'integer' && shape.types.has('number')));
  const told = types.length > 1 ? types.filter((type) => type !== 'null') : types;
  return told.sort().join(' or ');
}

/**
 * What was seen, for a person: `object { code: string, parts?: array of integer }`. A field with `?` was there in some only; keys that
 * look like ids are `*`; never a value.
 */
export function textOfShape(shape: Shape, depth = 0): string {
  const types = ORDER.filter((type) => shape.types.has(type) && !(type === 'integer' && shape.types.has('number')));
  return types.map((type) => textOfType(type, shape, depth)).join(' or ');
}

function textOfType(type: JsonType, shape: Shape, depth: number): string {
  if (depth > DEEPEST) return type;
  if (type === 'array') return shape.items === null ? 'array' : `array of ${textOfShape(shape.items, depth + 1)}`;
  if (type !== 'object') return type;
  const objects = shape.types.get('object') ?? 0;
  const fields = new Map<string, { shape: Shape; seen: number }>();
  for (const [name, field] of shape.fields) {
    const key = looksLikeId(name) ? '*' : name;
    const known = fields.get(key) ?? { shape: createShape(), seen: 0 };
    merge(known.shape, field);
    fields.set(key, { shape: known.shape, seen: Math.max(known.seen, timesSeen(field)) });
  }
  return objectText(
    [...fields].map(([name, field]) => ({
      name,
      always: name === '*' || field.seen >= objects,
      text: () => textOfShape(field.shape, depth + 1),
    })),
  );
}

/** What a schema of the contract describes, in the same words. Null where it says nothing of the type. */
export function textOfSchema(contract: Contract, pointer: string, depth = 0): string | null {
  const types = typesOf(contract, pointer, 0);
  if (types.length === 0) return null;
  return types.map((type) => textOfSchemaType(contract, pointer, type, depth)).join(' or ');
}

function textOfSchemaType(contract: Contract, pointer: string, type: string, depth: number): string {
  if (depth > DEEPEST || (type !== 'object' && type !== 'array')) return type;
  if (type === 'array') {
    const items = part(contract, pointer, 'items', 0);
    const text = items === null ? null : textOfSchema(contract, items, depth + 1);
    return text === null ? type : `array of ${text}`;
  }
  const { properties, required } = objectFields(contract, [pointer]);
  return objectText(
    [...properties].map(([name, [schema = '']]) => ({
      name,
      always: required.has(name),
      text: () => textOfSchema(contract, schema, depth + 1) ?? 'any',
    })),
  );
}

interface Field {
  readonly name: string;
  readonly always: boolean;
  readonly text: () => string;
}

function objectText(fields: readonly Field[]): string {
  if (fields.length === 0) return 'object';
  const sorted = [...fields].sort((a, b) => (a.name < b.name ? -1 : 1));
  if (sorted.length > MOST_FIELDS) return `object with ${listed(sorted.map(({ name }) => name))}`;
  return `object { ${sorted.map(({ name, always, text }) => `${name}${always ? '' : '?'}: ${text()}`).join(', ')} }`;
}

function typesOf(contract: Contract, pointer: string, depth: number): string[] {
  const schema = contract.at(pointer);
  if (!isObject(schema) || depth > 8) return [];
  const { type } = schema;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((one): one is string => typeof one === 'string');
  const alternatives = (['anyOf', 'oneOf'] as const).flatMap((word) => branches(schema, pointer, word));
  if (alternatives.length > 0) {
    return [...new Set(alternatives.flatMap((child) => typesOf(contract, child, depth + 1)))];
  }
  const first = inner(schema, pointer)
    .map((child) => typesOf(contract, child, depth + 1))
    .find((types) => types.length > 0);
  return first ?? [];
}

/** Pointer of a keyword's schema, looked for in what a schema refers to as well. */
function part(contract: Contract, pointer: string, keyword: string, depth: number): string | null {
  const schema = contract.at(pointer);
  if (!isObject(schema) || depth > 8) return null;
  if (isObject(schema[keyword])) return joinPointer(pointer, keyword);
  const found = inner(schema, pointer).map((child) => part(contract, child, keyword, depth + 1));
  return found.find((child) => child !== null) ?? null;
}

function inner(schema: JsonObject, pointer: string): string[] {
  const { $ref } = schema;
  const target = typeof $ref === 'string' ? pointerOfReference($ref) : undefined;
  return [...(target === undefined ? [] : [target]), ...branches(schema, pointer, 'allOf')];
}

function branches(schema: JsonObject, pointer: string, word: string): string[] {
  const list = schema[word];
  return Array.isArray(list) ? list.map((_, index) => joinPointer(pointer, word, index)) : [];
}
