import { excessesOf, type Maxima } from '../../spec/limits.ts';
import type { Profile } from '../profile.ts';
import type { HookInput } from './hooks.ts';
import type { Random } from './random.ts';
import type { Value } from './records.ts';

/** What a record is made or changed with, and what is made of it so far. */
export class Making implements HookInput {
  readonly record: Record<string, unknown>;
  readonly sent: Value;
  readonly profile: Profile;
  readonly now: number;
  readonly from: string = '';
  readonly named: HookInput['named'];
  readonly #maxima: Maxima | null;
  readonly #currencies: readonly string[];
  readonly #start: () => Random;
  #random: Random | undefined;

  constructor(
    { record, sent }: Pick<HookInput, 'record' | 'sent'>,
    { profile, now }: { readonly profile: Profile; readonly now: number },
    named: HookInput['named'],
    { maxima, currencies }: { readonly maxima: Maxima | null; readonly currencies: readonly string[] },
    start: () => Random,
  ) {
    this.record = record;
    this.sent = sent;
    this.profile = profile;
    this.now = now;
    this.named = named;
    this.#maxima = maxima;
    this.#currencies = currencies;
    this.#start = start;
  }

  get random(): Random {
    this.#random ??= this.#start();
    return this.#random;
  }

  get limits(): HookInput['limits'] {
    const { sent } = this;
    const maxima = this.#maxima;
    return { currencies: this.#currencies, admits: (currency) => excessesOf(maxima, sent, currency).length === 0 };
  }

  /** The same, with the text of `from`. */
  given(from: string): HookInput {
    const { record, sent, profile, now, named, random, limits } = this;
    return { record, sent, profile, now, named, random, limits, from };
  }
}
