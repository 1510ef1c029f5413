import type { Contract } from '../contract/contract.ts';
import { casesOf, factsOf } from '../contract/schema-facts.ts';
import { describe } from './fields.ts';
import { createShape, type JsonType, merge, type Shape, timesSeen } from './shape.ts';
import { looksLikeId } from './strings.ts';

const MOST_NAMES = 4;

/** Names for a sentence: the first few, and how many more there are. */
export function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  const shown = names.slice(0, more > 1 ? MOST_NAMES : names.length).join(', ');
  return more > 1 ? `${shown} and ${more} more` : shown;
}

/** How wide and how deep something is told. */
export const MOST_FIELDS = 8;
export const DEEPEST = 3;
const ORDER: readonly JsonType[] = ['boolean', 'integer', 'number', 'string', 'array', 'object', 'null'];

/** An integer among numbers is one of them. */
function typesIn({ types }: Shape): JsonType[] {
  return ORDER.filter((type) => types.has(type) && !(type === 'integer' && types.has('number')));
}

/** The types alone: null only where there was nothing else. It is what a fingerprint is made of, whatever comes and goes inside. */
export function typesOfShape(shape: Shape): string {
  const types = typesIn(shape);
  const told = types.length > 1 ? types.filter((type) => type !== 'null') : types;
  return told.sort().join(' or ');
}

/**
 * What was seen, for a person: `object { code: string, parts?: array of integer }`. A field with `?` was there in some only; keys that
 * look like ids are `*`; never a value.
 */
export function textOfShape(shape: Shape, depth = 0): string {
  return typesIn(shape)
    .map((type) => textOfType(type, shape, depth))
    .join(' or ');
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
  const types = typesOf(contract, pointer);
  if (types.length === 0) return null;
  return types.map((type) => textOfSchemaType(contract, pointer, type, depth)).join(' or ');
}

function textOfSchemaType(contract: Contract, pointer: string, type: string, depth: number): string {
  if (depth > DEEPEST || (type !== 'object' && type !== 'array')) return type;
  const described = describe(contract, [pointer]);
  if (type === 'array') {
    const [items] = described.items;
    const text = items === undefined ? null : textOfSchema(contract, items, depth + 1);
    return text === null ? type : `array of ${text}`;
  }
  const { properties, required } = described;
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

const MOST_CASES = 100;

/** Types that a schema names, of alternatives all of them. */
function typesOf(contract: Contract, pointer: string): string[] {
  const cases = casesOf(contract, [pointer]).take(MOST_CASES);
  return [...new Set(cases.flatMap((one) => factsOf(contract, one, { alternatives: 0 }).types))];
}
