import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isValidIBAN as isIBAN } from 'ibantools';
import { describe, expect, test } from 'vitest';
import { readContractFolder } from '../../../src/contract/read-folder.ts';
import type { Mock } from '../../../src/mock/mock.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { packageRoot } from '../../../src/package-root.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ask, type Told } from '../support/ask.ts';
import { send } from '../support/client.ts';
import { mockOfFile } from '../support/started.ts';

const WALLET = '/wallet/api/customers/c';
const mock = await mockOfFile({ listen: false, anyToken: true });

const call = (method: string, path: string, body?: unknown): Promise<Told> => ask(mock, method, path, body);
const state = (method: string, path: string, body?: unknown): Promise<Told> =>
  ask(mock, method, `/__mock/state${path}?customerId=c`, body);
/** Replaces a record by a copy with some members changed. */
async function edit(path: string, changes: object): Promise<Told> {
  const { body } = await state('GET', path);
  return state('PUT', path, { ...body, ...changes });
}
const faultsOf = ({ status, body }: Told): unknown => [
  status,
  ...(body.errors ?? []).map(({ pointer }: { pointer: string }) => pointer),
];

describe('records written through the control API', () => {
  test('a created record gets the defaults of a POST and shows in the API', async () => {
    const made = await state('POST', '/cards', { cardId: 'mine', status: 'SUSPENDED', cardLimitDaily: 7 });
    expect([made.status, made.headers.get('location')]).toEqual([201, '/__mock/state/cards/mine?customerId=c']);
    const shown = await call('GET', `${WALLET}/cards/mine`);
    expect(shown.body).toMatchObject({ cardId: 'mine', status: 'SUSPENDED', cardLimitDaily: 7, currency: 'GBP' });
    expect(shown.body).toMatchObject({ clientId: 'client-2001', maskedNumber: expect.stringMatching(/^5355/) });
    expect((await call('GET', '/wallet/api/customers/other/cards/mine')).status).toBe(404);
    expect((await state('POST', '/cards', { cardId: 'mine' })).status).toBe(409);
  });

  test('null omits a member on creation, or removes it on a change', async () => {
    const { body } = await state('POST', '/account', { ibanForSwift: null });
    expect(body).not.toHaveProperty('ibanForSwift');
    expect((await call('GET', `${WALLET}/accounts/${body.accountId}`)).body).not.toHaveProperty('ibanForSwift');
    await edit('/cards/card-4001', { cardLimitDaily: null });
    const card = (await call('GET', `${WALLET}/cards/card-4001`)).body;
    expect([card.cardLimitDaily, card.cardLimitMonthly]).toEqual([undefined, 60_000]);
  });

  test('a record that changed since it was read is not replaced, and the answer is 412', async () => {
    const path = '/__mock/state/cards/card-4001?customerId=c';
    const { body, headers } = await ask(mock, 'GET', path);
    const known = { 'if-match': headers.get('etag') ?? '' };
    const first = await ask(mock, 'PUT', path, { ...body, alias: 'First' }, known);
    expect([first.status, first.headers.get('etag') === known['if-match']]).toEqual([200, false]);
    expect((await ask(mock, 'PUT', path, { ...body, alias: 'Second' }, known)).status).toBe(412);
    expect((await ask(mock, 'GET', path)).body.alias).toBe('First');
    const again = { 'if-match': first.headers.get('etag') ?? '' };
    const { alias: _, ...rest } = first.body;
    expect((await ask(mock, 'PUT', path, rest, again)).body).toEqual(rest);
  });

  test('a change may set any status of the schema, and no other', async () => {
    expect((await edit('/clients/client-2001', { status: 'REJECTED' })).body.status).toBe('REJECTED');
    expect((await edit('/clients/client-2001', { status: 'ACTIVE' })).body.status).toBe('ACTIVE');
    expect(faultsOf(await edit('/clients/client-2001', { status: 'LOST' }))).toEqual([422, '/status']);
  });

  test('all mistakes are reported, and nothing is stored', async () => {
    const wrong = { aliass: 'x', currency: 'pounds', cardLimitDaily: 'much', cardType: 'VIRTUAL', token: 'ctk-1' };
    const told = await state('POST', '/cards', wrong);
    expect(faultsOf(told)).toEqual([422, '/aliass', '/currency', '/cardLimitDaily', '/token']);
    expect(told.body.errors[0].message).toBe('A card has no aliass. Did you mean alias?');
    expect(faultsOf(await edit('/cards/card-4001', { ...wrong, cardId: 'other' }))).toEqual([
      422,
      '/aliass',
      '/currency',
      '/cardLimitDaily',
      '/cardId',
      '/token',
    ]);
    expect((await state('GET', '/cards')).body.records).toHaveLength(3);
  });

  test('a documented maximum applies in the currency of the record', async () => {
    expect(faultsOf(await edit('/cards/card-4001', { cardLimitDaily: 100_001 }))).toEqual([422, '/cardLimitDaily']);
    expect((await edit('/cards/card-4002', { cardLimitDaily: 100_001 })).status).toBe(200);
  });

  test('a referenced record must exist and belong to the same client; the owner of a record cannot change', async () => {
    expect(faultsOf(await edit('/cards/card-4001', { userId: 'nobody' }))).toEqual([422, '/userId']);
    expect(faultsOf(await edit('/cards/card-4001', { userId: 'user-3003' }))).toEqual([422, '/userId']);
    expect(faultsOf(await edit('/cards/card-4001', { clientId: 'client-2002' }))).toEqual([
      422,
      '/clientId',
      '/userId',
    ]);
    expect(faultsOf(await state('POST', '/cards', { userId: 'nobody' }))).toEqual([422, '/userId']);
    expect((await edit('/cards/card-4001', { userId: 'user-3002' })).status).toBe(200);
  });

  test('hidden members, for example credentials, are set with their documented words', async () => {
    const path = '/users/user-3002';
    expect(faultsOf(await edit(path, { credentials: ['NOTHING'] }))).toEqual([422, '/credentials']);
    await edit(path, { credentials: ['SECURITY_QUESTIONS'] });
    expect((await call('POST', `${WALLET}/cards`, { userId: 'user-3002' })).status).toBe(200);
  });

  test('deleting a record deletes everything that belongs to it', async () => {
    expect((await state('DELETE', '/clients/client-2001')).status).toBe(204);
    expect((await call('GET', `${WALLET}/cards/card-4001`)).status).toBe(404);
    expect((await state('DELETE', '/clients/client-2001')).status).toBe(404);
    expect((await state('DELETE', '')).status).toBe(204);
    expect((await call('GET', `${WALLET}/cards/card-4001`)).status).toBe(200);
  });

  test('a masked value that is sent back leaves the real value unchanged', async () => {
    const before = (await call('GET', `${WALLET}/cards/card-4001`)).body;
    const shown = (await state('GET', '/cards/card-4001')).body;
    expect(shown.token).toMatch(/^\[redacted/);
    expect((await edit('/cards/card-4001', { ...shown, alias: 'Mine' })).status).toBe(200);
    expect((await call('GET', `${WALLET}/cards/card-4001`)).body).toEqual({ ...before, alias: 'Mine' });
  });

  test('an invalid control request is a 4xx that lists the possible values', async () => {
    expect((await state('GET', '/crads')).body.detail).toMatch(/Did you mean cards/);
    expect((await state('GET', '/__proto__')).status).toBe(404);
    expect((await ask(mock, 'GET', '/__mock/state/cards')).status).toBe(422);
    for (const body of [[], 'x', 1, null]) expect((await state('PUT', '/cards/card-4001', body)).status).toBe(422);
    const pollution = await mock.fetch('/__mock/state/cards?customerId=c', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"__proto__": {"x": 1}, "constructor": 1}',
    });
    expect([pollution.status, ({} as { x?: number }).x]).toEqual([422, undefined]);
    expect((await state('PATCH', '/cards/card-4001', {})).status).toBe(405);
  });
});

