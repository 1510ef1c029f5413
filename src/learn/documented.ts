import type { Contract } from '../contract/contract.ts';
import { factsOf, type SchemaFacts } from '../schema/schema-facts.ts';

/** The documented facts of one place. A recording does not repeat them, so that one change is one finding. */
export type Documented = SchemaFacts;

export function documentedAt(contract: Contract, pointers: readonly string[]): Documented | undefined {
  const facts = factsOf(contract, pointers, { known: 'documented', alternatives: 0 });
  return facts.parts.length === 0 ? undefined : facts;
}

export function says(known: Documented | undefined, ...words: readonly string[]): boolean {
  return known?.parts.some(({ schema }) => words.some((word) => schema[word] !== undefined)) === true;
}

export function saysForm(known: Documented | undefined): boolean {
  return says(known, 'format', 'pattern', 'enum', 'const');
}

export interface SchemaOptions {
  readonly contract: Contract;
  readonly isValue: (key: string) => boolean;
  readonly isSecret: (field: string) => boolean;
  readonly enums: boolean;
  readonly item?: ItemPlace | undefined;
}

export interface ItemPlace {
  readonly at: string;
  readonly known: Documented | undefined;
  /** Null if the loader merges the documented schema in. */
  readonly ref: string | null;
}

export function documentedItems(
  known: Documented | undefined,
  at: string,
  { item, contract }: SchemaOptions,
): Documented | undefined {
  if (item?.at === at && item.known !== undefined) return item.known;
  return known && documentedAt(contract, known.items);
}
