import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CURRENCY_DECIMALS } from '../../../generated/currencies.ts';
import type { Mock } from '../../../src/mock/mock.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import type { JsonObject } from '../../../src/schema/json.ts';
import { describeWith } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ask, type Told } from '../support/ask.ts';
import { startRedis } from '../support/redis.ts';
import { mockOfFile } from '../support/started.ts';

const WALLET = '/wallet/api/customers/c';
const BILLING = '/billing/api/customers/c';
const PAYMENTS = `${WALLET}/clients/client-2001/transactions`;
const DAYS_2 = 2 * 86_400;
const mock = await mockOfFile({ listen: false, anyToken: true });
const call = (method: string, path: string, body?: unknown, of: Mock = mock): Promise<Told> =>
  ask(of, method, path, body);
const problemOf = ({ status, body }: Told): unknown => [status, String(body.type).split('/').at(-1)];
const pay = (body: object, of: Mock = mock): Promise<Told> =>
  call('POST', PAYMENTS, { accountId: 'acc-5001', beneficiaryId: 'ben-6001', ...body }, of);
const balance = async (accountId = 'acc-5001', of: Mock = mock): Promise<number> =>
  (await call('GET', `${WALLET}/accounts/${accountId}`, undefined, of)).body.balance;

describe('account balances', () => {
  test('the balance changes when a payment settles, not before', async () => {
    const { body: paid } = await pay({ amount: 250.75 });
    expect([paid.status, paid.currency, await balance()]).toEqual(['PENDING', 'GBP', 18_250.75]);
    mock.clock.advance(DAYS_2 - 5);
    expect(await balance()).toBe(18_250.75);
    mock.clock.advance(10);
    expect(await balance()).toBe(18_000);
    expect((await call('GET', `${WALLET}/transactions/${paid.transactionId}`)).body.status).toBe('SETTLED');
    expect((await call('GET', `${WALLET}/clients/client-2001/accounts`)).body[0].balance).toBe(18_000);
    expect(await balance()).toBe(18_000);
  });

  test("a payment settles at its shown rate, rounded to the decimals of the account's currency", async () => {
    const { body } = await pay({ amount: 1000, currency: 'JPY' });
    const { rate } = body.paymentProviderDetails;
    expect(rate).toBeCloseTo(189.474, 2);
    mock.clock.advance(DAYS_2 + 1);
    expect(await balance()).toBe(Number((18_250.75 - Math.round(100_000 / rate) / 100).toFixed(2)));
  });

  test('binary rounding errors of a sum are no decimals', async () => {
    expect((await pay({ amount: 0.1 + 0.2, currency: 'EUR' })).status).toBe(200);
    expect(problemOf(await pay({ amount: 0.301, currency: 'EUR' }))).toEqual([422, 'amount-too-fine']);
  });

  test('a payment settles once and only for its customer, even with parallel reads', async () => {
    await pay({ amount: 50.75 });
    mock.clock.advance(DAYS_2 + 1);
    expect(await Promise.all([balance(), balance(), balance()])).toEqual([18_200, 18_200, 18_200]);
    const other = await call('GET', '/wallet/api/customers/other/accounts/acc-5001');
    expect(other.body.balance).toBe(18_250.75);
  });

  test('a cancelled account keeps money for pending payments, and the rest is paid out', async () => {
    await pay({ amount: 100 });
    expect((await call('PUT', `${WALLET}/accounts/acc-5001/cancel`)).body).toMatchObject({
      status: 'CANCELLED',
      balance: 100,
    });
    expect(problemOf(await pay({ amount: 1 }))).toEqual([409, 'account-cancelled']);
    mock.clock.advance(DAYS_2 + 1);
    expect(await balance()).toBe(0);
  });
});

