import type { Contract } from '../../contract/contract.ts';
import type { Description, Fields } from '../fields.ts';

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

export interface Search {
  readonly contract: Contract;
  readonly object: Fields;
  readonly fields: Description;
  readonly lost: ReadonlySet<string>;
  readonly fresh: ReadonlySet<string>;
  /** Whether a field is named by another schema of the same place. */
  isNamed(name: string): boolean;
  readonly hollow: boolean;
}

export const DEEPEST = 3;
