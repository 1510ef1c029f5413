import type { Json } from '../../contract/contract.ts';
import type { Value } from './records.ts';

/** What query parameters of a list do, where its operation documents them, and the envelope in which its answer shows the records. */
export interface ListFacts {
  readonly filters: readonly Filter[];
  /** Parameters by which a list is ordered: they name fields, or a direction. */
  readonly sorts: readonly string[];
  /** Fields by which it can be ordered. */
  readonly fields: readonly string[];
  readonly limit: { readonly name: string } | null;
  /** Of a page, where nothing is asked; null where all is shown then. */
  readonly usual: number | null;
  readonly offset: { readonly name: string } | null;
  /** `first`: how the first page is called, 0 or 1. */
  readonly page: { readonly name: string; readonly first: number } | null;
  readonly cursor: { readonly name: string } | null;
  readonly envelope: Envelope | null;
}

/** Of a page whose size nothing states (assumed). */
export const USUAL_SIZE = 20;

/** A query parameter; one of an object whose members are written `name[member]` is one for each of them. */
export interface Query {
  readonly name: string;
  readonly schema: Value;
  /** What stands between the values of a list of them. */
  readonly between: string | null;
  readonly said: string | undefined;
}

/** Picks records by a query parameter. */
export interface Filter {
  /** Of the parameter. */
  readonly name: string;
  readonly field: string;
  /** `is`: one of the values; `from` and `to` take the bound in, `after` and `before` leave it out. */
  readonly how: 'is' | 'from' | 'to' | 'after' | 'before';
  /** What stands between several values; null where one is one. */
  readonly between: string | null;
}

export const NUMBERS = ['total', 'count', 'pages', 'limit', 'offset', 'page'] as const;
export const TRUTHS = ['more', 'first', 'last'] as const;
export type Told = (typeof NUMBERS)[number] | (typeof TRUTHS)[number] | 'next';

/** What is told of a page. */
export type Page = { readonly [word in Told]: number | boolean | string | undefined };

/** What a member of an answer shows: the records, something that is told of the page, a constant of the document, or members. */
export type Part =
  | { readonly shows: 'items' }
  | {
      readonly tells: Told;
      readonly isText: boolean;
      readonly isNullable: boolean;
      /** What is shown where there is nothing to tell; absent where the member may be left out. */
      readonly otherwise?: number | string | boolean;
    }
  | { readonly is: Json }
  | { readonly members: Envelope };

/** The members of an object around the records of a list. */
export type Envelope = Readonly<Record<string, Part>>;