describe('rejected payments', () => {
  test.each([
    [{ amount: -1 }, 422, 'invalid-body'],
    [{ amount: 0 }, 422, 'invalid-body'],
    [{ amount: 18_250.76 }, 422, 'balance-too-low'],
    [{ amount: 1.001 }, 422, 'amount-too-fine'],
    [{ amount: 10.5, currency: 'JPY' }, 422, 'amount-too-fine'],
    [{ amount: 1.0001, currency: 'KWD' }, 422, 'amount-too-fine'],
    [{ amount: 1, currency: 'GPB' }, 422, 'invalid-body'],
    [{ amount: 1, beneficiaryId: undefined }, 422, 'invalid-body'],
    [{ amount: 1, beneficiaryId: 'nobody' }, 422, 'unknown-reference'],
  ])('the payment %j is rejected', async (body, status, problem) => {
    const told = await pay(body);
    expect(problemOf(told)).toEqual([status, problem]);
    expect(told.headers.get('x-mock-provenance')).toBe('assumed');
    expect((await ask(mock, 'GET', '/__mock/why')).body).toMatchObject({ rule: problem });
    expect(await balance()).toBe(18_250.75);
  });

  test.each([
    { amount: 18_250.75 },
    { amount: 100, currency: 'JPY' },
    { amount: 1.234, currency: 'KWD' },
    { amount: 0.01 },
    {},
  ])('the payment %j is accepted', async (body) => {
    expect((await pay(body)).status).toBe(200);
  });

  test('pending payments reduce the amount that can be paid', async () => {
    expect((await pay({ amount: 18_000 })).status).toBe(200);
    expect(problemOf(await pay({ amount: 250.76 }))).toEqual([422, 'balance-too-low']);
    expect((await pay({ amount: 250.75 })).status).toBe(200);
    expect(problemOf(await pay({}))).toEqual([422, 'balance-too-low']);
  });

  test('a profile without these rules checks only the schema, and money still moves', async () => {
    await using free = await startMock({ listen: false, anyToken: true, profile: 'unchecked-payments' });
    for (const body of [{ amount: 20_000 }, { amount: 1.001 }]) expect((await pay(body, free)).status).toBe(200);
    expect(problemOf(await pay({ amount: -1 }, free))).toEqual([422, 'invalid-body']);
    free.clock.advance(DAYS_2 + 1);
    expect(await balance('acc-5001', free)).toBeLessThan(0);
  });
});

describe('unknown currencies', () => {
  test('every operation rejects an unknown currency and accepts all of ISO 4217', async () => {
    const { AssumedCurrency } = ((await mock.contract()).document.components as JsonObject).schemas as JsonObject;
    const { pattern } = AssumedCurrency as { readonly pattern: string };
    expect(pattern).toBe(`^(?:${Object.keys(CURRENCY_DECIMALS).join('|')})$`);
    for (const [method, path] of [
      ['POST', `${WALLET}/cards`],
      ['POST', `${WALLET}/accounts`],
      ['POST', `${WALLET}/clients/client-2001/accounts`],
      ['POST', `${WALLET}/clients/client-2001/beneficiaries`],
      ['PUT', `${WALLET}/beneficiaries/ben-6001`],
    ] as const)
      expect([path, (await call(method, path, { currency: 'GPB' })).body.errors]).toEqual([
        path,
        [{ in: 'body', pointer: '/currency', message: 'is not a currency; did you mean GBP?' }],
      ]);
  });

  test('a text that is like no currency gets examples, not all codes', async () => {
    const { body } = await call('POST', `${WALLET}/cards`, { currency: 'pounds sterling' });
    expect(body.detail).toBe('/currency is not a currency; examples: "AED", "AFN", "ALL"');
  });

  test('an unknown currency, or one without a price list, has no fees', async () => {
    for (const currency of ['GPB', 'KWD', 'gbp']) {
      const told = await call('GET', `${BILLING}/client/client-2001/card/fees/${currency}`);
      expect(problemOf(told)).toEqual([422, 'currency-unknown']);
      expect(told.body.errors).toEqual([{ in: 'path', name: 'currency', message: 'must be one of GBP, EUR' }]);
    }
    const told = await call('POST', `${BILLING}/clients/client-2001/transactions/fees`, { currency: 'KWD' });
    expect([problemOf(told), told.body.errors[0].pointer]).toEqual([[422, 'currency-unknown'], '/currency']);
  });
});

test('fees depend on amount and currency', async () => {
  const fees = async (body: object): Promise<unknown> => {
    const { currency, fees: rows } = (await call('POST', `${BILLING}/clients/client-2001/transactions/fees`, body))
      .body;
    return [currency, ...rows.map(({ amount }: { amount: number }) => amount)];
  };
  expect(await fees({})).toEqual(['GBP', 0.2, 3]);
  expect(await fees({ amount: 1000 })).toEqual(['GBP', 0.2, 6.5]);
  expect(await fees({ amount: 1000, currency: 'EUR' })).toEqual(['EUR', 0.25, 7]);
  expect(await fees({ amount: 12_345, currency: 'JPY' })).toEqual(['JPY', 40, 599]);
});