describe('many records created at once', () => {
  const many = async (kind: string, count: number, body: object = {}) =>
    (await ask(mock, 'POST', `/__mock/state/${kind}?customerId=c&count=${count}`, body)).body;
  const added = async (kind: string, ids: readonly string[], id: string) =>
    (await state('GET', `/${kind}`)).body.records.filter((one: Record<string, string>) => ids.includes(one[id] ?? ''));

  test('many new records differ in name, state, user and dates', async () => {
    const { created, ids } = await many('cards', 1_000, { currency: 'GBP' });
    expect(created).toBe(1_000);
    const cards = await added('cards', ids, 'cardId');
    const valuesOf = (field: string) => new Set(cards.map((card: Record<string, unknown>) => card[field]));
    for (const field of ['alias', 'status', 'userId', 'expires', 'cardType'])
      expect([field, valuesOf(field).size > 1]).toEqual([field, true]);
    expect(valuesOf('currency')).toEqual(new Set(['GBP']));
  });

  test("many new accounts have bank details of their country, and IBANs of their client's country", async () => {
    const own = new Map(Object.entries({ US: ['aba'], MX: ['clabe'], IN: ['ifsc'], CN: ['cnaps'] }));
    const { ids } = await many('beneficiaries', 100);
    // the state of the control API is redacted
    const { body: listed } = await call('GET', `${WALLET}/clients/client-2001/beneficiaries`);
    const made = listed.filter(({ beneficiaryId }: Record<string, string>) => ids.includes(beneficiaryId ?? ''));
    expect(made).toHaveLength(100);
    for (const one of made) {
      expect(['aba', 'clabe', 'ifsc', 'cnaps'].filter((field) => field in one)).toEqual(own.get(one.country) ?? []);
      // the sum of an ABA number and of a CLABE, weighted by 3, 7 and 1, ends with 0
      const sum = [...(one.aba ?? one.clabe ?? '')].reduce(
        (all, digit, at) => all + Number(digit) * ([3, 7, 1][at % 3] ?? 0),
        0,
      );
      expect(sum % 10).toBe(0);
    }
    for (const [clientId, country] of [
      ['client-2001', 'GB'],
      ['client-2002', 'DE'],
    ]) {
      const { ids: made } = await many('accounts', 20, { clientId });
      const { body } = await call('GET', `${WALLET}/clients/${clientId}/accounts`);
      for (const { accountId, ibanForSwift } of body.slice(-made.length))
        expect([made.includes(accountId), ibanForSwift.slice(0, 2), isIBAN(ibanForSwift)]).toEqual([
          true,
          country,
          true,
        ]);
    }
  });

  test('many new transactions stop when the balance is used up, and the answer gives the reason', async () => {
    const out = { direction: 'OUT', accountId: 'acc-5001', status: 'PENDING' };
    const { created, ids, stopped } = await many('transactions', 1_000, out);
    expect([created === ids.length, created > 5, created < 1_000]).toEqual([true, true, true]);
    expect(stopped).toMatch(/more than the account holds/);
    const payments = await added('transactions', ids, 'transactionId');
    const paid = payments.reduce(
      (sum: number, one: { readonly amount: number; readonly paymentProviderDetails: { readonly rate: number } }) => {
        return sum + Math.round((100 * one.amount) / one.paymentProviderDetails.rate);
      },
      0,
    );
    mock.clock.advance(3 * 86_400);
    const { balance } = (await call('GET', `${WALLET}/accounts/acc-5001`)).body;
    expect(balance).toBeGreaterThanOrEqual(0);
    expect(Math.round(balance * 100)).toBe(1_825_075 - paid);
    await edit('/accounts/acc-5001', { balance: 2 });
    expect((await ask(mock, 'POST', '/__mock/state/transactions?customerId=c&count=2', out)).status).toBe(422);
  });
});

