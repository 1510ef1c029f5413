import type { Step } from './journey.ts';
import type { Change } from './stand-in.ts';

/** How a sandbox has drifted from what is documented, and from what a recording has seen of it. */
export const DRIFT: readonly Change[] = [
  { operation: 'getToken', drop: 'jti' },
  { operation: 'getCard', retype: 'cardLimitDaily', to: '100' },
  { operation: 'getAccountFees', status: 404 },
  { operation: 'getCardFeesDeprecated', drop: 'currency' },
  { operation: 'listClientCards', refuses: 'nothing' },
  { operation: 'issueNewCard', refuses: 'nothing' },
  // what only a recording can tell
  { operation: 'getCard', rename: 'alias', to: 'cardName' },
  { operation: 'getTransactionFees', retype: 'fees.type', to: 7 },
  { operation: 'getTransactionFeesDeprecated', type: 'text/plain' },
];

/** A talk that meets every verb, the conditions, the limits and the rule. */
export const TALK: readonly Step[] = [
  { operation: 'getClients' },
  { operation: 'getAccounts' },
  { operation: 'getAvailablePartnerProducts' },
  { operation: 'getCardFees', parameters: { currency: 'EUR' } },
  { operation: 'getTransactionFees', body: { amount: 10 } },
  { operation: 'getTransactionFees', body: { amount: 10, currency: 'JPY' } },
  { operation: 'getCardFees', parameters: { currency: 'KWD' } },
  { operation: 'getCard' },
  { operation: 'getCard', parameters: { cardId: 'card-4002' } },
  { operation: 'getCard', parameters: { cardId: 'card-9999' } },
  { operation: 'issueNewCard', body: { currency: 'GBP', cardLimitDaily: 100_000, alias: 'Travel' } },
  { operation: 'getCard', parameters: { cardId: { last: 'cardId' } } },
  { operation: 'suspendCard', parameters: { cardId: { last: 'cardId' } } },
  { operation: 'updateCardLimits', parameters: { cardId: { last: 'cardId' } }, body: { cardLimitDaily: 100_001 } },
  { operation: 'issueNewCard', body: { currency: 'EUR', cardLimitDaily: 115_001 } },
  { operation: 'issueNewCard', body: { cardLimitMonthly: 290_001 } },
  { operation: 'issueNewCard', body: { cardType: 'VIRTUAL', cardLimitDaily: 'much' } },
  { operation: 'issueNewCard', body: { userId: 'user-3002' } },
  { operation: 'createSecurityQuestions', parameters: { userId: 'user-3002' }, body: {} },
  { operation: 'issueNewCard', body: { userId: 'user-3002', cardType: 'VIRTUAL' } },
  { operation: 'deleteCard', parameters: { cardId: { last: 'cardId' } } },
  { operation: 'createUser', body: { firstName: 'Ann' } },
  { operation: 'createUsername', parameters: { userId: { last: 'userId' } }, body: {} },
  { operation: 'getBeneficiaries', query: 'visible=false' },
  { operation: 'createNewBeneficiary', body: { aba: '021000021' } },
  { operation: 'createTransaction', body: { amount: 12, accountId: 'acc-5002' } },
  { operation: 'createTransaction', body: { amount: 12, accountId: 'acc-5002', beneficiaryId: 'ben-6001' } },
  { operation: 'createTransaction', body: { amount: 9000, accountId: 'acc-5002', beneficiaryId: 'ben-6001' } },
  { operation: 'getTransaction', parameters: { transactionId: { last: 'transactionId' } } },
  { operation: 'createTransaction', body: { accountId: 'acc-9999' } },
  { operation: 'updateAccountReadOnly', body: {} },
  { operation: 'cancelAnAccount' },
  { operation: 'freezeCompany' },
  { operation: 'rejectClient' },
  { operation: 'unfreezeCompany' },
  { operation: 'getCardFeesDeprecated' },
  { operation: 'deleteClient' },
  { operation: 'getClient' },
  { operation: 'getCard' },
];
