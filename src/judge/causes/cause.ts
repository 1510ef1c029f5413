import type { Observation } from '../rule.ts';
import type { RuleId } from '../rules.ts';
import type { Shape } from '../shape.ts';

export interface Observed {
  readonly rule: RuleId;
  readonly observation: Observation;
}

export interface Cause extends Observed {
  times: number;
  /** The same of each exchange, by its number. */
  readonly exchanges: Map<number, number>;
  /** What was there in all of them together; null where that is not worth showing. */
  found: Shape | null;
  /** Of a change that most operations show alike: how far it goes. */
  readonly spread?: Extent;
}

export interface Extent {
  /** What each operation, or each place, showed. */
  readonly parts: readonly Cause[];
  /** How many operations or places showed it, of how many that could have. */
  readonly shown: number;
  readonly of: number;
  /** The service that it is of; empty for the whole target. */
  readonly service: string;
  /** What is wanted of the values that show it, where it is measured by them. */
  readonly kind: string | undefined;
  /** Of one object that all of them show: the name of its schema; empty where it has none. */
  readonly object?: string;
}
