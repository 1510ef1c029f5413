import type { Profile } from '../profile.ts';
import { ACCOUNT_ROUTING, BENEFICIARY_ROUTING, type Kind, type Kinds, LIMITS } from './kinds.ts';

/** What a record looks like to a caller. */
export type Shown = Readonly<Record<string, unknown>>;

/** Serialises records as the profile has them shown. A record is written once: its value never changes. */
export interface Shower {
  json<K extends Shownable>(kind: K, value: Kinds[K], now: number): string;
}

export type Shownable = Exclude<Kind, 'counter' | 'key'>;

export function createShower(profile: () => Profile): Shower {
  let written = new WeakMap<object, string>();
  let writtenFor = profile();
  return {
    json(kind, value, now) {
      if (writtenFor !== profile()) {
        writtenFor = profile();
        written = new WeakMap();
      }
      const before = written.get(value);
      if (before !== undefined) return before;
      const json = JSON.stringify(shown(kind, value, writtenFor, now));
      // a transaction settles as time goes by
      if (kind !== 'transaction') written.set(value, json);
      return json;
    },
  };
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
