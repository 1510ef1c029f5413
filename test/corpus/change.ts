import type { VerifyOptions } from '../../src/run/options.ts';
import type { Switch } from './stand-in.ts';

/** One thing that may change in a sandbox, with what must be said of it. */
export interface Change extends Switch {
  /** What changed, unique in the corpus. */
  readonly name: string;
  /** `severity rule operationId pointer` of each finding, in any order, each once. Others are false alarms. */
  readonly finds: readonly string[];
  /** How many things changed, one by default: a change that is told by more findings than that is told twice. */
  readonly causes?: number;
  /** What messages of findings, reasons, and `rule: compatibility` must say. */
  readonly says?: readonly RegExp[];
  /** Operations of which must be said that they could not be judged; none by default. `all` where nothing may be judged, `some` where it hangs on the moment which. */
  readonly unclear?: readonly string[] | 'all' | 'some';
  /** Held to the reference and the tenant's overlay alone, not to a recording: then infos beside the expected are no false alarms. */
  readonly unrecorded?: true;
  /** Percent of the recording that is left of it. */
  readonly cut?: number;
  /** Tried by a whole `verify` too, not only by its calls and its judge. */
  readonly whole?: true;
  readonly options?: Pick<VerifyOptions, 'probe' | 'limits' | 'timeouts' | 'severity' | 'idsGone'>;
}

/** A kind of change, with its changes. */
export interface Kind {
  readonly kind: string;
  readonly changes: readonly Change[];
}

export const whole = (change: Change): Change => ({ ...change, whole: true });
/** The first of a table is tried by a whole `verify` too. */
export const firstWhole = ([first, ...rest]: readonly Change[]): Change[] =>
  first === undefined ? [] : [whole(first), ...rest];
export const unrecorded = (change: Change): Change => ({ ...change, unrecorded: true });
/** Two things that changed at once. */
export const twofold = (change: Change): Change => ({ ...change, causes: 2 });
