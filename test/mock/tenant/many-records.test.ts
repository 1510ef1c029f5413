import fc from 'fast-check';
import { isValidIBAN as isIBAN } from 'ibantools';
import { describe, expect, test } from 'vitest';
import { CURRENCY_DECIMALS } from '../../../generated/currencies.ts';
import type { Mock, MockOptions } from '../../../src/mock/mock.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { ask } from '../support/ask.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers have many shapes
type Row = Readonly<Record<string, any>>;
type Records = Readonly<Record<string, readonly Row[]>>;

const NOW = Date.parse('2026-11-28T15:04:05Z');
const YEAR = 365 * 86_400_000;
const CUSTOMERS = ['cust-1001', 'cust-1002', 'cust-1003'];
const start = (options: MockOptions): Promise<Mock> =>
  startMock({ listen: false, anyToken: true, clock: () => NOW, ...options });
const recordsOf = async (mock: Mock, customer: string): Promise<Records> =>
  (await ask(mock, 'GET', `/__mock/state?customerId=${customer}`)).body.records;
const allOf = async (mock: Mock, kind: string): Promise<readonly Row[]> =>
  (await Promise.all(CUSTOMERS.map((customer) => recordsOf(mock, customer)))).flatMap((records) => records[kind] ?? []);

/** Fails if a balance is not the sum of the settled payments so far, or if that sum was ever negative. */
function assertBooks({ account = [], transaction = [] }: Records): void {
  for (const { accountId, balance, currency } of account) {
    const digits = CURRENCY_DECIMALS[currency] ?? 2;
    const settled = transaction
      .filter((one) => one.accountId === accountId && one.status === 'SETTLED')
      .map(({ amount, direction, paymentProviderDetails: { rate, settlementDate } }) => {
        const units = Math.round(Number(((amount / rate) * 10 ** digits).toPrecision(15)));
        return { at: Date.parse(settlementDate), units: direction === 'IN' ? units : -units };
      })
      .toSorted((one, other) => one.at - other.at);
    let sum = 0;
    for (const { units } of settled) {
      sum += units;
      expect(sum).toBeGreaterThanOrEqual(0);
    }
    expect([accountId, balance]).toEqual([accountId, sum / 10 ** digits]);
  }
}

describe('the seed rich', () => {
  test('it has three customers, eight companies, 40 cards and 500 payments of a year', async () => {
    await using mock = await start({ seedData: 'rich' });
    const [companies, cards, payments] = await Promise.all([
      allOf(mock, 'client'),
      allOf(mock, 'card'),
      allOf(mock, 'transaction'),
    ]);
    expect([companies.length, cards.length, payments.length]).toEqual([8, 40, 500]);
    expect(new Set(companies.map(({ name }) => name)).size).toBe(8);
    const valuesOf = (rows: readonly Row[], field: string) => new Set(rows.map((row) => row[field]));
    expect(valuesOf(cards, 'status')).toEqual(new Set(['ACTIVE', 'SUSPENDED']));
    expect(valuesOf(cards, 'cardType')).toEqual(new Set(['PHYSICAL', 'VIRTUAL']));
    expect(cards.filter(({ expires }) => expires < '2026-11').length).toBeGreaterThan(0);
    expect(valuesOf(payments, 'status')).toEqual(new Set(['SETTLED', 'PENDING', 'FAILED', 'DECLINED']));
    expect(valuesOf(payments, 'direction')).toEqual(new Set(['IN', 'OUT']));
    expect(valuesOf(payments, 'currency').size).toBeGreaterThan(5);
    const times = payments.filter(({ transactionId }) => transactionId !== 'txn-7001').map((one) => one.createdAt);
    expect(times.every((time) => Date.parse(time) >= NOW - YEAR - 86_400_000 && Date.parse(time) <= NOW)).toBe(true);
    expect(new Set(times.map((time) => String(time).slice(0, 7))).size).toBeGreaterThanOrEqual(12);
  });

  test('users, beneficiaries and IBANs differ, and each IBAN has a valid checksum', async () => {
    await using mock = await start({ seedData: 'rich' });
    const users = await allOf(mock, 'user');
    const beneficiaries = await allOf(mock, 'beneficiary');
    expect(new Set(users.map(({ firstName, lastName }) => `${firstName} ${lastName}`)).size).toBe(users.length);
    expect(new Set(beneficiaries.map(({ name }) => name)).size).toBe(beneficiaries.length);
    expect(new Set(beneficiaries.map(({ country }) => country)).size).toBeGreaterThanOrEqual(6);
    const details = { US: ['aba'], MX: ['clabe'], IN: ['ifsc'], CN: ['cnaps'] } as Readonly<Record<string, string[]>>;
    for (const one of beneficiaries)
      expect(['aba', 'clabe', 'ifsc', 'cnaps'].filter((field) => field in one)).toEqual(details[one.country] ?? []);
    // the control API masks IBANs
    const listed = await Promise.all(
      CUSTOMERS.map((customer) => ask(mock, 'GET', `/wallet/api/customers/${customer}/accounts`)),
    );
    const ibans = listed.flatMap(({ body }) => body.map((one: Row) => one.ibanForSwift));
    expect(ibans).toHaveLength((await allOf(mock, 'account')).length);
    expect(new Set(ibans).size).toBe(ibans.length);
    expect(ibans.filter((iban) => !isIBAN(iban))).toEqual([]);
  });

  test('the same seed and time give the same bytes, another seed gives others', async () => {
    const bytes = async (options: MockOptions): Promise<string> => {
      await using mock = await start({ seedData: 'rich', ...options });
      return JSON.stringify(await Promise.all(CUSTOMERS.map((customer) => recordsOf(mock, customer))));
    };
    const first = await bytes({});
    expect(await bytes({})).toBe(first);
    expect(await bytes({ seed: 2 })).not.toBe(first);
  });

  test('any other customer starts with a copy of the first one, and the ids of the documentation exist', async () => {
    await using mock = await start({ seedData: 'rich' });
    const { body } = await ask(mock, 'GET', '/iam/api/customers/acme/clients');
    expect(body.map(({ name }: Row) => name)).toEqual([
      'Harbour Street Coffee Ltd',
      'Nordlicht Design GmbH',
      'Liffey Cycles',
    ]);
    for (const path of ['cards/card-4001', 'accounts/acc-5001', 'beneficiaries/ben-6001', 'transactions/txn-7001'])
      for (const customer of ['acme', 'cust-1001'])
        expect((await ask(mock, 'GET', `/wallet/api/customers/${customer}/${path}`)).status).toBe(200);
  });

  test('balances are the sum of the settled payments at every instant, for any seed and time', async () => {
    const days = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.nat(10_000), fc.nat(4_000), days, async (seed, day, steps) => {
        const clock = (): number => NOW + day * 3_600_000;
        await using mock = await start({ seedData: 'rich', seed, clock });
        for (const step of [0, ...steps]) {
          mock.clock.advance(step * 43_200);
          for (const customer of CUSTOMERS) assertBooks(await recordsOf(mock, customer));
        }
      }),
      { numRuns: 5 },
    );
  });

  test('a seed that the contract does not have is rejected with a list of those that it has', async () => {
    await expect(start({ seedData: 'ritch' })).rejects.toMatchObject({
      code: 'usage',
      message: 'There is no seed ritch. Did you mean rich?',
      hint: 'Known: default, rich; or a file, for example ./ritch.yaml.',
    });
    await using mock = await start({ seedData: 'default' });
    expect((await recordsOf(mock, 'cust-1001')).client).toHaveLength(2);
  });
});