describe('tenants and saved seeds', () => {
  test('the tenant list shows who changed something, with the kinds of records', async () => {
    await edit('/cards/card-4001', { alias: 'x' });
    const { body } = await ask(mock, 'GET', '/__mock/tenants');
    expect(body.parameter).toBe('customerId');
    expect(body.tenants).toEqual([
      { id: 'cust-1001', changed: false },
      { id: 'c', changed: true },
    ]);
    expect(body.kinds).toContainEqual({
      name: 'beneficiary',
      plural: 'beneficiaries',
      id: 'beneficiaryId',
      belongsTo: 'client',
      fields: expect.arrayContaining(['name', 'visible']),
    });
  });

  test('a saved seed starts another mock with the same records, in YAML and in JSON', async () => {
    await call('POST', `${WALLET}/cards`, { alias: 'Made', cardType: 'VIRTUAL' });
    await call('PUT', '/iam/api/customers/c/companies/client-2001/freeze');
    await state('DELETE', '/users/user-3002');
    await call('POST', '/iam/api/customers/c/credentials/generateCustomerKey');
    await edit('/users/user-3001', { credentials: ['PASSWORD'] });
    // per client, in order of creation
    const records = async (of: Mock): Promise<unknown> => {
      const { body } = await ask(of, 'GET', '/__mock/state?customerId=c');
      const lists = Object.entries(body.records as Record<string, { clientId: string }[]>);
      return lists.map(([kind, list]) => [kind, Object.groupBy(list, ({ clientId }) => clientId)]);
    };
    const before = await records(mock);
    const folder = await temporaryFolder();
    for (const format of ['yaml', 'json']) {
      const saved = await ask(mock, 'GET', `/__mock/seed?customerId=c&format=${format}`);
      expect([saved.status, saved.text.includes('[redacted')]).toEqual([200, false]);
      const file = join(folder, `seed.${format}`);
      await writeFile(file, saved.text);
      await using again = await startMock({ listen: false, anyToken: true, seedData: file });
      expect(await records(again)).toEqual(before);
    }
    expect((await ask(mock, 'GET', '/__mock/seed?customerId=c&format=xml')).status).toBe(422);
  });

  test('H3: a saved seed contains values that are masked elsewhere, so it needs the token of a change', async () => {
    await using open = await startMock({ host: '0.0.0.0' });
    const path = '/__mock/seed?customerId=c';
    expect((await send(open, { path })).status).toBe(403);
    expect((await send(open, { path: '/__mock/tenants' })).status).toBe(200);
    expect((await send(open, { path, headers: { 'x-mock-control-token': open.controlToken } })).status).toBe(200);
    const sent = { method: 'PUT', path: '/__mock/state/cards/card-4001?customerId=c', body: '{"alias":"x"}' };
    const type = { 'content-type': 'application/json' };
    expect((await send(open, { ...sent, headers: type })).status).toBe(403);
    expect((await send(open, { ...sent, headers: { 'x-mock-control-token': open.controlToken } })).status).toBe(415);
  });

  test('another API has its own kinds of records and its own tenant parameter', async () => {
    const folder = await readContractFolder(join(packageRoot, 'examples/second-api'));
    await using other = await startMock({ listen: false, anyToken: true, folder });
    const { body } = await ask(other, 'GET', '/__mock/tenants');
    expect([body.parameter, body.tenants]).toEqual(['X-Post-Office', [{ id: 'gotland', changed: false }]]);
    const at = (path: string): string => `/__mock/state/pigeons${path}?X-Post-Office=gotland`;
    const { body: pigeon } = await ask(other, 'GET', at('/pigeon-ada'));
    expect(faultsOf(await ask(other, 'PUT', at('/pigeon-ada'), { ...pigeon, plumage: 7 }))).toEqual([422, '/plumage']);
    expect((await ask(other, 'POST', at(''), { pigeonRef: 'p', plumage: 'CHEQUER' })).status).toBe(201);
    expect((await ask(other, 'GET', at(''))).body.records).toHaveLength(3);
  });
});

