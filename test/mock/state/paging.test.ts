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
        { clientId: 'a', accounts: [1, 2, 3, 4, 5].map((n) => ({ accountId: `acc-${n}` })) },
        { clientId: 'b', accounts: [{ accountId: 'euro', currency: 'EUR' }] },
      ],
    },
    ...(parameters !== undefined && { overlays: [overlay(parameters, schema, provenance, status)] }),
  });
const ids = async (mock: Mock, query: string): Promise<string[]> =>
  (await ask(mock, 'GET', ACCOUNTS + query)).body.map(({ accountId }: { accountId: string }) => accountId);
const parameter = (name: string, list: string, schema = '{ type: integer }'): string =>
  `{ name: '${name}', in: query, x-list: ${list}, schema: ${schema} }`;
const text = (name: string, list: string): string => parameter(name, list, '{ type: string }');
const idsIn = (items: readonly { readonly accountId: string }[]): string[] => items.map(({ accountId }) => accountId);
const LIMIT = parameter('most', 'limit');

describe('a list', () => {
  test.each([
    ['no parameter', undefined],
    ['parameters without x-list', '[{ name: currency, in: query }, { name: limit, in: query }]'],
  ])('a list with %s is not paged', async (_, parameters) => {
    await using mock = await start(parameters);
    expect(await ids(mock, '?limit=2&offset=1&currency=EUR')).toHaveLength(6);
  });

  test('a list is paged by limit and offset', async () => {
    await using mock = await start(`[${LIMIT}, ${parameter('skip', 'offset')}, ${text('money', 'is currency')}]`);
    expect(await ids(mock, '?most=2&skip=1')).toEqual(['acc-2', 'acc-3']);
    expect(await ids(mock, '?skip=4')).toEqual(['acc-5', 'euro']);
    expect(await ids(mock, '?money=EUR')).toEqual(['euro']);
    expect(await ids(mock, '')).toHaveLength(6);
    expect((await ask(mock, 'GET', `${ACCOUNTS}?most=x`)).status).toBe(422);
  });

  test('a list is paged by page number, with the documented page size', async () => {
    const size = parameter('size', 'limit', '{ type: integer, default: 4 }');
    await using mock = await start(`[${parameter('page', 'page')}, ${size}]`);
    expect(await ids(mock, '?page=2')).toEqual(['acc-5', 'euro']);
    expect(await ids(mock, '')).toHaveLength(4);
    expect(await ids(mock, '?page=3')).toEqual([]);
    await using zero = await start(`[${parameter('page', 'page', '{ type: integer, minimum: 0 }')}, ${size}]`);
    expect(await ids(zero, '?page=1')).toEqual(['acc-5', 'euro']);
  });

  test('a list is sorted by fields in either direction', async () => {
    await using mock = await start(`[${text('by', 'sort')}]`);
    const descending = ['euro', 'acc-5', 'acc-4', 'acc-3', 'acc-2', 'acc-1'];
    for (const query of ['-accountId', 'currency,-accountId', 'accountId:desc'])
      expect([query, await ids(mock, `?by=${query}`)]).toEqual([query, descending]);
    expect((await ids(mock, '?by=nothing'))[0]).toBe('acc-1');
  });

  test('an unknown x-list is an error with its place', async () => {
    await expect(start(`[${parameter('most', 'limits')}]`)).rejects.toMatchObject({
      code: 'spec-invalid',
      message: 'There is no x-list limits.',
      place: { file: 'paging.overlay.yaml', line: 7 },
    });
  });

  test('cursors read a list to its end, even if records are added and removed meanwhile', async () => {
    const next = '{ type: [string, "null"], x-list: next }';
    const schema = `{ type: object, required: [data, nextCursor], properties: { data: { type: array, items: { type: object, properties: { accountId: { type: string } } } }, nextCursor: ${next}, hasMore: { type: boolean, x-list: more } } }`;
    await using mock = await start(`[${text('cursor', 'cursor')}, ${parameter('limit', 'limit')}]`, schema);
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
  ])('a list appears in the envelope that is %s for %s, with its page numbers', async (provenance, status) => {
    const member = (list: string, type = 'integer'): string => `{ type: ${type}, x-list: ${list} }`;
    const meta = `{ type: object, required: [total, version], properties: { total: ${member('total')}, totalPages: ${member('pages')}, page: ${member('page', 'string')}, size: ${member('limit')}, version: { const: v2 }, first: ${member('first', 'boolean')}, last: ${member('last', 'boolean')} } }`;
    const schema = `{ type: object, required: [items, meta], properties: { items: { type: array, items: { type: object, properties: { accountId: { type: string } } } }, meta: ${meta} } }`;
    await using mock = await start(
      `[${parameter('page', 'page')}, ${parameter('size', 'limit')}, ${text('currency', 'is currency')}]`,
      schema,
      provenance,
      status,
    );
    const { body } = await ask(mock, 'GET', `${ACCOUNTS}?page=2&size=2&currency=GBP`);
    expect(idsIn(body.items)).toEqual(['acc-3', 'acc-4']);
    expect(body.meta).toEqual({
      total: 5,
      totalPages: 3,
      page: '2',
      size: 2,
      version: 'v2',
      first: false,
      last: false,
    });
    const all = (await ask(mock, 'GET', ACCOUNTS)).body;
    expect(all.items).toHaveLength(6);
    expect(all.meta).toMatchObject({ total: 6, totalPages: 1, page: '1', first: true, last: true });
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
          x-entity: list transaction
          parameters: ${parameters}
          responses: { '200': { description: A page, content: { application/json: { schema: { type: object, required: [content, totalElements], properties: { content: { type: array, items: { $ref: '#/components/schemas/Transaction' } }, totalElements: { type: integer, x-list: total } } } } } } }
`,
        },
      ],
      seedData: {
        clients: [
          {
            clientId: 'a',
            accounts: [{ accountId: 'one' }],
            transactions: [
              ['t1', 5, 'GBP', '2026-01-01T10:00:00.000Z'],
              ['t2', 50, 'USD', '2026-01-31T23:30:00.000Z'],
              ['t3', 500, 'EUR', '2026-02-01T00:00:00Z'],
            ].map(([transactionId, amount, currency, createdAt]) => ({ transactionId, amount, currency, createdAt })),
          },
        ],
      },
    });

  const found = async (mock: Mock, query: string): Promise<{ ids: string[]; total: number }> => {
    const { body } = await ask(mock, 'GET', `${PAYMENTS}?${encodeURI(query)}`);
    return { ids: body.content.map((one: { transactionId: string }) => one.transactionId), total: body.totalElements };
  };

  test.each([
    ['from createdAt', '2026-01-31', ['t2', 't3']],
    ['to createdAt', '2026-01-31', ['t1', 't2']],
    ['from amount', '50', ['t2', 't3']],
    ['to amount', '50', ['t1', 't2']],
    ['is currency', 'GBP', ['t1']],
  ])('payments are filtered by a parameter with the x-list %s', async (list, value, wanted) => {
    await using mock = await startPayments(`[${text('bound', list)}]`);
    expect(await found(mock, `bound=${value}`)).toEqual({ ids: wanted, total: wanted.length });
  });

  test('payments are filtered by several fields and values at once', async () => {
    const currency =
      '{ name: currency, in: query, x-list: is currency, explode: false, schema: { type: array, items: { type: string } } }';
    await using mock = await startPayments(`[${currency}, ${text('least', 'from amount')}]`);
    expect((await found(mock, 'currency=GBP,EUR')).ids).toEqual(['t1', 't3']);
    expect((await found(mock, 'currency=GBP,EUR&least=50')).ids).toEqual(['t3']);
  });
});