describe('count in a seed', () => {
  const account = { accountId: 'acc-1', currency: 'GBP', balance: 9_000 };
  const seed = (more: object): MockOptions => ({ seedData: { clients: [{ clientId: 'a', ...more }] } });

  test('any list takes it, also below a counted record', async () => {
    const clients = [{ count: 3, users: [{ count: 2 }], accounts: [account, { count: 2 }], cards: [{ count: 4 }] }];
    await using mock = await start({ seedData: { clients, customerKeys: [{ count: 2 }] } });
    const records = await recordsOf(mock, 'c');
    expect(Object.entries(records).map(([kind, rows]) => [kind, rows.length])).toEqual([
      ['client', 3],
      ['user', 6],
      ['card', 12],
      ['account', 9],
      ['beneficiary', 0],
      ['transaction', 0],
      ['customerKey', 2],
    ]);
  });

  test('the members beside it are those of every record', async () => {
    const transactions = [{ count: 8, accountId: 'acc-1' }];
    await using mock = await start(seed({ accounts: [account, {}], beneficiaries: [{}, {}], transactions }));
    const { transaction = [] } = await recordsOf(mock, 'c');
    expect(transaction.map(({ accountId }) => accountId)).toEqual(Array(8).fill('acc-1'));
    expect(new Set(transaction.map(({ amount }) => amount)).size).toBe(8);
  });

  test('records that cannot all be made end the start, with their number and the reason', async () => {
    const transactions = [{ count: 50, direction: 'OUT', purposeCode: 'rent' }];
    await expect(start(seed({ accounts: [account], beneficiaries: [{}], transactions }))).rejects.toMatchObject({
      code: 'config',
      message: expect.stringMatching(
        /transaction that cannot be made up after \d others .*more than the account holds/,
      ),
    });
  });

  test.each([
    ['zero', { cards: [{ count: 0 }] }, /from 1 to 10000|>= 1/],
    ['a text', { cards: [{ count: 'many' }] }, /integer|whole number/],
    ['an id of several', { cards: [{ count: 2, cardId: 'x' }] }, /2 records cannot share the cardId "x"/],
  ])('%s is rejected', async (_, more, message) => {
    await expect(start(seed({ users: [{}], ...more }))).rejects.toMatchObject({
      code: 'config',
      message: expect.stringMatching(message),
    });
  });
});

test('a payment without an amount has a usual amount for its purpose', async () => {
  await using mock = await start({});
  const pay = async (purposeCode: string): Promise<number> => {
    const body = { accountId: 'acc-5001', beneficiaryId: 'ben-6001', purposeCode };
    const told = await ask(mock, 'POST', '/wallet/api/customers/c/clients/client-2001/transactions', body);
    return told.body.amount;
  };
  for (const [purpose, least, most] of [
    ['rent', 700, 2_100],
    ['card_payment', 3, 160],
    ['anything else', 15, 800],
  ] as const)
    for (let times = 0; times < 3; times += 1) {
      const amount = await pay(purpose);
      expect([purpose, amount >= least && amount <= most]).toEqual([purpose, true]);
    }
});
