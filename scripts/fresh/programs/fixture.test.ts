import { createTokenProvider, withToken } from 'banking-api-contract/client';
import { mockTest } from 'banking-api-contract/vitest';
import { expect } from 'vitest';

const test = mockTest({ tokenLifetime: 60 });
const fresh = mockTest({ per: 'test' });

test('a program gets one token, and the journal tells', async ({ mock, journal }) => {
  const api = withToken(fetch, createTokenProvider({ baseUrl: mock.url, ...mock.credentials }));
  expect((await api(`${mock.url}/wallet/api/customers/cust-1001/cards/card-4001`)).status).toBe(200);
  expect(journal.filter(({ operationId }) => operationId === 'getToken')).toHaveLength(1);
});

test('the journal starts anew', async ({ journal }) => {
  expect(journal).toHaveLength(0);
});

let first = '';
fresh('a mock of its own', async ({ mock }) => {
  first = mock.url;
});

fresh('another one', async ({ mock }) => {
  expect(mock.url).not.toBe(first);
});
