import type { Contract } from '../../contract/contract.ts';
import type { Description } from '../fields.ts';
import type { Sort } from './sorts.ts';

export interface Rebuild {
  readonly rule: 'fields-moved' | 'object-replaced' | 'fields-renamed';
  /** Fields that have gone, those that were required first. */
  readonly lost: readonly string[];
  readonly fresh: readonly string[];
  readonly expected: string;
  readonly actual: string;
  readonly wanted?: string;
  /** Pointers from the object to what else is gone or new for this reason, deeper in it. */
  readonly inside?: readonly string[];
}

/** An object by the names of its fields, whether it is a value or only described. */
export interface NamedObject {
  has(name: string): boolean;
  names(): readonly string[];
  inside(name: string): NamedObject | null;
  /** Names of the fields of all objects in a list that stands in a field; null where none does, or one of anything else. */
  items(name: string): readonly string[] | null;
  sort(name: string): Sort;
}

export type Names = ReadonlySet<string>;

/** An object that is looked through for what became of some of its fields. */
export interface Search {
  readonly contract: Contract;
  readonly object: NamedObject;
  readonly fields: Description;
  readonly lost: Names;
  readonly fresh: Names;
  readonly hollow: boolean;
}
