import type { Contract, JsonObject } from '../../contract/contract.ts';
import { factsOf } from '../../contract/schema-facts.ts';
import type { Members } from './plan.ts';

const DEEPEST = 8;

/**
 * The members that schemas name, and those of what these hold; a list is as one of its items. Null where none is named, or where a schema
 * admits others.
 */
export function membersAt(contract: Contract, pointers: readonly string[], depth = 0): Members | null {
  if (pointers.length === 0 || depth > DEEPEST) return null;
  const facts = factsOf(contract, pointers, { alternatives: Number.POSITIVE_INFINITY });
  if (facts.items.length > 0) return membersAt(contract, facts.items, depth + 1);
  const isOpen = facts.parts.some(({ schema }) => isOpenTo(schema));
  if (facts.properties.size === 0 || isOpen) return null;
  const named = [...facts.properties].map(([name, own]) => [name, membersAt(contract, own, depth + 1)] as const);
  return Object.fromEntries(named);
}

function isOpenTo({ additionalProperties: others, patternProperties }: JsonObject): boolean {
  return patternProperties !== undefined || others === true || (typeof others === 'object' && others !== null);
}
