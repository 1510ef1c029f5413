/**
 * What the mock remembers. All of it is assumed but the fields of API reference, Resources: the reference shows no identifier,
 * no state and no name. Values are never changed in place: a change puts a new one.
 */
export interface Kinds {
  readonly client: ClientRecord;
  readonly user: UserRecord;
  readonly card: CardRecord;
  readonly account: AccountRecord;
  readonly beneficiary: BeneficiaryRecord;
  readonly transaction: TransactionRecord;
  /** How many of a kind were created: ids follow from it. */
  readonly counter: { readonly count: number };
  readonly key: { readonly customerKey: string; readonly createdAt: string };
}

export type Kind = keyof Kinds;

/** The kinds that a seed holds, and that belong to a client. */
export const SEEDED: readonly Exclude<Kind, 'counter' | 'key'>[] = [
  'client',
  'user',
  'card',
  'account',
  'beneficiary',
  'transaction',
];

export interface ClientRecord {
  readonly clientId: string;
  readonly name: string;
  readonly country: string;
  readonly status: 'ACTIVE' | 'FROZEN' | 'REJECTED';
}

export interface UserRecord {
  readonly userId: string;
  readonly clientId: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phone: string;
  readonly status: 'ACTIVE';
  /** Never shown. Absent: that of the profile. */
  readonly cardProvider?: CardProvider | undefined;
  /** Which credentials were made. Never shown, and no secret is kept. */
  readonly credentials?: Readonly<Partial<Record<Credential, true>>> | undefined;
}

export type Credential = 'USERNAME' | 'SECURITY_QUESTIONS' | 'SECURITY_CODE' | 'PASSWORD';

/** The two providers whose cards can be issued; the second demands answered security questions (API reference, Behavioural rules). */
export type CardProvider = 'first' | 'second';

export interface CardRecord {
  readonly cardId: string;
  readonly providerCardId: string;
  readonly clientId: string;
  readonly userId?: string | undefined;
  readonly cardType: 'PHYSICAL' | 'VIRTUAL';
  readonly cardProgramme: string;
  readonly cardDesign: string;
  readonly currency: string;
  readonly alias: string;
  readonly maskedNumber: string;
  readonly expires: string;
  readonly status: 'ACTIVE' | 'SUSPENDED' | 'CANCELLED';
  readonly cardLimitDaily?: number | undefined;
  readonly cardLimitMonthly?: number | undefined;
  readonly cardLimitTransaction?: number | undefined;
  /** Physical cards only (API reference, Resources, Card). */
  readonly token?: string | undefined;
}

/** The limits of a card (API reference, Limits). */
export const LIMITS = ['cardLimitDaily', 'cardLimitMonthly', 'cardLimitTransaction'] as const;

export interface AccountRecord {
  readonly accountId: string;
  readonly clientId: string;
  readonly name: string;
  readonly currency: string;
  readonly balance: number;
  readonly readOnly: boolean;
  readonly status: 'ACTIVE' | 'CANCELLED';
  readonly wireRoutingNumber?: string | undefined;
  readonly achRoutingNumber?: string | undefined;
  readonly ibanForSwift?: string | undefined;
}

/** Of an account: only meaningful with the external payment provider (API reference, Resources, Account). */
export const ACCOUNT_ROUTING = ['wireRoutingNumber', 'achRoutingNumber', 'ibanForSwift'] as const;

export interface BeneficiaryRecord {
  readonly beneficiaryId: string;
  readonly clientId: string;
  readonly name: string;
  readonly currency: string;
  readonly country: string;
  readonly aba?: string | undefined;
  readonly clabe?: string | undefined;
  readonly ifsc?: string | undefined;
  readonly cnaps?: string | undefined;
  readonly visible: boolean;
}

/** Of a beneficiary: only meaningful with the external payment provider (API reference, Resources, Beneficiary). */
export const BENEFICIARY_ROUTING = ['aba', 'clabe', 'ifsc', 'cnaps'] as const;

export interface TransactionRecord {
  readonly transactionId: string;
  readonly clientId: string;
  readonly accountId?: string | undefined;
  readonly beneficiaryId?: string | undefined;
  readonly amount: number;
  readonly currency: string;
  /** Once the settlement date has passed, it is shown as settled. */
  readonly status: 'PENDING' | 'SETTLED';
  readonly createdAt: string;
  readonly purposeCode: string;
  readonly paymentProviderDetails: {
    readonly shortReference: string;
    readonly internalReference: string;
    readonly paymentId: string;
    readonly conversionId: string;
    readonly rate: number;
    readonly settlementDate: string;
  };
}
