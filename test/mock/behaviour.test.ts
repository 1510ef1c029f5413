import { describe, expect, test } from 'vitest';
import type { Mock } from '../../src/mock/mock.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { ask, type Told } from './support/ask.ts';
import { plan } from './support/compiled.ts';
import {
  CLIENT_ID,
  CUSTOMER_ID,
  PHYSICAL_CARD_ID,
  USER_ID,
  USER_NEEDING_QUESTIONS,
  VIRTUAL_CARD_ID,
} from './support/ids.ts';
import { mockOfFile } from './support/started.ts';

const CARDS = `/wallet/api/customers/${CUSTOMER_ID}/cards`;
const UPDATE = `/wallet/api/customers/${CUSTOMER_ID}/${CLIENT_ID}/card/${PHYSICAL_CARD_ID}`;
const mock = await mockOfFile({ listen: false, anyToken: true });
const call = (method: string, path: string, body?: unknown, on: Mock = mock): Promise<Told> =>
  ask(on, method, path, body);
const problem = (kind: string): string => `https://banking-api-contract.invalid/problems/${kind}`;

describe('card limits', () => {
  // API reference, Limits
  test.each([
    ['cardLimitDaily', 'GBP', 100_000],
    ['cardLimitDaily', 'EUR', 115_000],
    ['cardLimitMonthly', 'GBP', 250_000],
    ['cardLimitMonthly', 'EUR', 290_000],
    ['cardLimitTransaction', 'GBP', 100_000],
    ['cardLimitTransaction', 'EUR', 115_000],
  ] as const)(
    'the limit %s in %s accepts %d, and a higher value is rejected and named',
    async (field, currency, maximum) => {
      expect((await call('POST', CARDS, { currency, [field]: maximum })).status).toBe(200);
      const { body } = await call('POST', CARDS, { currency, [field]: maximum + 1 });
      expect(body).toMatchObject({
        status: 422,
        type: problem('card-limit'),
        errors: [{ pointer: `/${field}`, maximum }],
      });
    },
  );

  test('an unlisted currency has no maximum; without a currency the highest maximum applies', async () => {
    expect((await call('POST', CARDS, { currency: 'USD', cardLimitDaily: 9_000_000 })).status).toBe(200);
    expect((await call('POST', CARDS, { cardLimitDaily: 115_000 })).status).toBe(200);
    expect((await call('POST', CARDS, { cardLimitDaily: 115_001 })).status).toBe(422);
  });

  test('the name of an inherited property is not a currency of the table', async () => {
    const { body } = await call('POST', CARDS, { currency: 'constructor', cardLimitDaily: 999_999 });
    expect(body).toMatchObject({ status: 422, type: problem('invalid-body') });
  });

  test.each([{}, { stateless: true }])(
    'every operation that changes a card checks its limits, with %o',
    async (options) => {
      await using other = await startMock({ listen: false, anyToken: true, ...options });
      for (const end of ['', '/updateLimits']) {
        // the maximum in euros is higher
        const { body } = await call('PUT', `${UPDATE}${end}`, { cardLimitDaily: 110_000 }, other);
        expect([end, body.status, body.type]).toEqual([end, 422, problem('card-limit')]);
      }
    },
  );
});

describe('security questions', () => {
  const answer = (body: object, customer = CUSTOMER_ID): Promise<Told> =>
    call(
      'POST',
      `/iam/api/customers/${customer}/clients/${CLIENT_ID}/users/${USER_NEEDING_QUESTIONS}/credentials/securityQuestions`,
      body,
    );
  const issue = (userId?: string, on?: Mock): Promise<Told> => call('POST', CARDS, { userId }, on);

  test('a card is issued only after the security questions are answered, if the provider requires them', async () => {
    const refused = await issue(USER_NEEDING_QUESTIONS);
    expect([refused.status, refused.body.type]).toEqual([409, problem('questions-unanswered')]);
    expect((await answer({ securityQuestions: 'x' })).status).toBe(422);
    expect((await issue(USER_NEEDING_QUESTIONS)).status).toBe(409);
    expect((await answer({ securityQuestions: [] })).status).toBe(200);
    expect((await issue(USER_NEEDING_QUESTIONS)).status).toBe(200);
  });

  test.each([USER_ID, undefined])('the user %s needs no security questions', async (userId) => {
    expect((await issue(userId)).status).toBe(200);
  });

  test('M10: answers to security questions count only for one customer in one mock', async () => {
    await using other = await startMock({ listen: false, anyToken: true });
    await answer({}, 'someone-else');
    expect((await issue(USER_NEEDING_QUESTIONS)).status).toBe(409);
    await answer({});
    expect((await issue(USER_NEEDING_QUESTIONS)).status).toBe(200);
    expect((await issue(USER_NEEDING_QUESTIONS, other)).status).toBe(409);
  });
});

