import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Contract } from '../../../src/contract/contract.ts';
import type { Mock } from '../../../src/mock/mock.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { type CompiledSchema, compilerOf } from '../../../src/schema/ajv.ts';
import type { Json, JsonObject } from '../../../src/schema/json.ts';
import { overlayOf } from '../../support/overlay.ts';
import { ask, type Told } from '../support/ask.ts';
import { parts, plan } from '../support/compiled.ts';
import { exact } from '../support/exact.ts';
import * as ids from '../support/ids.ts';
import { mockOfFile } from '../support/started.ts';

const operations = plan.operations.filter(({ auth }) => auth === 'bearer');
const WALLET = '/wallet/api/customers/c';
const IAM = '/iam/api/customers/c';
const mock = await mockOfFile({ listen: false, anyToken: true });
const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Told> =>
  ask(mock, method, path, body, headers);
const problemOf = ({ status, body }: Told): [number, string] => [status, String(body.type).split('/').at(-1) ?? ''];

describe('clients', () => {
  const client = `${IAM}/clients/client-2001`;

  test('clients are frozen and unfrozen', async () => {
    for (const [verb, status] of [
      ['freeze', 'FROZEN'],
      ['unfreeze', 'ACTIVE'],
    ]) {
      expect((await call('PUT', `${IAM}/companies/client-2001/${verb}`)).body.status).toBe(status);
      expect((await call('GET', client)).body.status).toBe(status);
      expect((await call('GET', `${IAM}/clients`)).body[0].status).toBe(status);
    }
  });

  test('rejected clients stay rejected', async () => {
    expect((await call('PUT', `${client}/reject`)).body).toEqual({ clientId: 'client-2001', status: 'REJECTED' });
    await call('PUT', `${IAM}/companies/client-2001/unfreeze`);
    expect((await call('GET', client)).body.status).toBe('REJECTED');
  });

  test('deleting a client deletes everything that belongs to it', async () => {
    expect((await call('DELETE', `${IAM}/companies/client-2001`)).body.status).toBe('DELETED');
    for (const path of [
      client,
      `${WALLET}/cards/card-4001`,
      `${WALLET}/clients/client-2001/cards`,
      `${WALLET}/accounts/acc-5001`,
      `${WALLET}/beneficiaries/ben-6001`,
      `${WALLET}/transactions/txn-7001`,
    ])
      expect([path, ...problemOf(await call('GET', path))]).toEqual([path, 404, 'not-found']);
    expect(problemOf(await call('DELETE', `${IAM}/companies/client-2001`))).toEqual([404, 'not-found']);
    expect((await call('GET', `${WALLET}/accounts`)).body).toHaveLength(1);
    expect((await call('GET', `${IAM}/clients`)).body).toHaveLength(1);
  });

  test('each request for a customer key returns a new one', async () => {
    const key = async (): Promise<string> =>
      (await call('POST', `${IAM}/credentials/generateCustomerKey`)).body.customerKey;
    expect(await key()).not.toBe(await key());
  });
});

describe('users', () => {
  test('users are returned as sent, and get credentials', async () => {
    const sent = { firstName: 'Zoë', lastName: 'Ångström', email: 'zoe@example.com' };
    const { body: user } = await call('POST', `${IAM}/clients/client-2002/users/create`, sent);
    expect(user).toMatchObject({ ...sent, clientId: 'client-2002', status: 'ACTIVE' });
    const credentials = `${IAM}/clients/client-2002/users/${user.userId}/credentials`;
    expect((await call('POST', `${credentials}/username`, {})).body).toEqual({
      userId: user.userId,
      credential: 'USERNAME',
      username: 'zoe.angstrom',
      created: true,
    });
    expect((await call('POST', `${credentials}/username`, { username: 'zoe' })).body.username).toBe('zoe');
    for (const [name, credential] of [
      ['securityQuestions', 'SECURITY_QUESTIONS'],
      ['securityCode', 'SECURITY_CODE'],
      ['password', 'PASSWORD'],
    ])
      expect((await call('POST', `${credentials}/${name}`, {})).body).toMatchObject({
        userId: user.userId,
        credential,
      });
  });

  test('unknown users and users of another client are not found', async () => {
    for (const path of [
      `${IAM}/clients/client-2002/users/user-3001/credentials/password`,
      `${IAM}/clients/client-2001/users/nobody/credentials/password`,
      `${IAM}/clients/nobody/users/create`,
    ])
      expect(problemOf(await call('POST', path, {}))).toEqual([404, 'not-found']);
  });

  test('M16: no answer contains a secret of a user, and no secret is stored', async () => {
    const path = `${IAM}/clients/client-2001/users/user-3001/credentials`;
    const secrets = {
      password: 'hush-hush-1',
      securityCode: 'hush-hush-2',
      securityQuestions: [{ question: 'q', answer: 'hush-hush-3' }],
    };
    for (const kind of ['securityQuestions', 'securityCode', 'password'])
      expect((await call('POST', `${path}/${kind}`, secrets)).text).not.toContain('hush');
  });
});

