import { parsePointer } from '../text/pointer.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** In the order in which texts and schemas list them. */
export const JSON_TYPES = ['boolean', 'integer', 'number', 'string', 'array', 'object', 'null'] as const;
export type JsonType = (typeof JSON_TYPES)[number];

export function typeOf(value: unknown): JsonType {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as JsonType;
}

/** Whether types include the type of a value: an integer is a number as well. */
export function admits(types: readonly string[], type: string): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

export function nodeAt(document: Json, pointer: string): Json | undefined {
  const inside = (node: Json | undefined, key: string): Json | undefined =>
    typeof node === 'object' && node !== null && Object.hasOwn(node, key) ? (node as JsonObject)[key] : undefined;
  return parsePointer(pointer)?.reduce(inside, document);
}

export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** An object without members for any other value. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
