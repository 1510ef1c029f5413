import type { VerifyOptions } from '../../src/run/options.ts';
import type { Switch } from './stand-in.ts';

/** One possible change of a sandbox, with the expected report. */
export interface Change extends Switch {
  /** The change, unique in the corpus. */
  readonly name: string;
  /** `severity rule operationId pointer` of each finding once, in any order. Any other finding is a false alarm. */
  readonly finds: readonly string[];
  /** The number of changes, one by default: more findings than changes count as duplicates. */
  readonly causes?: number;
  /** Texts expected in messages of findings, reasons, and `rule: compatibility`. */
  readonly says?: readonly RegExp[];
  /**
   * Operations that must be inconclusive; empty by default. `all` if nothing may be judged, `some` if it depends on
   * timing.
   */
  readonly unclear?: readonly string[] | 'all' | 'some';
  /**
   * Compared only with the reference and the tenant's overlay, not with a recording. Additional infos are not false
   * alarms then.
   */
  readonly unrecorded?: true;
  /** Actions of an overlay with further recorded facts. */
  readonly overlay?: string;
  /** Percentage of the recording that remains. */
  readonly cut?: number;
  /** Also tried by a whole `verify`, not only by its calls and its judge. */
  readonly whole?: true;
  readonly options?: Pick<VerifyOptions, 'probe' | 'limits' | 'timeouts' | 'severity' | 'idsGone' | 'unsettled'>;
}

/** A kind of change, with its changes. */
export interface Kind {
  readonly kind: string;
  readonly changes: readonly Change[];
}

export const whole = (change: Change): Change => ({ ...change, whole: true });
/** The first change of a table is also tried by a whole `verify`. */
export const firstWhole = ([first, ...rest]: readonly Change[]): Change[] =>
  first === undefined ? [] : [whole(first), ...rest];
export const unrecorded = (change: Change): Change => ({ ...change, unrecorded: true });
/** Two simultaneous changes. */
export const twofold = (change: Change): Change => ({ ...change, causes: 2 });
