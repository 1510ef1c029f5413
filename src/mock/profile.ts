import type { CardProvider } from './state/kinds.ts';

/** The kind of tenant that the mock plays (`schemas/profile.schema.json`). What is left out is as in the default profile. */
export interface Profile {
  readonly name: string;
  readonly description: string;
  /** Who makes the customer's payments, and under which name (API reference, Resources, Client). */
  readonly paymentProvider: {
    /** The one external payment provider, with which alone the routing fields mean something; else the main banking provider. */
    readonly external: boolean;
    readonly name: string;
  };
  /** Whose cards the users get for whom the seed says nothing else. */
  readonly cardProvider: CardProvider;
  /** Whether cards have limits (API reference, Limits: not for every customer). */
  readonly cardLimits: boolean;
  /** Seconds. */
  readonly tokenLifetime: number;
  /** operationIds of the deprecated forms that still live; the others are withdrawn. Null: all that the contract has. */
  readonly deprecatedForms: readonly string[] | null;
}

/** As `mocks/profiles/default.yaml` says, so that a start need not read it. */
export const DEFAULT_PROFILE: Profile = {
  name: 'default',
  description: 'A customer on the external payment provider, with cards of the first card provider that have limits.',
  paymentProvider: { external: true, name: 'external-payment-provider' },
  cardProvider: 'first',
  cardLimits: true,
  tokenLifetime: 3600,
  deprecatedForms: null,
};