describe('one-time answers', () => {
  const card = `${WALLET}/cards/card-4001`;

  test('a one-time answer goes only to the next request of its operation, and the journal records it', async () => {
    const { status, body } = await ask(mock, 'POST', '/__mock/answer-once', {
      operation: 'getCard',
      answer: { status: 503, headers: { 'retry-after': '7' }, body: { sorry: true } },
    });
    expect([status, body.name]).toEqual([201, 'answer-once']);
    expect((await call('GET', `${WALLET}/accounts`)).status).toBe(200);
    const told = await call('GET', card);
    expect([told.status, told.headers.get('retry-after'), told.body]).toEqual([503, '7', { sorry: true }]);
    expect(told.headers.get('x-mock-scenario')).toBe('answer-once');
    expect((await call('GET', card)).status).toBe(200);
    expect((await ask(mock, 'GET', '/__mock/scenarios/active')).body.active).toEqual([]);
    const [entry] = mock.journal.entries({ status: '503' });
    expect(JSON.stringify(entry)).toContain('answer-once');
    expect((await ask(mock, 'GET', '/__mock/why')).body.scenarios).toEqual(['answer-once']);
  });

  test('several one-time answers come in turn, and one that is disposed of does not come', async () => {
    await mock.answerOnce('getCard', 500);
    await mock.answerOnce('getCard', { status: 404, problem: 'scenario', detail: 'gone' });
    const unwanted = await mock.answerOnce('getCard', 418);
    unwanted.dispose();
    const seen = [await call('GET', card), await call('GET', card), await call('GET', card)];
    expect(seen.map(({ status }) => status)).toEqual([500, 404, 200]);
    await mock.answerOnce('getToken', 503);
    expect((await call('POST', '/iam/oauth/token')).status).toBe(503);
    await mock.answerOnce('getCard', 500);
    await mock.reset();
    expect((await call('GET', card)).status).toBe(200);
  });

  test('a mistake in a one-time answer is reported with its place', async () => {
    const post = (body: unknown): Promise<Told> => ask(mock, 'POST', '/__mock/answer-once', body);
    const wrong = await post({ operation: 'getCrad', answer: 200 });
    expect([faultsOf(wrong), wrong.body.detail]).toEqual([[422, '/operation'], expect.stringMatching(/getCard/)]);
    expect(faultsOf(await post({ operation: 'getCard', answer: 99 }))).toEqual([422, '/answer/status']);
    expect(faultsOf(await post({ operation: 'getCard', answer: { status: 200, boody: 1 } }))).toEqual([
      422,
      '/answer/boody',
    ]);
    expect(faultsOf(await post({ operation: 'getCard', answer: [] }))).toEqual([422, '/answer']);
    expect(faultsOf(await post({ answer: 200 }))).toEqual([422, '']);
    await expect(mock.answerOnce('nothing', 200)).rejects.toMatchObject({ code: 'usage' });
  });
});
