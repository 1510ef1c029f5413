import type { Credentials } from './mock.ts';

/**
 * Ids that play a role in the mock's examples and behaviour (`mocks/assumptions.overlay.yaml`, `docs/mock.md`). All are
 * assumed: the reference gives no type or format of any id.
 */

/** What a mock's token endpoint takes unless it was told other credentials. */
export const DEFAULT_CREDENTIALS: Credentials = { username: 'sandbox', password: 'sandbox-secret' };

export const CUSTOMER_ID = 'cust-1001';
export const CLIENT_ID = 'client-2001';
export const USER_ID = 'user-3001';
/** A user whose card provider demands answered security questions before a card is issued (API reference, Behavioural rules 1). */
export const USER_NEEDING_QUESTIONS = 'user-3002';
/** A physical card: its answers hold `token` (API reference, Resources, Card). Every cardId that is not known is answered like this one. */
export const PHYSICAL_CARD_ID = 'card-4001';
/** A virtual card: its answers hold no `token`. */
export const VIRTUAL_CARD_ID = 'card-4002';
export const ACCOUNT_ID = 'acc-5001';
export const BENEFICIARY_ID = 'ben-6001';
export const TRANSACTION_ID = 'txn-7001';
export const CURRENCY = 'GBP';

/** A value for every path parameter of every operation that the mock serves. */
export const ASSUMED_PARAMETERS: Readonly<Record<string, string>> = {
  customerId: CUSTOMER_ID,
  clientId: CLIENT_ID,
  userId: USER_ID,
  cardId: PHYSICAL_CARD_ID,
  accountId: ACCOUNT_ID,
  beneficiaryId: BENEFICIARY_ID,
  transactionId: TRANSACTION_ID,
  currency: CURRENCY,
};
