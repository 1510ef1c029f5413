import type { Random } from './random.ts';
import type { Value } from './records.ts';

/** What a hook of a contract folder is given (`mocks/hooks`): no request header, no credential, no token. */
export interface HookInput {
  /** The record that is made or changed, as far as it is known. */
  readonly record: Value;
  /** The fields that the request sets. */
  readonly sent: Value;
  /** The record that a field of this one names; undefined where it names none. */
  readonly named: (field: string) => Value | undefined;
  readonly profile: Readonly<Record<string, unknown>>;
  /** The text of `from`, made up; empty without one. */
  readonly from: string;
  /** Milliseconds since the epoch, by the mock's clock. */
  readonly now: number;
  readonly random: Random;
  readonly limits: {
    /** Currencies for which the contract states maxima. */
    readonly currencies: readonly string[];
    /** Whether the values that were sent are within the maxima of a currency. */
    readonly admits: (currency: string) => boolean;
  };
}

/** A pure function of its input: it makes a value up, or (as a guard) says whether a request may go on. */
export type Hook = (input: HookInput) => unknown;

export type Hooks = Readonly<Record<string, Hook>>;

/** The hook that judges a rule of `x-rules`: that of `two-words` is `twoWords`. */
export function guardName(rule: string): string {
  return rule.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
