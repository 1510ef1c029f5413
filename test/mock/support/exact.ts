import type { Json } from '../../../src/schema/json.ts';

/** A copy of the document whose objects allow only declared members, documented or assumed. */
export function exact(node: Json): Json {
  if (Array.isArray(node)) return node.map(exact);
  if (typeof node !== 'object' || node === null) return node;
  const copy: Record<string, Json> = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, exact(value)]),
  );
  return copy.type === 'object' && copy.properties !== undefined ? { ...copy, additionalProperties: false } : copy;
}
