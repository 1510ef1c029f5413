import type { Profile } from '../profile.ts';
import { ACCOUNT_ROUTING, BENEFICIARY_ROUTING, type Kind, type Kinds, LIMITS } from './kinds.ts';

/** What a record looks like to a caller. */
export type Shown = Readonly<Record<string, unknown>>;

export type Shownable = Exclude<Kind, 'counter' | 'key'>;

/** Serialises a record as the profile has it shown. */
export function showJson<K extends Shownable>(kind: K, value: Kinds[K], profile: Profile, now: number): string {
  return JSON.stringify(shown(kind, value, profile, now));
}

function shown<K extends Shownable>(kind: K, value: Kinds[K], profile: Profile, now: number): Shown {
  const { external, name } = profile.paymentProvider;
  const of = value as unknown as Shown;
  switch (kind) {
    case 'client':
      return { ...of, paymentProvider: name };
    case 'user':
      return without(of, ['cardProvider', 'credentials']);
    case 'card':
      return profile.cardLimits ? of : without(of, LIMITS);
    case 'account':
      return external ? of : without(of, ACCOUNT_ROUTING);
    case 'beneficiary':
      return external ? of : without(of, BENEFICIARY_ROUTING);
    default: {
      const { paymentProviderDetails: details } = value as Kinds['transaction'];
      return Date.parse(details.settlementDate) <= now ? { ...of, status: 'SETTLED' } : of;
    }
  }
}

function without(value: Shown, names: readonly string[]): Shown {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}
