import { describe, expect, test } from 'vitest';
import type { Mock } from '../../../src/mock/mock.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { command } from '../../cli/command.ts';
import { ask, type Told } from '../support/ask.ts';
import { startsMocks } from '../support/started.ts';

const start = startsMocks();
const CARDS = '/wallet/api/customers/cust-1001/cards';
const LIMITS = '/wallet/api/customers/cust-1001/client-2001/card/card-4001/updateLimits';
const LIST = '/wallet/api/customers/cust-1001/clients/client-2001/cards';
const BENEFICIARIES = '/wallet/api/customers/cust-1001/clients/client-2001/beneficiaries';
const WARNING = 'x-mock-warning';

/** A body without a content type. */
async function untyped(mock: Mock): Promise<Told> {
  const headers = { authorization: 'Bearer any' };
  const response = await mock.fetch(CARDS, { method: 'POST', headers, body: Buffer.from('{"alias":"x"}') });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

const why = async (mock: Mock) => (await ask(mock, 'GET', '/__mock/why')).body;

describe('a mock without flags', () => {
  test('by default the mock rejects impossible values, with provenance "assumed"', async () => {
    const mock = await start();
    const negative = await ask(mock, 'PUT', LIMITS, { cardLimitDaily: -1 });
    const errors = [{ in: 'body', pointer: '/cardLimitDaily', message: 'must be at least 0' }];
    expect([negative.status, negative.body.errors]).toEqual([422, errors]);
    expect(negative.headers.get('x-mock-provenance')).toBe('assumed');
    expect((await ask(mock, 'POST', CARDS, { cardLimitDaily: -5 })).status).toBe(422);
    expect((await ask(mock, 'PUT', LIMITS)).status).toBe(400);
    expect((await ask(mock, 'PUT', LIMITS, {})).status).toBe(422);
    const bare = await untyped(mock);
    expect([bare.status, bare.body.type]).toEqual([415, expect.stringMatching(/missing-type$/)]);
  });

  test('by default the mock accepts unknown names, with a warning in the answer, journal and explanation', async () => {
    const mock = await start();
    const told = await ask(mock, 'POST', CARDS, { alias: 'x', cardDesing: 'plain-white' });
    expect(told.status).toBe(200);
    expect(told.headers.get(WARNING)).toBe(
      'refused by a stricter mock: 422 /cardDesing is no member that issueNewCard knows. Did you mean cardDesign?',
    );
    expect(await why(mock)).toMatchObject({ status: 200, rule: 'warning', warning: told.headers.get(WARNING) });
    const [entry] = mock.journal.entries();
    expect(entry?.response?.headers).toContainEqual([WARNING, told.headers.get(WARNING)]);
    const asked = await ask(mock, 'GET', `${BENEFICIARIES}?visble=true&__example=none`);
    expect(asked.headers.get(WARNING)).toMatch(/visble is no query parameter .+ Did you mean visible\?$/);
    expect((await ask(mock, 'GET', `${BENEFICIARIES}?visible=true`)).headers.get(WARNING)).toBeNull();
  });

  test('the mock names headers without effect of a write, also with --strict, and no others', async () => {
    const mock = await start({ strict: true });
    const send = async (method: string, path: string, headers: Readonly<Record<string, string>>) => {
      const init = { method, headers: { authorization: 'Bearer any', ...headers } };
      const { status, headers: given } = await mock.fetch(path, init);
      expect(
        mock.journal
          .entries()
          .at(-1)
          ?.response?.headers.find(([name]) => name === WARNING)?.[1] ?? null,
      ).toBe(given.get(WARNING));
      return [status, given.get(WARNING)];
    };
    const suspend = `${CARDS}/card-4001/suspend`;
    expect(await send('PUT', suspend, { 'Idempotency-Key': 'k1', 'if-match': '"1"' })).toEqual([
      200,
      'without effect: idempotency-key, if-match (suspendCard documents no such header)',
    ]);
    const usual = { traceparent: '00-1-1-01', 'x-request-id': 'r1', 'user-agent': 'test' };
    expect(await send('PUT', suspend, usual)).toEqual([200, null]);
    expect(await send('GET', LIST, { 'if-none-match': '"1"' })).toEqual([200, null]);
  });

  test('by default an operation without a known body accepts any body, for example the {} of many clients', async () => {
    const mock = await start();
    const suspend = `${CARDS}/card-4001/suspend`;
    const told = await ask(mock, 'PUT', suspend, {});
    expect([told.status, told.body.status]).toEqual([200, 'SUSPENDED']);
    expect(told.headers.get(WARNING)).toBe('refused by a stricter mock: 415 suspendCard takes no body');
    expect((await ask(mock, 'PUT', suspend)).headers.get(WARNING)).toBeNull();
    const strict = await start({ strict: true });
    const refused = await ask(strict, 'PUT', suspend, {});
    expect([refused.status, refused.body.type]).toEqual([415, expect.stringMatching(/unsupported-type$/)]);
  });

  test('M3: the warning header escapes and shortens names of any kind', async () => {
    const mock = await start();
    const body = JSON.parse(`{"__proto__": 1, "ключ\\r\\nx-evil: 1": 2, "${'a'.repeat(5_000)}": 3}`) as object;
    const told = await ask(mock, 'POST', CARDS, body);
    expect(told.status).toBe(200);
    expect(told.headers.get(WARNING)).toMatch(/^[\x20-\x7e]{20,1000}$/);
    expect(told.headers.get('x-evil')).toBeNull();
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

test('--strict also rejects names that the contract does not define', async () => {
  const mock = await start({ strict: true });
  const told = await ask(mock, 'POST', CARDS, { alias: 'x', colour: 'red' });
  const errors = [{ in: 'body', pointer: '/colour', message: 'is no member that issueNewCard knows.' }];
  expect(told.body).toMatchObject({ status: 422, type: expect.stringMatching(/unknown-member$/), errors });
  const asked = await ask(mock, 'GET', `${CARDS}/card-4001?expand=all`);
  expect([asked.status, asked.body.type]).toEqual([422, expect.stringMatching(/unknown-query$/)]);
  expect((await why(mock)).step).toBe('body');
  expect((await ask(mock, 'GET', `${CARDS}/card-4001`)).status).toBe(200);
});

describe('--lenient', () => {
  test('--lenient accepts requests that violate only an assumption, and adds a warning', async () => {
    const mock = await start({ lenient: true });
    const negative = await ask(mock, 'PUT', LIMITS, { cardLimitDaily: -1 });
    expect([negative.status, negative.body.cardLimitDaily]).toEqual([200, -1]);
    expect(negative.headers.get(WARNING)).toBe('refused by a stricter mock: 422 /cardLimitDaily must be at least 0');
    for (const [told, warning] of [
      [await ask(mock, 'PUT', LIMITS), '400 updateCardLimits needs'],
      [await untyped(mock), '415 send the header content-type'],
      [await ask(mock, 'POST', CARDS, { colour: 'red' }), '/colour is no member'],
    ] as const)
      expect([told.status, told.headers.get(WARNING)]).toEqual([200, expect.stringContaining(warning)]);
  });

  test('--lenient still enforces documented tokens, types, maxima and rules', async () => {
    const mock = await start({ lenient: true, anyToken: false });
    expect((await ask(mock, 'PUT', LIMITS, { cardLimitDaily: 1 })).status).toBe(401);
    const open = await start({ lenient: true });
    expect((await ask(open, 'POST', CARDS, { cardLimitDaily: 'much' })).status).toBe(422);
    expect((await ask(open, 'POST', CARDS, { currency: 'GBP', cardLimitDaily: 100_001 })).status).toBe(422);
    expect((await ask(open, 'POST', CARDS, { userId: 'user-3002' })).status).toBe(409);
    const [form, wrong] = ['application/x-www-form-urlencoded', 'Basic x'];
    const headers = { authorization: wrong, 'content-type': form };
    expect((await open.fetch('/iam/oauth/token', { method: 'POST', headers, body: '' })).status).toBeGreaterThan(399);
  });

  test('a mock cannot be both strict and lenient', async () => {
    await expect(startMock({ listen: false, strict: true, lenient: true })).rejects.toMatchObject({ code: 'usage' });
    const { code, err } = await command(['mock', '--port', '0', '--strict', '--lenient']);
    expect([code, err]).toEqual([2, expect.stringContaining('strict or lenient, not both')]);
  });
});

describe('Prefer: code for statuses outside the contract', () => {
  test.each([
    [404, 'not-found'],
    [409, 'conflict'],
    [422, 'invalid-body'],
    [429, 'too-many-requests'],
    [500, 'server-error'],
  ])("Prefer: code=%i gets the mock's own problem of that status", async (code, name) => {
    const mock = await start();
    const told = await ask(mock, 'GET', `${CARDS}/card-4001`, undefined, { prefer: `code=${code}` });
    const [type, applied] = [told.headers.get('content-type'), told.headers.get('preference-applied')];
    expect([told.status, type, applied]).toEqual([code, 'application/problem+json', `code=${code}`]);
    expect(told.body).toMatchObject({ status: code, type: expect.stringMatching(new RegExp(`/${name}$`)) });
    expect(told.headers.get('retry-after')).toBe(code === 429 ? '1' : null);
    expect((await why(mock)).rule).toBe(name);
  });

  test('the token check comes before Prefer', async () => {
    const mock = await start({ anyToken: false });
    expect((await ask(mock, 'GET', `${CARDS}/card-4001`, undefined, { prefer: 'code=500' })).status).toBe(401);
  });
});

describe('suggestions for near misses', () => {
  test.each([
    ['/wallet/api/customers/cust-1001/card/card-4001', 'getCard', `${CARDS}/card-4001`],
    [`${CARDS}/card-4001/`, 'getCard', `${CARDS}/card-4001`],
    ['/Wallet/api/customers/cust-1001/Cards/card-4001', 'getCard', `${CARDS}/card-4001`],
    ['/api/customers/cust-1001/cards/card-4001', 'getCard', `${CARDS}/card-4001`],
    ['/wallet/api/customer/cust-1001/cards', 'issueNewCard', CARDS],
    ['/customers/x/beneficiaries', 'getBeneficiaries', BENEFICIARIES],
    ['/wallet/api/customers/acme/client/c-9/cards', 'listClientCards', LIST],
  ])('%s gets suggestions with existing ids', async (path, operationId, example) => {
    const mock = await start();
    const told = await ask(mock, 'GET', path);
    expect(told.status).toBe(404);
    expect(told.body.nearest.map((one: { operationId: string }) => one.operationId)).toContain(operationId);
    expect(told.body.nearest.map((one: { example: string }) => one.example)).toContain(example);
    expect(told.body.detail).toMatch(/Did you mean [A-Z]+ \//);
    const [{ method, example: first }] = told.body.nearest;
    if (method === 'GET') expect((await ask(mock, 'GET', first)).status).toBe(200);
    await ask(mock, 'GET', path);
    const explained = await why(mock);
    expect(explained.nearest).toEqual(told.body.nearest);
    expect(explained.wouldPass).toBe(`${told.body.nearest[0].method} ${told.body.nearest[0].example}`);
  });

  test.each([
    ['/customers/x/beneficiaries', 'getBeneficiaries'],
    ['/customers/x/accounts', 'getListOfAccounts'],
    ['/api/customers/x/clients/y/accounts', 'getAccounts'],
    ['/transactions/txn-7001', 'getTransaction'],
  ])('%s ends as its first suggestion does: with a word, or with an id', async (path, operationId) => {
    const { body } = await ask(await start(), 'GET', path);
    expect(body.nearest[0].operationId).toBe(operationId);
  });

  test('a path without resemblance gets no suggestion, however long it is', async () => {
    const mock = await start();
    for (const path of ['/', '/favicon.ico', `/${'a/'.repeat(2_000)}`, `/${'wallet'.repeat(1_000)}`])
      expect((await ask(mock, 'GET', path)).body).not.toHaveProperty('nearest');
  });

  test('an unknown id gets suggestions of existing ids, including created ones', async () => {
    const mock = await start();
    const told = await ask(mock, 'GET', `${CARDS}/card-4010`);
    expect([told.status, told.body.existing]).toEqual([404, ['card-4001', 'card-4002', 'card-4003']]);
    expect((await why(mock)).existing).toEqual(told.body.existing);
    const { cardId } = (await ask(mock, 'POST', CARDS, { alias: 'x' })).body;
    expect((await ask(mock, 'GET', `${CARDS}/${cardId}0`)).body.existing[0]).toBe(cardId);
    const body = await ask(mock, 'POST', CARDS, { userId: 'user-300l' });
    expect([body.status, body.body.existing[0]]).toEqual([422, 'user-3001']);
  });
});
