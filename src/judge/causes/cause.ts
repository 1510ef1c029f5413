import type { Observed } from '../rule.ts';
import type { Shape } from '../shape.ts';

export interface Cause extends Observed {
  times: number;
  /** The same of each exchange, by its number. */
  readonly exchanges: Map<number, number>;
  /** What was there in all of them together; null where that is not worth showing. */
  found: Shape | null;
  readonly spread?: Extent;
}

export interface Extent {
  readonly parts: readonly Cause[];
  /** What is wanted of the values that show it, if that is all that they have in common. */
  readonly kind: string | undefined;
  /** Of one object that all of them show: the name of its schema; empty if it has none. */
  readonly object?: string;
}
