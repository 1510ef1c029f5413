import type { Sort } from './sorts.ts';

/** What became of the fields of an object. */
export interface Rebuild {
  readonly rule: 'fields-moved' | 'object-replaced' | 'fields-renamed';
  /** Fields that have gone, those that were required first. */
  readonly lost: readonly string[];
  readonly fresh: readonly string[];
  readonly expected: string;
  readonly actual: string;
  /** What was expected, in more words. */
  readonly wanted?: string;
  /** Pointers from the object to what else is gone or new for this reason, deeper in it. */
  readonly inside?: readonly string[];
}

/** An object by the names of its fields, whether it is a value or only described. */
export interface NamedObject {
  has(name: string): boolean;
  names(): readonly string[];
  /** What stands in a field, where that is an object. */
  inside(name: string): NamedObject | null;
  /** Names of the fields of all objects in a list that stands in a field; null where none does, or one of anything else. */
  items(name: string): readonly string[] | null;
  /** What sort of value stands in a field. */
  sort(name: string): Sort;
}

export type Names = ReadonlySet<string>;
