import type { Contract, JsonObject } from '../../contract/contract.ts';
import type { Description } from '../fields.ts';

export interface Rebuild {
  readonly rule: 'fields-moved' | 'object-replaced' | 'fields-renamed';
  /** JsonObject that have gone, those that were required first. */
  readonly lost: readonly string[];
  readonly fresh: readonly string[];
  readonly expected: string;
  readonly actual: string;
  /** The names, of fields that are spelled otherwise. */
  readonly wanted?: string;
  /** Pointers from the object to what else is gone or new for this reason, deeper in it. */
  readonly inside?: readonly string[];
}

export interface Search {
  readonly contract: Contract;
  readonly object: JsonObject;
  readonly fields: Description;
  readonly lost: ReadonlySet<string>;
  readonly fresh: ReadonlySet<string>;
  /** True if nothing is left of what was there. */
  readonly hollow: boolean;
  /** True if at most one field is. */
  readonly sparse: boolean;
}

export const DEEPEST = 3;