describe('cards', () => {
  test("cards keep their limits, and an update without a currency uses the card's maximum", async () => {
    const limits = { cardLimitDaily: 10, cardLimitMonthly: 20, cardLimitTransaction: 5 };
    const { body: card } = await call('POST', `${WALLET}/cards`, { ...limits, currency: 'GBP' });
    expect(card).toMatchObject(limits);
    const path = `${WALLET}/client-2001/card/${card.cardId}/updateLimits`;
    expect((await call('PUT', path, { cardLimitDaily: 100_000 })).body).toMatchObject({
      ...limits,
      cardLimitDaily: 100_000,
    });
    // the maximum in euros is higher
    expect(problemOf(await call('PUT', path, { cardLimitDaily: 110_000 }))).toEqual([422, 'card-limit']);
    expect((await call('GET', `${WALLET}/cards/${card.cardId}`)).body.cardLimitDaily).toBe(100_000);
  });

  test('a card without a currency gets one that admits its limits', async () => {
    expect((await call('POST', `${WALLET}/cards`, { cardLimitDaily: 115_000 })).body.currency).toBe('EUR');
    expect((await call('POST', `${WALLET}/cards`, { cardLimitDaily: 1 })).body.currency).toBe('GBP');
  });

  test('a card is found only under its own client', async () => {
    expect(problemOf(await call('PUT', `${WALLET}/client-2002/card/card-4001/updateAlias`, { alias: 'x' }))).toEqual([
      404,
      'not-found',
    ]);
    expect((await call('GET', `${WALLET}/clients/client-2002/cards`)).body).toHaveLength(1);
  });

  test('a card for an unknown user or client is rejected, and the member is named', async () => {
    for (const member of ['userId', 'clientId']) {
      const told = await call('POST', `${WALLET}/cards`, { [member]: 'nobody' });
      expect([...problemOf(told), told.body.errors[0].pointer]).toEqual([422, 'unknown-reference', `/${member}`]);
    }
  });
});

describe('accounts, beneficiaries and transactions', () => {
  test('accounts are opened, made read-only and cancelled', async () => {
    const { body: account } = await call('POST', `${WALLET}/clients/client-2002/accounts`, {
      name: 'Rent',
      currency: 'EUR',
    });
    expect(account).toMatchObject({ name: 'Rent', currency: 'EUR', balance: 0, readOnly: false });
    const path = `${WALLET}/accounts/${account.accountId}`;
    expect((await call('PUT', `${path}/readOnly`, { readOnly: true })).body.readOnly).toBe(true);
    expect((await call('PUT', `${path}/cancel`)).body.status).toBe('CANCELLED');
    for (const end of ['', '/details'])
      expect((await call('GET', path + end)).body).toMatchObject({ readOnly: true, status: 'CANCELLED' });
    expect((await call('GET', `${WALLET}/clients/client-2002/accounts`)).body).toHaveLength(2);
  });

  test('beneficiaries are visible by default, and the list filters by visibility', async () => {
    const path = `${WALLET}/clients/client-2001/beneficiaries`;
    const { body: one } = await call('POST', path, { name: 'Seen' });
    const { body: two } = await call('POST', path, { name: 'Hidden', visible: false, aba: '021000021' });
    expect([one.visible, two.visible, two.aba, 'ifsc' in two]).toEqual([true, false, '021000021', false]);
    const namesOf = async (query: string): Promise<string[]> =>
      (await call('GET', path + query)).body.map(({ name }: { name: string }) => name);
    const visible = await namesOf('?visible=true');
    expect([visible[0], visible.at(-1)]).toEqual(['Roasters Cooperative', 'Seen']);
    expect(await namesOf('?visible=false')).toEqual(['Old supplier', 'Hidden']);
    expect(await namesOf('')).toHaveLength(visible.length + 2);
    expect(await namesOf('?visible=yes')).toEqual([]);
    await call('PUT', `${WALLET}/beneficiaries/${two.beneficiaryId}`, { visible: true });
    expect(await namesOf('?visible=true')).toContain('Hidden');
  });

  test("a transaction from another client's account is rejected", async () => {
    const told = await call('POST', `${WALLET}/clients/client-2001/transactions`, {
      beneficiaryId: 'ben-6001',
      accountId: 'acc-5003',
    });
    expect([...problemOf(told), told.body.errors[0].pointer]).toEqual([422, 'unknown-reference', '/accountId']);
  });
});

