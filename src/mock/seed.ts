import type {
  AccountRecord,
  BeneficiaryRecord,
  CardRecord,
  ClientRecord,
  Kinds,
  TransactionRecord,
  UserRecord,
} from './state/kinds.ts';
import type { Base } from './state/records.ts';

/** What every customer of the mock starts with (`mocks/seed.yaml`, `schemas/seed.schema.json`). */
export interface Seed {
  readonly clients: readonly SeedClient[];
  readonly partnerProducts?: readonly PartnerProduct[];
  readonly fees?: SeedFees;
}

type Without<T, K extends PropertyKey> = Omit<T, K | 'clientId'>;

export interface SeedClient extends Omit<ClientRecord, 'status'> {
  readonly status?: ClientRecord['status'];
  readonly users?: readonly (Without<UserRecord, 'status' | 'credentials'> & {
    readonly credentials?: readonly (keyof NonNullable<UserRecord['credentials']>)[];
  })[];
  readonly cards?: readonly (Without<CardRecord, 'status'> & { readonly status?: 'ACTIVE' | 'SUSPENDED' })[];
  readonly accounts?: readonly (Without<AccountRecord, 'status' | 'readOnly'> &
    Partial<Pick<AccountRecord, 'status' | 'readOnly'>>)[];
  readonly beneficiaries?: readonly (Without<BeneficiaryRecord, 'visible'> & { readonly visible?: boolean })[];
  readonly transactions?: readonly Without<TransactionRecord, never>[];
}

export interface PartnerProduct {
  readonly productId: string;
  readonly partner: string;
  readonly kind: 'CARD' | 'ACCOUNT';
  readonly currencies: readonly string[];
}

export interface Fee {
  readonly type: string;
  readonly amount: number;
  readonly percentage?: number;
}

/** Per currency; a currency without fees of its own has the amounts of the first. */
export type FeeTable = Readonly<Record<string, readonly Fee[]>>;

export interface SeedFees {
  readonly card?: FeeTable;
  readonly account?: FeeTable;
  readonly transaction?: FeeTable;
}

/** The records of a seed by kind and id. The order of their members is that of the examples of the contract. */
export function recordsOf(seed: Seed): Base {
  const user = new Map<string, UserRecord>();
  const card = new Map<string, CardRecord>();
  const account = new Map<string, AccountRecord>();
  const beneficiary = new Map<string, BeneficiaryRecord>();
  const transaction = new Map<string, TransactionRecord>();
  const client = new Map<string, ClientRecord>();
  for (const { clientId, name, country, status = 'ACTIVE', ...its } of seed.clients) {
    client.set(clientId, { clientId, name, country, status });
    for (const { userId, cardProvider, credentials, ...rest } of its.users ?? []) {
      const made = Object.fromEntries((credentials ?? []).map((one) => [one, true])) as UserRecord['credentials'];
      user.set(userId, { userId, clientId, ...rest, status: 'ACTIVE', cardProvider, credentials: made });
    }
    for (const one of its.cards ?? []) card.set(one.cardId, cardOf(clientId, one));
    for (const { accountId, name: title, currency, balance, readOnly, status: state, ...routing } of its.accounts ?? [])
      account.set(accountId, {
        accountId,
        clientId,
        name: title,
        currency,
        balance,
        readOnly: readOnly ?? false,
        status: state ?? 'ACTIVE',
        ...routing,
      });
    for (const { beneficiaryId, visible, ...rest } of its.beneficiaries ?? [])
      beneficiary.set(beneficiaryId, { beneficiaryId, clientId, ...rest, visible: visible ?? true });
    for (const { transactionId, ...rest } of its.transactions ?? [])
      transaction.set(transactionId, { transactionId, clientId, ...rest });
  }
  return { client, user, card, account, beneficiary, transaction };
}

function cardOf(clientId: string, { cardId, providerCardId, status, ...rest }: SeedCard): Kinds['card'] {
  const { expires, maskedNumber, userId, cardType, cardProgramme, cardDesign, currency, alias, ...more } = rest;
  const named = { userId, cardType, cardProgramme, cardDesign, currency, alias, maskedNumber, expires };
  return { cardId, providerCardId, clientId, ...named, status: status ?? 'ACTIVE', ...more };
}

type SeedCard = NonNullable<SeedClient['cards']>[number];

/**
 * The same seed in which the records that play a role go by other ids, wherever these are named.
 * @param ids The new id of each old one.
 */
export function renamed(seed: Seed, ids: ReadonlyMap<string, string>): Seed {
  if (ids.size === 0) return seed;
  const walk = (node: unknown): unknown => {
    if (typeof node === 'string') return ids.get(node) ?? node;
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, walk(value)]));
  };
  return walk(seed) as Seed;
}
