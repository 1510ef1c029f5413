import type { OverlaySource } from '../../src/contract/contract.ts';
import { PARAMETERS } from '../run/sandbox.ts';

/** Ids of the stand-in's tenant. */
export const TENANT_PARAMETERS: Readonly<Record<string, string>> = { ...PARAMETERS, transactionId: 't-5' };

/** The tenant's additional knowledge: paths of name-only operations. */
export const TENANT: OverlaySource = {
  file: 'tenant.yaml',
  text: `overlay: 1.0.0
info: { title: a tenant, version: 1.0.0 }
actions:
  - target: $.paths
    update:
      /core/api/customers/{customerId}/clients/{clientId}/accounts:
        get: { operationId: getAccounts }
      /core/api/customers/{customerId}/clients/{clientId}:
        get: { operationId: getClient }
      /core/api/customers/{customerId}/transactions/{transactionId}:
        get: { operationId: getTransaction }
      /core/api/customers/{customerId}/beneficiaries:
        get: { operationId: getBeneficiaries }
      /core/api/customers/{customerId}/products:
        get: { operationId: getAvailablePartnerProducts }
`,
};

/** Method and path of every operation that the stand-in serves. */
export const SERVED = {
  getCardFees: 'GET /billing/api/customers/c-1/client/cl-2/card/fees/GBP',
  getAccountFees: 'GET /billing/api/customers/c-1/client/cl-2/account/fees/GBP',
  getTransactionFees: 'POST /billing/api/customers/c-1/clients/cl-2/transactions/fees',
  getCardFeesDeprecated: 'GET /iam/api/customers/c-1/client/cl-2/card/fees/GBP',
  getAccountFeesDeprecated: 'GET /wallet/api/customers/c-1/client/cl-2/account/fees/GBP',
  getTransactionFeesDeprecated: 'GET /wallet/api/customers/c-1/clients/cl-2/transactions/fees',
  getCard: 'GET /wallet/api/customers/c-1/cards/k-4',
  listClientCards: 'GET /wallet/api/customers/c-1/clients/cl-2/cards',
  getAccounts: 'GET /core/api/customers/c-1/clients/cl-2/accounts',
  getClient: 'GET /core/api/customers/c-1/clients/cl-2',
  getTransaction: 'GET /core/api/customers/c-1/transactions/t-5',
  getBeneficiaries: 'GET /core/api/customers/c-1/beneficiaries',
  getAvailablePartnerProducts: 'GET /core/api/customers/c-1/products',
} as const;
export type Served = keyof typeof SERVED;

export const SERVED_IDS: readonly Served[] = Object.keys(SERVED) as Served[];

/** In [0, 1), the same numbers for the same seed. */
export type Random = () => number;

/** Small, seeded, and good enough to vary data (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

// biome-ignore lint/suspicious/noExplicitAny: changes reach into bodies of any shape, and a test of each says if one misses
export type Body = any;

/**
 * The good answer of an operation: one shape for all seeds, with varying values, lengths, order and optional fields.
 */
export function answerOf(operationId: Served, random: Random): Body {
  const data = makers(random);
  switch (operationId) {
    case 'getCard':
      return data.card();
    case 'listClientCards':
      return data.shuffled({ page: data.below(9), cards: data.many(0, 6, data.card) });
    case 'getAccounts':
      return {
        accounts: data.many(0, 4, () =>
          data.shuffled({ accountId: data.id(), wireRoutingNumber: data.digits(9), ibanForSwift: data.id() }),
        ),
      };
    case 'getClient':
      return data.shuffled({
        clientId: TENANT_PARAMETERS.clientId,
        paymentProvider: data.pick(['Nord', 'Süd']),
        frozen: data.flag(),
        frozenBy: null,
        restrictions: [],
        // constant, so that a recording sees one value of each
        memberSince: '2024-05-01T10:00:00Z',
        birthDate: '1990-12-31',
        iban: 'GB33BUKB20201555555555',
        audit: data.shuffled({ closedAt: null, entries: [], by: data.id() }),
      });
    case 'getTransaction':
      return data.transaction();
    case 'getBeneficiaries':
      return data.many(0, 5, () =>
        data.shuffled({ id: data.id(), visible: data.flag(), ...data.maybe('aba', data.id()) }),
      );
    case 'getAvailablePartnerProducts':
      return undefined;
    default:
      return {
        fees: data.many(1, 4, () =>
          data.shuffled({ name: data.id(), amount: data.amount(), ...data.maybe('per', data.id()) }),
        ),
      };
  }
}

function makers(random: Random) {
  const below = (limit: number): number => Math.floor(random() * limit);
  const flag = (): boolean => random() < 0.5;
  const digits = (length: number): string => Array.from({ length }, () => 1 + below(9)).join('');
  const id = (): string => `${'abcdef'[below(6)]}${below(1e9).toString(36)}`;
  const two = (number: number): string => String(number).padStart(2, '0');
  const date = (): string => `20${two(10 + below(40))}-${two(1 + below(12))}-${two(1 + below(28))}`;
  const moment = (): string =>
    `${date()}T${two(below(24))}:${two(below(60))}:${two(below(60))}${flag() ? '.125' : ''}Z`;
  const hex = (length: number): string => Array.from({ length }, () => below(16).toString(16)).join('');
  const uuid = (): string => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
  const amount = (): number => (flag() ? below(1000) : below(100_000) / 100);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const maybe = (name: string, value: unknown): object => (flag() ? { [name]: value } : {});
  const many = <T>(least: number, most: number, make: () => T): T[] =>
    Array.from({ length: least + below(most - least + 1) }, make);
  const shuffled = <T extends object>(value: T): T =>
    Object.fromEntries(
      Object.entries(value)
        .map((entry) => [random(), entry] as const)
        .sort(([a], [b]) => a - b)
        .map(([, entry]) => entry),
    ) as T;

  const card = (): Body =>
    shuffled({
      id: id(),
      cardProgramme: id(),
      cardDesign: id(),
      cardLimitDaily: below(1000),
      cardLimitMonthly: below(9000),
      cardLimitTransaction: below(100),
      ...maybe('token', id()),
      ...maybe('note', id()),
      alias: flag() ? null : id(),
      active: flag(),
      balance: amount(),
      opened: date(),
      updatedAt: moment(),
      trace: uuid(),
      contact: `${id()}@example.org`,
      terms: `https://bank.example/${id()}`,
      reference: shuffled({
        code: id(),
        parts: many(1, 3, () => ({ n: digits(1 + below(5)), rate: `${below(9)}.${digits(2)}` })),
      }),
      byAccount: Object.fromEntries(many(1, 3, () => [`acc-${1000 + below(8999)}`, { balance: amount() }])),
      tags: many(1, 4, id),
    });
  const transaction = (): Body =>
    shuffled({
      id: id(),
      purposeCode: id(),
      paymentProviderDetails: shuffled({
        shortReference: id(),
        internalReference: id(),
        paymentId: id(),
        conversionId: id(),
        rate: below(10_000) / 1000,
        settlementDate: moment(),
      }),
    });
  return { below, flag, digits, id, amount, pick, maybe, many, shuffled, card, transaction };
}
