import { describe, expect, test } from 'vitest';
import type { Mock } from '../../../src/mock/mock.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { ask } from '../support/ask.ts';

const ACCOUNTS = '/wallet/api/customers/c/accounts';
const overlay = (
  parameters: string,
  schema?: string,
  provenance = 'observed',
  status = '200',
): { file: string; text: string } => ({
  file: 'paging.overlay.yaml',
  text: `overlay: 1.0.0
x-provenance: ${provenance}
info: { title: Paging, version: '1' }
actions:
  - target: $.paths['/wallet/api/customers/{customerId}/accounts'].get
    update:
      parameters: ${parameters}
${schema === undefined ? '' : `      responses: { '${status}': { description: A page, content: { application/json: { schema: ${schema} } } } }`}
`,
});
const start = (parameters?: string, schema?: string, provenance?: string, status?: string): Promise<Mock> =>
  startMock({
    listen: false,
    anyToken: true,
    seedData: {
      clients: [
        { clientId: 'a', accounts: [{ accountId: 'acc-{n}', count: 5 }] },
        { clientId: 'b', accounts: [{ accountId: 'euro', currency: 'EUR' }] },
      ],
    },
    ...(parameters !== undefined && { overlays: [overlay(parameters, schema, provenance, status)] }),
  });
const ids = async (mock: Mock, query: string): Promise<string[]> =>
  (await ask(mock, 'GET', ACCOUNTS + query)).body.map(({ accountId }: { accountId: string }) => accountId);
const query = (name: string, more = ''): string => `{ name: ${name}, in: query, schema: { type: integer }${more} }`;
const text = (name: string): string => `{ name: ${name}, in: query, schema: { type: string } }`;
const idsIn = (items: readonly { readonly accountId: string }[]): string[] => items.map(({ accountId }) => accountId);

describe('a list', () => {
  test('knows no parameter that nothing documents', async () => {
    await using mock = await start();
    expect(await ids(mock, '?limit=2&offset=1&currency=EUR')).toHaveLength(6);
  });

  test('is paged by limit and offset where an overlay documents them', async () => {
    await using mock = await start(`[${query('limit')}, ${query('offset')}]`);
    expect(await ids(mock, '?limit=2&offset=1')).toEqual(['acc-2', 'acc-3']);
    expect(await ids(mock, '?offset=4')).toEqual(['acc-5', 'euro']);
    expect(await ids(mock, '')).toHaveLength(6);
    expect((await ask(mock, 'GET', `${ACCOUNTS}?limit=x`)).status).toBe(422);
  });

  test('is paged by the number of a page, of a size that the document states', async () => {
    const size = '{ name: size, in: query, schema: { type: integer, default: 4 } }';
    await using mock = await start(`[${query('page')}, ${size}]`);
    expect(await ids(mock, '?page=2')).toEqual(['acc-5', 'euro']);
    expect(await ids(mock, '')).toHaveLength(4);
    expect(await ids(mock, '?page=3')).toEqual([]);
    await using zero = await start(`[${query('page').replace('integer', 'integer, minimum: 0')}, ${size}]`);
    expect(await ids(zero, '?page=1')).toEqual(['acc-5', 'euro']);
  });

  test('is picked by a parameter that has the name of a field, and paged by what x-list says', async () => {
    await using mock = await start(`[{ name: currency, in: query }, ${query('most', ', x-list: limit')}]`);
    expect(await ids(mock, '?currency=EUR')).toEqual(['euro']);
    expect(await ids(mock, '?currency=GBP&most=2')).toEqual(['acc-1', 'acc-2']);
  });

  test('is ordered by fields in either direction', async () => {
    await using mock = await start(`[${text('sort')}, ${text('order')}]`);
    const sorted = (query: string): Promise<string[]> => ids(mock, query);
    expect(await sorted('?sort=-accountId')).toEqual(['euro', 'acc-5', 'acc-4', 'acc-3', 'acc-2', 'acc-1']);
    expect(await sorted('?sort=currency,-accountId')).toEqual(['euro', 'acc-5', 'acc-4', 'acc-3', 'acc-2', 'acc-1']);
    expect(await sorted('?sort=account_id:desc')).toEqual(await sorted('?sort=accountId&order=DESC'));
    expect((await sorted('?sort=accountId,desc'))[0]).toBe('euro');
    expect((await sorted('?sort=nothing'))[0]).toBe('acc-1');
  });

  test('is read to its end by cursors, whatever comes and goes meanwhile', async () => {
    const next = '{ type: [string, "null"] }';
    const schema = `{ type: object, required: [data, nextCursor], properties: { data: { type: array, items: { type: object, properties: { accountId: { type: string } } } }, nextCursor: ${next}, hasMore: { type: boolean } } }`;
    await using mock = await start(`[${text('cursor')}, ${query('limit')}]`, schema);
    const page = async (query: string) => (await ask(mock, 'GET', ACCOUNTS + query)).body;
    const first = await page('?limit=2');
    expect(idsIn(first.data)).toEqual(['acc-1', 'acc-2']);
    expect(first).toMatchObject({ hasMore: true, nextCursor: expect.any(String) });
    await ask(mock, 'DELETE', '/__mock/state/accounts/acc-1?customerId=c');
    const second = await page(`?limit=2&cursor=${first.nextCursor}`);
    expect(idsIn(second.data)).toEqual(['acc-3', 'acc-4']);
    const third = await page(`?limit=2&cursor=${second.nextCursor}`);
    expect(idsIn(third.data)).toEqual(['acc-5', 'euro']);
    expect(third).toMatchObject({ hasMore: false, nextCursor: null });
    expect(idsIn((await page('?cursor=acc-5')).data)).toEqual(['euro']);
    expect(await ask(mock, 'GET', `${ACCOUNTS}?cursor=nowhere`)).toMatchObject({ status: 422 });
  });

  test.each([
    ['documented', '200'],
    ['observed', '200'],
    ['documented', '2XX'],
  ])('stands in the envelope that is %s of %s, with what it tells of the page', async (provenance, status) => {
    const number = '{ type: integer }';
    const meta = `{ type: object, required: [total, version], properties: { total: ${number}, totalPages: ${number}, page: ${number}, size: ${number}, version: { const: v2 }, first: { type: boolean }, last: { type: boolean } } }`;
    const schema = `{ type: object, required: [items, meta], properties: { items: { type: array, items: { type: object, properties: { accountId: { type: string } } } }, meta: ${meta} } }`;
    await using mock = await start(
      `[${query('page')}, ${query('size')}, ${text('currency')}]`,
      schema,
      provenance,
      status,
    );
    const { body } = await ask(mock, 'GET', `${ACCOUNTS}?page=2&size=2&currency=GBP`);
    expect(idsIn(body.items)).toEqual(['acc-3', 'acc-4']);
    expect(body.meta).toEqual({
      total: 5,
      totalPages: 3,
      page: 2,
      size: 2,
      version: 'v2',
      first: false,
      last: false,
    });
    const all = (await ask(mock, 'GET', ACCOUNTS)).body;
    expect(all.items).toHaveLength(6);
    expect(all.meta).toMatchObject({ total: 6, totalPages: 1, page: 1, first: true, last: true });
  });
});

