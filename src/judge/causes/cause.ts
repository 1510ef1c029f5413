import type { Observed } from '../rule.ts';
import type { Shape } from '../shape.ts';

export interface Cause extends Observed {
  times: number;
  readonly exchanges: Map<number, number>;
  found: Shape | null;
  readonly spread?: Extent;
}

export interface Extent {
  readonly parts: readonly Cause[];
  readonly kind: string | undefined;
  readonly object?: string;
}
