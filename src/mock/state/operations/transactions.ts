import { member } from '../../behaviour/behaviour.ts';
import type { TransactionRecord } from '../kinds.ts';
import {
  DAY,
  dateTime,
  freshId,
  isRefusal,
  named,
  notFound,
  randomFor,
  type StateOperations,
  text,
  unknownReference,
} from '../operation.ts';

export const TRANSACTION_OPERATIONS: StateOperations = {
  createTransaction: {
    needs: ['clientId'],
    run(draft, asked, scene) {
      const { body, parameters, now } = asked;
      const { clientId = '' } = parameters;
      if (!draft.get('client', clientId)) return notFound('client', 'clientId');
      const [wantedAccount, wantedBeneficiary] = [text(body, 'accountId'), text(body, 'beneficiaryId')];
      const account =
        wantedAccount === undefined
          ? draft.list('account', clientId).find(({ status }) => status === 'ACTIVE')
          : draft.get('account', wantedAccount);
      if (wantedAccount !== undefined && account?.clientId !== clientId)
        return unknownReference('account', 'accountId');
      const beneficiary =
        wantedBeneficiary === undefined
          ? draft.list('beneficiary', clientId)[0]
          : draft.get('beneficiary', wantedBeneficiary);
      if (wantedBeneficiary !== undefined && beneficiary?.clientId !== clientId)
        return unknownReference('beneficiary', 'beneficiaryId');
      const random = randomFor(draft, 'transaction', asked, scene);
      const transactionId = freshId(draft, 'transaction', 'txn', random);
      const amount = member(body, 'amount');
      const currency = text(body, 'currency') ?? account?.currency ?? 'GBP';
      const transaction: TransactionRecord = {
        transactionId,
        clientId,
        accountId: account?.accountId,
        beneficiaryId: beneficiary?.beneficiaryId,
        amount: typeof amount === 'number' ? amount : 100 + random.number(90_000) / 100,
        currency,
        status: 'PENDING',
        createdAt: dateTime(now),
        purposeCode: text(body, 'purposeCode') ?? 'invoice_payment',
        paymentProviderDetails: {
          shortReference: `${dateTime(now).slice(2, 10).replaceAll('-', '')}-${random.hex(6).toUpperCase()}`,
          internalReference: `INT-${random.digits(8)}`,
          paymentId: `pay-${random.hex(12)}`,
          conversionId: `cnv-${random.hex(12)}`,
          rate: account === undefined || account.currency === currency ? 1 : (8_000 + random.number(6_000)) / 10_000,
          settlementDate: dateTime(now + 2 * DAY),
        },
      };
      return { kind: 'transaction', one: draft.put('transaction', transactionId, transaction) };
    },
  },
  getTransaction: {
    needs: ['transactionId'],
    run(draft, asked) {
      const transaction = named(draft, 'transaction', asked);
      return isRefusal(transaction) ? transaction : { kind: 'transaction', one: transaction };
    },
  },
};