test('fees are the same in their current, deprecated and new forms', async () => {
  for (const currency of ['GBP', 'EUR']) {
    const card = await call('GET', `/billing/api/customers/c/client/x/card/fees/${currency}`);
    expect(card.body.currency).toBe(currency);
    for (const form of ['/iam/api/customers/c/client/x/card/fees/', '/billing/api/customers/c/client/x/card/fees/new/'])
      expect((await call('GET', form + currency)).text).toBe(card.text);
    const account = await call('GET', `/billing/api/customers/c/client/x/account/fees/${currency}`);
    expect((await call('GET', `/wallet/api/customers/c/client/x/account/fees/${currency}`)).text).toBe(account.text);
  }
  const transaction = await call('POST', '/billing/api/customers/c/clients/x/transactions/fees', {});
  expect((await call('GET', '/wallet/api/customers/c/clients/x/transactions/fees')).text).toBe(transaction.text);
});

describe('stateful answers', () => {
  const path = `${WALLET}/cards/card-4001`;

  test('an explicit Prefer neither shows nor changes the state', async () => {
    await call('PUT', `${path}/suspend`);
    expect((await call('GET', path)).body.status).toBe('SUSPENDED');
    expect((await call('GET', path, undefined, { prefer: 'example=physical' })).body.status).toBe('ACTIVE');
    expect((await call('GET', path, undefined, { prefer: 'code=401' })).status).toBe(401);
    await call('DELETE', path, undefined, { prefer: 'example=physical' });
    expect((await call('GET', path)).status).toBe(200);
  });

  test("the seed equals the contract's examples, so answers agree with and without Prefer", async () => {
    for (const { operationId, method, path: template, response } of operations) {
      // this list spans all clients, the example shows one client
      if (method !== 'GET' || operationId === 'getListOfAccounts') continue;
      const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => ids.ASSUMED_PARAMETERS[name] ?? '');
      const { text } = await call('GET', filled);
      expect([operationId, text]).toEqual([operationId, response.media[0]?.examples[0]?.body]);
    }
  });
});

test('every operation of the contract is stateful', () => {
  expect(Object.keys(parts.entities.operations).toSorted()).toEqual(
    operations.map(({ operationId }) => operationId).toSorted(),
  );
});

describe('M9: the same seed and the same requests give the same state', () => {
  const clock = (): number => Date.UTC(2026, 0, 5, 12);
  const story = async (on: Mock, customer: string): Promise<string> => {
    const texts: string[] = [];
    for (const operation of operations.filter(({ method }) => method === 'POST')) {
      const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
        name === 'customerId' ? customer : (ids.ASSUMED_PARAMETERS[name] ?? ''),
      );
      for (let times = 0; times < 3; times += 1)
        texts.push((await ask(on, 'POST', path, operation.request ? {} : undefined)).text);
    }
    // the `instance` of a problem (RFC 9457) is the number of its exchange, in order of receipt
    return texts.join('\n').replaceAll(/,"instance":"[^"]*"(?=\}$)/gm, '');
  };

  test('answers have the same bytes, even while other customers are served in parallel', async () => {
    await using one = await startMock({ listen: false, anyToken: true, clock });
    await using two = await startMock({ listen: false, anyToken: true, clock });
    const alone = await story(one, 'c');
    const [among] = await Promise.all([story(two, 'c'), story(two, 'd'), story(two, 'e')]);
    expect(among).toBe(alone);
    await one.reset();
    expect(await story(one, 'c')).toBe(alone);
  });

  test('another seed gives other ids', async () => {
    await using one = await startMock({ listen: false, anyToken: true, clock });
    await using two = await startMock({ listen: false, anyToken: true, clock, seed: 2 });
    expect(await story(one, 'c')).not.toBe(await story(two, 'c'));
  });
});

const validators = exactValidators(await mock.contract());

