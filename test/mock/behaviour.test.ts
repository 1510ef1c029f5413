import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { plan } from '../../generated/mock/plan.ts';
import type { Mock, MockOptions } from '../../src/mock/mock.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { type Reply, send } from './support/client.ts';
import {
  CLIENT_ID,
  CUSTOMER_ID,
  PHYSICAL_CARD_ID,
  USER_ID,
  USER_NEEDING_QUESTIONS,
  VIRTUAL_CARD_ID,
} from './support/ids.ts';

const CARDS = `/wallet/api/customers/${CUSTOMER_ID}/cards`;
const UPDATE = `/wallet/api/customers/${CUSTOMER_ID}/${CLIENT_ID}/card/${PHYSICAL_CARD_ID}`;
let mock: Mock;
const call = (method: string, path: string, body?: unknown, on: Mock = mock): Promise<Reply> =>
  send(on, {
    method,
    path,
    headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

describe('card limits', () => {
  beforeAll(async () => {
    mock = await startMock({ anyToken: true });
  });
  afterAll(() => mock.close());

  // API reference, Limits
  const maxima = [
    ['cardLimitDaily', 'GBP', 100_000],
    ['cardLimitDaily', 'EUR', 115_000],
    ['cardLimitMonthly', 'GBP', 250_000],
    ['cardLimitMonthly', 'EUR', 290_000],
    ['cardLimitTransaction', 'GBP', 100_000],
    ['cardLimitTransaction', 'EUR', 115_000],
  ] as const;

  test.each(maxima)('%s in %s: %d is taken, one more is refused and named', async (field, currency, maximum) => {
    expect((await call('POST', CARDS, { currency, [field]: maximum })).status).toBe(200);
    const reply = await call('POST', CARDS, { currency, [field]: maximum + 1 });
    expect(reply.status).toBe(422);
    expect(reply.json()).toMatchObject({
      type: 'https://banking-api-contract.invalid/problems/card-limit',
      errors: [{ in: 'body', pointer: `/${field}`, maximum }],
    });
  });

  test('a currency that the reference does not list has no maximum; without one the highest holds', async () => {
    expect((await call('POST', CARDS, { currency: 'USD', cardLimitDaily: 10_000_000 })).status).toBe(200);
    expect((await call('POST', CARDS, { cardLimitDaily: 115_000 })).status).toBe(200);
    expect((await call('POST', CARDS, { cardLimitDaily: 115_001 })).status).toBe(422);
  });

  test('a currency that is the name of something inherited is no currency of the table', async () => {
    const reply = await call('POST', CARDS, { currency: 'constructor', cardLimitDaily: 999_999 });
    expect(reply.status).toBe(422);
    expect(reply.json().type).toMatch(/invalid-body$/);
  });

  test('hold when the limits of a card are updated, too', async () => {
    const body = { currency: 'GBP', cardLimitDaily: 100_001 };
    expect((await call('PUT', `${UPDATE}/updateLimits`, body)).status).toBe(422);
  });

  test.each([{}, { stateless: true }])('are those of the card wherever they are changed, with %o', async (options) => {
    await using other = await startMock({ anyToken: true, ...options });
    for (const end of ['', '/updateLimits']) {
      // the maximum in euros would admit it
      const reply = await call('PUT', `${UPDATE}${end}`, { cardLimitDaily: 110_000 }, other);
      expect([end, reply.status, reply.json().type]).toEqual([end, 422, expect.stringMatching(/card-limit$/)]);
    }
  });

  test('are changed by an update of the card', async () => {
    expect((await call('PUT', UPDATE, { cardLimitDaily: 77 })).json().cardLimitDaily).toBe(77);
    expect((await call('GET', `${CARDS}/${PHYSICAL_CARD_ID}`)).json().cardLimitDaily).toBe(77);
  });
});

describe('security questions', () => {
  beforeEach(async () => {
    mock = await startMock({ anyToken: true });
    return () => mock.close();
  });
  const questions = (customer: string, user: string): string =>
    `/iam/api/customers/${customer}/clients/${CLIENT_ID}/users/${user}/credentials/securityQuestions`;

  test('must be answered before a card is issued for a user whose provider demands them', async () => {
    const refused = await call('POST', CARDS, { userId: USER_NEEDING_QUESTIONS });
    expect(refused.status).toBe(409);
    expect(refused.json().type).toMatch(/problems\/questions-unanswered$/);
    const answered = await call('POST', questions(CUSTOMER_ID, USER_NEEDING_QUESTIONS), { securityQuestions: [] });
    expect(answered.status).toBe(200);
    expect((await call('POST', CARDS, { userId: USER_NEEDING_QUESTIONS })).status).toBe(200);
  });

  test('do not matter for any other user, or for no user', async () => {
    expect((await call('POST', CARDS, { userId: USER_ID })).status).toBe(200);
    expect((await call('POST', CARDS, {})).status).toBe(200);
  });

  test('answered with a body that is refused are not answered', async () => {
    const answered = await call('POST', questions(CUSTOMER_ID, USER_NEEDING_QUESTIONS), { securityQuestions: 'x' });
    expect(answered.status).toBe(422);
    expect((await call('POST', CARDS, { userId: USER_NEEDING_QUESTIONS })).status).toBe(409);
  });

  test('M10: what one customer has answered is not answered for another, nor in another mock', async () => {
    await using other = await startMock({ anyToken: true });
    await call('POST', questions('someone-else', USER_NEEDING_QUESTIONS), {});
    expect((await call('POST', CARDS, { userId: USER_NEEDING_QUESTIONS })).status).toBe(409);
    await call('POST', questions(CUSTOMER_ID, USER_NEEDING_QUESTIONS), {});
    expect((await call('POST', CARDS, { userId: USER_NEEDING_QUESTIONS })).status).toBe(200);
    expect((await call('POST', CARDS, { userId: USER_NEEDING_QUESTIONS }, other)).status).toBe(409);
  });
});

describe('the card token', () => {
  beforeAll(async () => {
    mock = await startMock({ anyToken: true });
  });
  afterAll(() => mock.close());

  const paths = (cardId: string): [method: string, path: string, body?: object][] => [
    ['GET', `${CARDS}/${cardId}`],
    ['DELETE', `${CARDS}/${cardId}`],
    ['PUT', `${CARDS}/${cardId}/suspend`],
    ['PUT', `${CARDS}/${cardId}/activate`],
    ['PUT', `/wallet/api/customers/${CUSTOMER_ID}/${CLIENT_ID}/card/${cardId}`, { alias: 'Travel' }],
    ['PUT', `/wallet/api/customers/${CUSTOMER_ID}/${CLIENT_ID}/card/${cardId}/updateAlias`, { alias: 'Travel' }],
    ['PUT', `/wallet/api/customers/${CUSTOMER_ID}/${CLIENT_ID}/card/${cardId}/updateLimits`, { cardLimitDaily: 100 }],
  ];

  test('is in the answers for the physical card and not in those for the virtual one', async () => {
    for (const [cardId, there] of [
      [PHYSICAL_CARD_ID, true],
      [VIRTUAL_CARD_ID, false],
    ] as const) {
      for (const [method, path, body] of paths(cardId)) {
        const reply = await call(method, path, body);
        expect([path, reply.status, 'token' in reply.json()]).toEqual([path, 200, there]);
        await mock.reset();
      }
    }
  });
});

describe('M8: deprecated operations', () => {
  const ids = 'customers/c%2F1/clients/d';
  const OLD = `/wallet/api/${ids}/transactions/fees`;
  const started = async (options: MockOptions, check: (on: Mock) => Promise<void>): Promise<void> => {
    await using on = await startMock({ anyToken: true, ...options });
    await check(on);
  };

  test('S27, S29: deprecated operations say since when and name their successor, on good answers and on errors', () =>
    started({}, async (on) => {
      const replies = [
        await call('GET', OLD, undefined, on),
        await send(on, { path: OLD }),
        await call('PATCH', OLD, undefined, on),
        await send(on, { path: OLD, headers: { authorization: 'Bearer any', accept: 'text/html' } }),
      ];
      expect(replies.map((reply) => reply.status)).toEqual([200, 401, 405, 406]);
      for (const { headers } of replies) {
        expect(headers.deprecation).toMatch(/^@\d+$/);
        expect(headers.link).toBe(
          '</billing/api/customers/c%2F1/clients/d/transactions/fees>; rel="successor-version"',
        );
        expect(headers.sunset).toBeUndefined();
      }
    }));

  test('all three are marked, and no other operation is', () =>
    started({}, async (on) => {
      for (const operation of plan.operations.filter(({ auth }) => auth === 'bearer')) {
        const reply = await call(operation.method, operation.path.replace(/\{[^}]+\}/g, 'x'), undefined, on);
        expect([operation.operationId, 'deprecation' in reply.headers]).toEqual([
          operation.operationId,
          operation.operationId.endsWith('Deprecated'),
        ]);
      }
    }));

  test('S28: deprecated operations announce a Sunset where one is configured', () =>
    started({ sunset: new Date('2027-06-30T00:00:00Z') }, async (on) => {
      expect((await call('GET', OLD, undefined, on)).headers.sunset).toBe('Wed, 30 Jun 2027 00:00:00 GMT');
    }));

  test('answer as their successors do', () =>
    started({}, async (on) => {
      for (const kind of ['card', 'account']) {
        const end = `api/customers/c/client/d/${kind}/fees/EUR`;
        const was = await call('GET', `/${kind === 'card' ? 'iam' : 'wallet'}/${end}`, undefined, on);
        const is = await call('GET', `/billing/${end}`, undefined, on);
        expect([was.status, was.text]).toEqual([is.status, is.text]);
        expect(is.json().currency).toBe('EUR');
      }
    }));

  test('refuse the method of the other form', () =>
    started({}, async (on) => {
      const old = await call('POST', OLD, undefined, on);
      const now = await call('GET', `/billing/api/${ids}/transactions/fees`, undefined, on);
      expect([old.status, old.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
      expect([now.status, now.headers.allow]).toEqual([405, 'POST, OPTIONS']);
    }));

  test.each([
    [true, 410],
    [410, 410],
    [404, 404],
  ] as const)('withdrawn by %s answer %d, still with their successor', (withdrawDeprecated, status) =>
    started({ withdrawDeprecated }, async (on) => {
      const reply = await call('GET', OLD, undefined, on);
      expect(reply.json()).toMatchObject({ status, type: expect.stringMatching(/problems\/operation-withdrawn$/) });
      expect(reply.headers.link).toContain('/billing/');
      expect(reply.json().detail).toContain('call POST /billing');
      expect((await call('GET', '/billing/api/customers/c/client/d/card/fees/GBP', undefined, on)).status).toBe(200);
    }),
  );
});