describe('a list of payments', () => {
  const PAYMENTS = '/wallet/api/customers/c/payments';
  const startPayments = (parameters: string): Promise<Mock> =>
    startMock({
      listen: false,
      anyToken: true,
      overlays: [
        {
          file: 'payments.overlay.yaml',
          text: `overlay: 1.0.0
info: { title: Payments, version: '1' }
actions:
  - target: $.paths
    update:
      /wallet/api/customers/{customerId}/payments:
        parameters: [{ name: customerId, in: path, required: true, schema: { type: string } }]
        get:
          operationId: listPayments
          parameters: ${parameters}
          responses: { '200': { description: A page, content: { application/json: { schema: { type: object, required: [content, totalElements], properties: { content: { type: array, items: { $ref: '#/components/schemas/Transaction' } }, totalElements: { type: integer } } } } } } }
`,
        },
      ],
      seedData: {
        clients: [
          {
            clientId: 'a',
            accounts: [{ accountId: 'one' }],
            transactions: [
              {
                transactionId: 't1',
                amount: 5,
                status: 'PENDING',
                currency: 'GBP',
                createdAt: '2026-01-01T10:00:00.000Z',
              },
              {
                transactionId: 't2',
                amount: 50,
                status: 'SETTLED',
                currency: 'USD',
                createdAt: '2026-01-31T23:30:00.000Z',
              },
              {
                transactionId: 't3',
                amount: 500,
                status: 'SETTLED',
                currency: 'EUR',
                createdAt: '2026-02-01T00:00:00Z',
              },
            ],
          },
        ],
      },
    });

  test.each([
    ['fromDate', 'fromDate=2026-01-31', ['t2', 't3']],
    ['toDate', 'toDate=2026-01-31', ['t1', 't2']],
    ['createdAt[gte]', 'createdAt[gte]=2026-01-02&createdAt[lt]=2026-02-01', ['t2', 't3']],
    ['created_before', 'created_before=2026-01-31', ['t1']],
    ['createdAfter', 'createdAfter=1767261600000', ['t2', 't3']],
    ['start', 'start=2026-01-31', ['t2', 't3']],
    ['toAccountId', 'toAccountId=aaa', ['t1', 't2', 't3']],
    ['minAmount', 'minAmount=50', ['t2', 't3']],
    ['amountMax', 'amountMax=50', ['t1', 't2']],
    ['filter[currency]', 'filter[currency]=GBP', ['t1']],
  ])('is picked by the bound or the field that %s names', async (name, asked, wanted) => {
    await using mock = await startPayments(
      `[${name === 'start' ? text(name).replace('string', 'string, format: date') : text(`'${name}'`)}]`,
    );
    const { body } = await ask(mock, 'GET', `${PAYMENTS}?${encodeURI(asked)}`);
    expect(body.content.map(({ transactionId }: { transactionId: string }) => transactionId)).toEqual(wanted);
    expect(body.totalElements).toBe(wanted.length);
  });

  test('is picked by several fields and values at once, by members of an object, and by what x-list says', async () => {
    const currency = '{ name: currency, in: query, explode: false, schema: { type: array, items: { type: string } } }';
    const amount =
      '{ name: amount, in: query, style: deepObject, schema: { type: object, properties: { gte: { type: number }, lte: { type: number } } } }';
    const said = '{ name: upTo, in: query, x-list: to amount, schema: { type: number } }';
    await using mock = await startPayments(`[${currency}, ${amount}, ${said}]`);
    const asked = async (query: string): Promise<string[]> =>
      (await ask(mock, 'GET', `${PAYMENTS}?${query}`)).body.content.map(
        (one: { transactionId: string }) => one.transactionId,
      );
    expect(await asked('currency=GBP,EUR')).toEqual(['t1', 't3']);
    expect(await asked('currency=GBP,EUR&upTo=5')).toEqual(['t1']);
    expect(await asked('amount%5Bgte%5D=50&amount%5Blte%5D=50')).toEqual(['t2']);
  });
});