test.each([
  ['physical', PHYSICAL_CARD_ID, true],
  ['virtual', VIRTUAL_CARD_ID, false],
])('the card token is in all answers of a card with a token, and in no other: %s', async (_, cardId, isThere) => {
  const update = `/wallet/api/customers/${CUSTOMER_ID}/${CLIENT_ID}/card/${cardId}`;
  for (const [method, path, body] of [
    ['GET', `${CARDS}/${cardId}`],
    ['PUT', `${CARDS}/${cardId}/suspend`],
    ['PUT', `${CARDS}/${cardId}/activate`],
    ['PUT', update, { alias: 'Travel' }],
    ['PUT', `${update}/updateAlias`, { alias: 'Travel' }],
    ['PUT', `${update}/updateLimits`, { cardLimitDaily: 100 }],
    ['DELETE', `${CARDS}/${cardId}`],
  ] as const) {
    const told = await call(method, path, body);
    expect([path, told.status, 'token' in told.body]).toEqual([path, 200, isThere]);
  }
});

describe('M8: deprecated operations', () => {
  const ids = 'customers/c%2F1/clients/d';
  const OLD = `/wallet/api/${ids}/transactions/fees`;

  test('S27, S29: deprecated operations give their date and successor, in good answers and errors', async () => {
    await using strict = await startMock({ listen: false });
    for (const [status, { headers, status: told }] of [
      [200, await call('GET', OLD)],
      [401, await call('GET', OLD, undefined, strict)],
      [405, await call('PATCH', OLD)],
      [406, await ask(mock, 'GET', OLD, undefined, { accept: 'text/html' })],
    ] as const) {
      expect([told, headers.get('deprecation')]).toEqual([status, expect.stringMatching(/^@\d+$/)]);
      const successor = `/billing/api/${ids}/transactions/fees`;
      expect(headers.get('link')).toBe(`<${successor}>; rel="successor-version"`);
      expect(headers.has('sunset')).toBe(false);
    }
  });

  test('exactly the three deprecated operations are marked', async () => {
    for (const { operationId, method, path } of plan.operations.filter(({ auth }) => auth === 'bearer')) {
      const { headers } = await call(method, path.replace(/\{[^}]+\}/g, 'x'));
      expect([operationId, headers.has('deprecation')]).toEqual([operationId, operationId.endsWith('Deprecated')]);
    }
  });

  test('S28: deprecated operations announce a Sunset if one is configured', async () => {
    await using on = await startMock({ listen: false, anyToken: true, sunset: new Date('2027-06-30T00:00:00Z') });
    expect((await call('GET', OLD, undefined, on)).headers.get('sunset')).toBe('Wed, 30 Jun 2027 00:00:00 GMT');
  });

  test.each([
    ['POST', OLD, 'GET, HEAD, OPTIONS'],
    ['GET', `/billing/api/${ids}/transactions/fees`, 'POST, OPTIONS'],
  ])('a deprecated form rejects a method of another form: %s', async (method, path, allow) => {
    const { status, headers } = await call(method, path);
    expect([status, headers.get('allow')]).toEqual([405, allow]);
  });

  test.each([
    [true, 410],
    [410, 410],
    [404, 404],
  ] as const)(
    'operations withdrawn by %s answer %d, and still name their successor',
    async (withdrawDeprecated, status) => {
      await using on = await startMock({ listen: false, anyToken: true, withdrawDeprecated });
      const { body, headers } = await call('GET', OLD, undefined, on);
      const detail = expect.stringContaining('call POST /billing');
      expect(body).toMatchObject({ status, type: problem('operation-withdrawn'), detail });
      expect(headers.get('link')).toContain('/billing/');
      expect((await call('GET', '/billing/api/customers/c/client/d/card/fees/GBP', undefined, on)).status).toBe(200);
    },
  );
});
