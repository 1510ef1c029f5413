import type { Observation } from '../rule.ts';
import type { RuleId } from '../rules.ts';
import type { Shape } from '../shape.ts';

/** An observation with the rule that made it. */
export interface Observed {
  readonly rule: RuleId;
  readonly observation: Observation;
}

/** What was seen of one cause. */
export interface Cause extends Observed {
  /** How often it was seen. */
  times: number;
  readonly exchanges: Set<number>;
  /** What was there in all of them together; null where that is not worth showing. */
  found: Shape | null;
  /** Of a change that most operations show alike: what each of them showed, and how many could have shown it. */
  readonly spread?: { readonly parts: readonly Cause[]; readonly of: number };
}
