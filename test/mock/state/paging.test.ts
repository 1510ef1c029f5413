import { describe, expect, test } from 'vitest';
import type { Mock } from '../../../src/mock/mock.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { ask } from '../support/ask.ts';

const ACCOUNTS = '/wallet/api/customers/c/accounts';
const overlay = (parameters: string): { file: string; text: string } => ({
  file: 'paging.overlay.yaml',
  text: `overlay: 1.0.0
x-provenance: observed
info: { title: Paging, version: '1' }
actions:
  - target: $.paths['/wallet/api/customers/{customerId}/accounts'].get
    update:
      parameters: ${parameters}
`,
});
const start = (parameters?: string): Promise<Mock> =>
  startMock({
    listen: false,
    anyToken: true,
    seedData: {
      clients: [
        { clientId: 'a', accounts: [{ accountId: 'acc-{n}', count: 5 }] },
        { clientId: 'b', accounts: [{ accountId: 'euro', currency: 'EUR' }] },
      ],
    },
    ...(parameters !== undefined && { overlays: [overlay(parameters)] }),
  });
const ids = async (mock: Mock, query: string): Promise<string[]> =>
  (await ask(mock, 'GET', ACCOUNTS + query)).body.map(({ accountId }: { accountId: string }) => accountId);
const query = (name: string, more = ''): string => `{ name: ${name}, in: query, schema: { type: integer }${more} }`;

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
});