describe('no money is lost or created', () => {
  type Step =
    | { readonly pay: { readonly amount: number; readonly currency: string; readonly accountId: string } }
    | { readonly wait: number };
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({
      pay: fc.record({
        amount: fc.integer({ min: -100, max: 2_000_000 }).map((cents) => cents / 100),
        currency: fc.constantFrom('GBP', 'EUR', 'JPY', 'KWD'),
        accountId: fc.constantFrom('acc-5001', 'acc-5002'),
      }),
    }),
    fc.record({ wait: fc.integer({ min: 1, max: 3 * 86_400 }) }),
  );

  /** In hundredths: the account balances, and the sums of settled payments. */
  const books = async (of: Mock, made: readonly string[]): Promise<{ held: number[]; took: number[] }> => {
    const payments = await Promise.all(
      made.map(async (id) => (await call('GET', `${WALLET}/transactions/${id}`, undefined, of)).body),
    );
    const accounts = ['acc-5001', 'acc-5002'];
    return {
      held: await Promise.all(accounts.map(async (id) => Math.round((await balance(id, of)) * 100))),
      took: accounts.map((id) =>
        payments
          .filter(({ accountId, status }) => accountId === id && status === 'SETTLED')
          .reduce((sum, { amount, paymentProviderDetails: { rate } }) => sum + Math.round((amount * 100) / rate), 0),
      ),
    };
  };

  const play = async (of: Mock, steps: readonly Step[]): Promise<string[]> => {
    const made: string[] = [];
    for (const one of steps) {
      if ('wait' in one) of.clock.advance(one.wait);
      else {
        const { status, body } = await pay(one.pay, of);
        if (status === 200) made.push(body.transactionId);
        else expect(status).toBe(422);
      }
      const { held, took } = await books(of, made);
      expect(held.map((cents, index) => cents + (took[index] ?? 0))).toEqual([1_825_075, 400_000]);
      for (const cents of held) expect(cents).toBeGreaterThanOrEqual(0);
    }
    return made;
  };

  test('the books balance for any payments and any passage of time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        await mock.reset();
        await play(mock, steps);
      }),
      { numRuns: 40 },
    );
  });

  test('the books balance after restarts with the same file', async () => {
    const folder = await temporaryFolder();
    const start = Date.parse('2027-01-01T00:00:00Z');
    const open = (now: number): Promise<Mock> =>
      startMock({ listen: false, anyToken: true, store: join(folder, 'state.db'), clock: () => now });
    const made: string[] = [];
    {
      await using first = await open(start);
      made.push(...(await play(first, [{ pay: { amount: 100, currency: 'GBP', accountId: 'acc-5001' } }])));
    }
    {
      await using second = await open(start + (DAYS_2 + 60) * 1000);
      expect(await balance('acc-5001', second)).toBe(18_150.75);
    }
    {
      await using third = await open(start + (DAYS_2 + 60) * 1000);
      expect(await balance('acc-5001', third)).toBe(18_150.75);
      expect((await books(third, made)).took).toEqual([10_000, 0]);
    }
  });

  test('the books balance if more payments are made than stored: removed payments settle first', async () => {
    const { MOST_CREATED, TenantRecords, Draft } = await import('../../../src/mock/state/records.ts');
    const [{ parts }, { compileKinds }, { compileOperations }] = await Promise.all([
      import('../support/compiled.ts'),
      import('../../../src/mock/state/kinds.ts'),
      import('../../../src/mock/state/operations.ts'),
    ]);
    const { createInitialRecords } = await import('../../../src/mock/tenant/initial-records.ts');
    const { entities, hooks, seed, profile } = parts;
    const base = createInitialRecords(seed, parts, { number: 1, now: 0, profile }).base('');
    const records = new TenantRecords(() => base);
    const run = compileOperations(entities, compileKinds(entities, hooks, 1), hooks, () => seed).get(
      'createTransaction',
    );
    const parameters = { customerId: 'c', clientId: 'client-2001' };
    const body = { accountId: 'acc-5001', beneficiaryId: 'ben-6001', amount: 0.01 };
    const asked = { tenant: 'c', parameters, query: '', body, now: 0, profile: { ...profile, paymentRules: false } };
    for (let made = 0; made < MOST_CREATED + 5; made += 1) {
      const draft = new Draft(records);
      run?.(draft, asked);
      records.apply(draft.changes);
    }
    const last = new Draft(records);
    const count = last.list('transaction').length;
    const settled = MOST_CREATED + 5 - (count - 1);
    expect(count).toBeLessThanOrEqual(MOST_CREATED + 1);
    expect(last.get('account', 'acc-5001')?.balance).toBe(Number((18_250.75 - settled / 100).toFixed(2)));
  });
});

describeWith('redis-server', 'money of two mocks that share a Redis', () => {
  test('the books balance under parallel payments and settlements', async () => {
    const redis = await startRedis();
    try {
      const open = (): Promise<Mock> => startMock({ listen: false, anyToken: true, store: redis.url });
      await using one = await open();
      await using two = await open();
      const told = await Promise.all(
        Array.from({ length: 40 }, (_, index) => pay({ amount: 600.25 }, index % 2 ? one : two)),
      );
      const taken = told.filter(({ status }) => status === 200).length;
      expect(taken).toBe(30);
      for (const mock of [one, two]) mock.clock.advance(DAYS_2 + 60);
      expect(await Promise.all([balance('acc-5001', one), balance('acc-5001', two)])).toEqual([243.25, 243.25]);
    } finally {
      await redis.stop();
    }
  });
});
