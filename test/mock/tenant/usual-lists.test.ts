import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readContractFolder } from '../../../src/contract/read-folder.ts';
import type { Mock, MockOptions } from '../../../src/mock/mock.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { packageRoot } from '../../../src/package-root.ts';
import { ask } from '../support/ask.ts';

const ACCOUNTS = '/wallet/api/customers/c/accounts';
const clients = [
  {
    clientId: 'a',
    accounts: Array.from({ length: 25 }, (_, n) => ({
      ...{ accountId: `acc-${n + 1}`, name: `Account ${99 - n}`, currency: n % 5 === 0 ? 'EUR' : 'GBP' },
    })),
  },
];
const start = (options: MockOptions = {}): Promise<Mock> =>
  startMock({ listen: false, anyToken: true, seedData: { clients }, lists: 'usual', ...options });
const ids = async (mock: Mock, query: string): Promise<string[]> =>
  (await ask(mock, 'GET', ACCOUNTS + query)).body.map(({ accountId }: { accountId: string }) => accountId);
const queryOf = async (mock: Mock, operationId: string): Promise<string[]> => {
  const parameters = (await mock.contract()).operation(operationId)?.parameters ?? [];
  return parameters.filter((one) => one.in === 'query').map(({ name }) => name);
};

describe('--lists usual', () => {
  test('a list is paged, sorted and filtered by its fields', async () => {
    await using mock = await start();
    expect(await ids(mock, '?page=2&size=2')).toEqual(['acc-3', 'acc-4']);
    expect(await ids(mock, '?page=2')).toEqual(['acc-21', 'acc-22', 'acc-23', 'acc-24', 'acc-25']);
    expect(await ids(mock, '?size=3&sort=name')).toEqual(['acc-25', 'acc-24', 'acc-23']);
    expect(await ids(mock, '?currency=EUR&sort=currency,-name&size=2')).toEqual(['acc-1', 'acc-6']);
    expect(await ids(mock, '?currency=EUR&readOnly=true')).toEqual([]);
    expect(await ids(mock, '?balance=0.00&size=1')).toEqual(['acc-1']);
  });

  test('a request that names no page gets all records, as without --lists', async () => {
    await using mock = await start();
    expect(await ids(mock, '')).toHaveLength(25);
    expect(await ids(mock, '?page=&size=&currency=')).toHaveLength(25);
  });

  test('the added parameters are assumed, and wrong values are rejected', async () => {
    await using mock = await start({ strict: true });
    const contract = await mock.contract();
    const parameters = contract.operation('getListOfAccounts')?.parameters.filter((one) => one.in === 'query') ?? [];
    expect([...new Set(parameters.map(({ pointer }) => contract.provenanceOf(pointer)))]).toEqual(['assumed']);
    for (const query of ['?page=0', '?size=x', '?sort=colour', '?status=GONE', '?readOnly=maybe', '?colour=red'])
      expect([query, (await ask(mock, 'GET', ACCOUNTS + query)).status]).toEqual([query, 422]);
  });

  test('the served contract lists the parameters and their values', async () => {
    await using mock = await start();
    const { body } = await ask(mock, 'GET', '/__mock/contract.json');
    const { parameters } = body.paths['/wallet/api/customers/{customerId}/accounts'].get;
    const named = (name: string) => parameters.find((one: { name: string }) => one.name === name);
    expect(named('size')).toMatchObject({ in: 'query', schema: { type: 'integer', minimum: 1 } });
    expect(named('status').schema.enum).toEqual(['ACTIVE', 'CANCELLED']);
  });

  test('secret fields and documented parameters get no filter', async () => {
    await using mock = await start();
    expect(await queryOf(mock, 'listClientCards')).not.toContain('token');
    expect((await queryOf(mock, 'getBeneficiaries')).filter((name) => name === 'visible')).toHaveLength(1);
  });

  test('a list with parameters that page it keeps them', async () => {
    const text = `overlay: 1.0.0
info: { title: Pages, version: '1' }
actions:
  - target: $.paths['/wallet/api/customers/{customerId}/accounts'].get
    update: { parameters: [{ name: offset, in: query, x-list: offset, schema: { type: integer } }] }
`;
    await using mock = await start({ overlays: [{ file: 'pages.yaml', text }] });
    expect((await queryOf(mock, 'getListOfAccounts')).slice(0, 2)).toEqual(['offset', 'sort']);
    expect(await ids(mock, '?offset=20&sort=-accountId')).toHaveLength(5);
  });

  test('a mock has plain lists unless its seed has a name, or if it has no state', async () => {
    await using own = await startMock({ listen: false });
    expect(await queryOf(own, 'listClientCards')).toEqual([]);
    await using plain = await startMock({ listen: false, seedData: 'rich', lists: 'plain' });
    expect(await queryOf(plain, 'listClientCards')).toEqual([]);
    await using stateless = await start({ stateless: true });
    expect(await queryOf(stateless, 'listClientCards')).toEqual([]);
    await using rich = await startMock({ listen: false, seedData: 'rich' });
    expect(await queryOf(rich, 'listClientCards')).toEqual(expect.arrayContaining(['page', 'size', 'sort', 'status']));
    await expect(startMock({ lists: 'all' as 'usual' })).rejects.toThrow('The lists are usual or plain, not "all".');
  });

  test('the lists of another contract folder are paged, sorted and filtered', async () => {
    const folder = await readContractFolder(join(packageRoot, 'examples/second-api'));
    await using mock = await start({ folder, seedData: undefined as never });
    const pigeons = async (query: string): Promise<unknown[]> => {
      const headers = { authorization: 'Bearer any', 'x-post-office': 'gotland' };
      const answer = await mock.fetch(`/v2/lofts/LOFT-001/pigeons${query}`, { headers });
      return ((await answer.json()) as { pigeonRef: string }[]).map(({ pigeonRef }) => pigeonRef);
    };
    const all = await pigeons('');
    expect(await pigeons('?page=2&size=1')).toEqual(all.slice(1, 2));
    expect(await pigeons('?sort=-pigeonRef')).toEqual(all.toSorted().toReversed());
    expect(await pigeons('?plumage=WHITE')).toEqual(['pigeon-bea']);
  });
});
