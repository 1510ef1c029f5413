import type { Place } from '../../errors.ts';

/** One thing that lint found wrong with the bundled contract. */
export interface LintProblem {
  /** Name of the rule, `schema-invalid`, `example-invalid`, or the code of the loader's notice. */
  readonly rule: string;
  /** `info` is a remark, which is no fault of the contract. */
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  /** JSON pointer into the bundle; null where the problem lies in an overlay and left no trace in the bundle. */
  readonly pointer: string | null;
  /** Where it stands in the sources. */
  readonly place: Place;
}
