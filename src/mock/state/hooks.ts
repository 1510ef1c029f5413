import { CURRENCY_DECIMALS } from '../../../generated/currencies.ts';
import { byCurrency, excessesOf, type Maxima } from '../../contract/limits.ts';
import type { Random } from './random.ts';
import type { Draft, Value } from './records.ts';

/** Input of a contract folder's hook (`mocks/hooks`). It contains no request header, credential or token. */
export interface HookInput {
  readonly record: Value;
  readonly sent: Value;
  /** The record that a field refers to; undefined if the field names no record. */
  readonly named: (field: string) => Value | undefined;
  readonly listed: (kind: string) => readonly Value[];
  /** Number of decimals in amounts of a currency (ISO 4217); undefined for an unknown currency. */
  readonly decimals: (currency: string) => number | undefined;
  readonly profile: Readonly<Record<string, unknown>>;
  /** The text generated from `from`; empty without `from`. */
  readonly from: string;
  /** Milliseconds since the epoch, by the mock's clock. */
  readonly now: number;
  readonly random: Random;
  readonly limits: {
    readonly currencies: readonly string[];
    readonly admits: (currency: string) => boolean;
  };
}

function decimalsOf(currency: string): number | undefined {
  return Object.hasOwn(CURRENCY_DECIMALS, currency) ? CURRENCY_DECIMALS[currency] : undefined;
}

/** A pure function of its input. It generates a value. As a guard it returns false to reject the request. */
export type Hook = (input: HookInput) => unknown;

export type Hooks = Readonly<Record<string, Hook>>;

/** The hook name for a rule of `x-rules`: `two-words` becomes `twoWords`. */
export function guardName(rule: string): string {
  return rule.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

const MOST_SAMPLES = 2 ** 31;

export interface Maker {
  readonly maxima: Maxima | null;
  named(draft: Draft, field: string, id: unknown): Value | undefined;
  random(draft: Draft, tenant: string): Random;
}

/** The input for creating or changing a record, and the record so far. Costly parts are created on first use. */
export class Making implements HookInput {
  readonly record: Record<string, unknown>;
  readonly sent: Value;
  readonly profile: HookInput['profile'];
  readonly now: number;
  from = '';
  readonly #maker: Maker;
  readonly #draft: Draft;
  readonly #tenant: string;
  readonly #ids: Value;
  #random: Random | undefined;
  #sample: Value | undefined;

  /** @param ids of the records that it refers to */
  constructor(
    maker: Maker,
    draft: Draft,
    { tenant, profile, now }: { readonly tenant: string } & Pick<HookInput, 'profile' | 'now'>,
    { record, sent, ids }: { readonly record: Value; readonly sent: Value; readonly ids: Value },
  ) {
    this.record = record;
    this.sent = sent;
    this.profile = profile;
    this.now = now;
    this.#maker = maker;
    this.#draft = draft;
    this.#tenant = tenant;
    this.#ids = ids;
  }

  get named(): HookInput['named'] {
    return (field) => this.#maker.named(this.#draft, field, this.#ids[field]);
  }

  get listed(): HookInput['listed'] {
    return (kind) => this.#draft.list(kind);
  }

  get decimals(): HookInput['decimals'] {
    return decimalsOf;
  }

  get random(): Random {
    this.#random ??= this.#maker.random(this.#draft, this.#tenant);
    return this.#random;
  }

  /** A whole record by its schema, the same for all fields of this record. */
  sampled(sample: (chance: number) => Value): Value {
    this.#sample ??= sample(this.random.number(MOST_SAMPLES));
    return this.#sample;
  }

  get limits(): HookInput['limits'] {
    const admits = (currency: string): boolean => excessesOf(this.#maker.maxima, this.sent, currency).length === 0;
    return { currencies: Object.keys(byCurrency(this.#maker.maxima)), admits };
  }
}
