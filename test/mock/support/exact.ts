import type { Json } from '../../../src/contract/contract.ts';

/** A copy of the document in which an object takes only what is declared: documented or assumed, nothing else. */
export function exact(node: Json): Json {
  if (Array.isArray(node)) return node.map(exact);
  if (typeof node !== 'object' || node === null) return node;
  const copy: Record<string, Json> = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, exact(value)]),
  );
  return copy.type === 'object' && copy.properties !== undefined ? { ...copy, additionalProperties: false } : copy;
}
