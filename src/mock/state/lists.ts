import type { Contract, Json } from '../../contract/contract.ts';
import { isObject } from '../../contract/schema-facts.ts';
import { ToolError } from '../../errors.ts';
import { joinPointer } from '../../text/pointer.ts';

/** Words of `x-list` at a query parameter. The words of {@link BOUNDS} are followed by a field: `from FIELD`. */
export const ROLES = ['limit', 'offset', 'page', 'cursor', 'sort'] as const;
/** `from` and `to` include the bound. */
export const BOUNDS = ['is', 'from', 'to'] as const;
/** Words of `x-list` at a property of the object around a list. */
export const MEMBERS = ['total', 'count', 'pages', 'limit', 'offset', 'page', 'more', 'first', 'last', 'next'] as const;

/** What the query of a list does, and the object in which the records stand, as `x-list` states it. */
export interface ListFacts {
  readonly filters: readonly Filter[];
  readonly roles: Readonly<Partial<Record<(typeof ROLES)[number], string>>>;
  /** Number of the first page: 0 or 1. */
  readonly firstPage: number;
  /** Size of a page if the query does not state it; null: all records. */
  readonly usual: number | null;
  readonly envelope: Envelope | null;
}

export interface Filter {
  readonly name: string;
  readonly how: (typeof BOUNDS)[number];
  readonly field: string;
  /** Several values stand in one parameter, with commas. */
  readonly isArray: boolean;
}

/** A member of an answer: the records, a fact of the page, a constant of the document, or members of its own. */
export type EnvelopePart =
  | { readonly shows: 'items' }
  | {
      readonly tells: (typeof MEMBERS)[number];
      readonly isText: boolean;
      readonly isNullable: boolean;
      readonly isRequired: boolean;
    }
  | { readonly is: Json }
  | { readonly members: Envelope };

export type Envelope = Readonly<Record<string, EnvelopePart>>;

export function wordAt(contract: Contract, pointer: string): string | undefined {
  const node = contract.at(pointer);
  const said = isObject(node) ? node['x-list'] : undefined;
  return said === undefined ? undefined : String(said);
}

export function unknownWord(contract: Contract, pointer: string, said: string, known: string): ToolError {
  const place = contract.placeOf(joinPointer(pointer, 'x-list'));
  return new ToolError('spec-invalid', `There is no x-list ${said}.`, { place, hint: `Known here: ${known}.` });
}
