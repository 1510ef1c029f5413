import { member } from '../../behaviour/behaviour.ts';
import type { AccountRecord } from '../kinds.ts';
import {
  type Asked,
  freshId,
  type Given,
  isRefusal,
  named,
  notFound,
  randomFor,
  type Scene,
  type StateOperation,
  type StateOperations,
  text,
  unknownReference,
} from '../operation.ts';
import type { Draft } from '../records.ts';

function open(draft: Draft, asked: Asked, scene: Scene, clientId: string): Given {
  const random = randomFor(draft, 'account', asked, scene);
  const accountId = freshId(draft, 'account', 'acc', random);
  const account: AccountRecord = {
    accountId,
    clientId,
    name: text(asked.body, 'name') ?? 'New account',
    currency: text(asked.body, 'currency') ?? 'GBP',
    balance: 0,
    readOnly: false,
    status: 'ACTIVE',
    wireRoutingNumber: routingNumber(`026${random.digits(5)}`),
    achRoutingNumber: routingNumber(`084${random.digits(5)}`),
    ibanForSwift: iban('GB', `BUKB202015${random.digits(8)}`),
  };
  return { kind: 'account', one: draft.put('account', accountId, account) };
}

/** With its check digit, so that a client that checks it is content. */
function routingNumber(digits: string): string {
  const weights = [3, 7, 1];
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (weights[index % 3] ?? 0), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** With its check digits (ISO 13616). */
function iban(country: string, rest: string): string {
  const digits = [...`${rest}${country}00`].map((char) => Number.parseInt(char, 36)).join('');
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${rest}`;
}

const read: StateOperation = {
  needs: ['accountId'],
  run(draft, asked) {
    const account = named(draft, 'account', asked);
    return isRefusal(account) ? account : { kind: 'account', one: account };
  },
};

function change(to: (asked: Asked) => Partial<AccountRecord>): StateOperation {
  return {
    needs: ['accountId'],
    run(draft, asked) {
      const account = named(draft, 'account', asked);
      if (isRefusal(account)) return account;
      return { kind: 'account', one: draft.put('account', account.accountId, { ...account, ...to(asked) }) };
    },
  };
}

export const ACCOUNT_OPERATIONS: StateOperations = {
  getAccounts: {
    needs: ['clientId'],
    run(draft, { parameters: { clientId = '' } }) {
      if (!draft.get('client', clientId)) return notFound('client', 'clientId');
      return { kind: 'account', all: draft.list('account', clientId) };
    },
  },
  getListOfAccounts: { needs: [], run: (draft) => ({ kind: 'account', all: draft.list('account') }) },
  getAccount: read,
  getAccountDetails: read,
  createAccount: {
    needs: ['clientId'],
    run(draft, asked, scene) {
      const { clientId = '' } = asked.parameters;
      return draft.get('client', clientId) ? open(draft, asked, scene, clientId) : notFound('client', 'clientId');
    },
  },
  issueNewAccount: {
    needs: [],
    run(draft, asked, scene) {
      const clientId = text(asked.body, 'clientId') ?? draft.list('client')[0]?.clientId ?? '';
      return draft.get('client', clientId)
        ? open(draft, asked, scene, clientId)
        : unknownReference('client', 'clientId');
    },
  },
  cancelAnAccount: change(() => ({ balance: 0, status: 'CANCELLED' })),
  updateAccountReadOnly: change(({ body }) => {
    const readOnly = member(body, 'readOnly');
    return { readOnly: typeof readOnly === 'boolean' ? readOnly : true };
  }),
};