describe('random sequences of operations', () => {
  const body = fc.record(
    {
      clientId: fc.constantFrom('client-2001', 'client-2002', 'x'),
      userId: fc.constantFrom('user-3001', 'user-3002', 'user-3003', 'x'),
      cardType: fc.constantFrom('PHYSICAL', 'VIRTUAL'),
      currency: fc.constantFrom('GBP', 'EUR', 'USD'),
      alias: fc.string(),
      name: fc.string(),
      firstName: fc.string({ unit: 'grapheme' }),
      cardLimitDaily: fc.constantFrom(0, 1, -5, 100_000, 115_000),
      cardLimitMonthly: fc.nat(290_000),
      visible: fc.boolean(),
      readOnly: fc.boolean(),
      amount: fc.double({ noNaN: true, noDefaultInfinity: true }),
      accountId: fc.constantFrom('acc-5001', 'acc-5003', 'x'),
      purposeCode: fc.string(),
      username: fc.string(),
    },
    { requiredKeys: [] },
  );
  const step = fc.record({
    operation: fc.constantFrom(...operations),
    pick: fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
    body: fc.option(body, { nil: undefined }),
  });

  test('every good answer matches the exact schemas, every other is a 4xx problem, and limits apply', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        await mock.reset();
        const known = new Map<string, string[]>(
          Object.entries(ids.ASSUMED_PARAMETERS).map(([name, id]) => [name, [id, 'nobody']]),
        );
        for (const { operation, pick, body: sent } of steps) {
          const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
            const choices = known.get(name) ?? ['x'];
            return choices[(pick[name.length % 4] ?? 0) % choices.length] ?? 'x';
          });
          const told = await call(operation.method, path, operation.request ? sent : undefined);
          if (told.status !== 200) {
            const isNeeded = operation.request?.required === true && sent === undefined;
            expect([
              path,
              (isNeeded ? [400, 404] : [404, 409, 422]).includes(told.status),
              told.headers.get('content-type'),
            ]).toEqual([path, true, 'application/problem+json']);
            continue;
          }
          const validate = validators.get(operation.operationId);
          expect([operation.operationId, validate?.(told.body), validate?.errors]).toEqual([
            operation.operationId,
            true,
            undefined,
          ]);
          for (const one of [told.body].flat()) {
            for (const [name, all] of known) if (typeof one[name] === 'string') all.push(one[name]);
            if ('cardType' in one) {
              expect('token' in one).toBe(one.cardType === 'PHYSICAL');
              const maximum = { GBP: 100_000, EUR: 115_000 }[one.currency as string] ?? Number.POSITIVE_INFINITY;
              expect(one.cardLimitDaily ?? 0).toBeLessThanOrEqual(maximum);
            }
          }
        }
      }),
      { numRuns: 150, seed: 20_261_121 },
    );
  }, 120_000);
});

/** Validators of good answers whose objects allow only declared members, documented or assumed. */
function exactValidators(contract: Contract): Map<string, CompiledSchema> {
  const components = exact(contract.document.components ?? {}) as JsonObject;
  const found = new Map<string, CompiledSchema>();
  for (const { operationId, responses } of contract.operations) {
    const schema = responses.find(({ status }) => status === '2XX')?.content[0]?.schema;
    if (schema === undefined) continue;
    found.set(operationId, compilerOf({ components, schema: exact(schema as Json) })('/schema'));
  }
  return found;
}

describe('state under an overlay', () => {
  const served = (target: string, update: object): Promise<Mock> =>
    startMock({ listen: false, anyToken: true, overlays: [overlayOf([{ target, update }], 'documented')] });
  const get = "$.paths['/wallet/api/customers/{customerId}/cards/{cardId}'].get";

  test('a path without a customer uses the assumed customer', async () => {
    const path = {
      '/v2/clients/{clientId}': {
        parameters: [{ $ref: '#/components/parameters/clientId' }],
        get: { operationId: 'getClient' },
      },
    };
    await using own = await served('$.paths', path);
    await ask(own, 'PUT', `/iam/api/customers/${ids.CUSTOMER_ID}/companies/client-2002/freeze`);
    expect((await ask(own, 'GET', '/v2/clients/client-2002')).body.status).toBe('FROZEN');
    expect((await ask(own, 'GET', '/v2/clients/nobody')).status).toBe(404);
  });

  test('a parameter that only Prism can check is checked before the state is read', async () => {
    const parameters = [{ name: 'depth', in: 'query', required: true, schema: { type: 'integer' } }];
    await using own = await served(get, { parameters });
    expect((await ask(own, 'GET', `${WALLET}/cards/nobody`)).status).toBe(422);
    expect((await ask(own, 'GET', `${WALLET}/cards/nobody?depth=1`)).status).toBe(404);
    expect((await ask(own, 'GET', `${WALLET}/cards/card-4002?depth=1`)).body.cardId).toBe('card-4002');
  });

  test('a second media type is negotiated, and JSON shows the state', async () => {
    const csv = { 'text/csv': { schema: { type: 'string' }, example: 'a,b' } };
    await using own = await served(`${get}.responses['2XX'].content`, csv);
    const path = `${WALLET}/cards/card-4001`;
    await ask(own, 'PUT', `${path}/suspend`);
    expect((await ask(own, 'GET', path)).body.status).toBe('SUSPENDED');
    expect((await ask(own, 'GET', path, undefined, { accept: 'text/csv' })).text).toBe('a,b');
  });
});
