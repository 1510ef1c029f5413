import { afterEach, describe, expect, test } from 'vitest';
import { json, type SandboxOptions, startSandbox } from '../run/sandbox.ts';
import { watch } from './support.ts';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]();
});

async function setUp(sandbox: SandboxOptions = {}, mockMissing = true) {
  const target = await startSandbox(sandbox);
  const watched = await watch(target.url, { mockMissing });
  open.push(target, watched);
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${watched.proxy.url}${path}`, { ...init, headers: { authorization: 'Bearer of-the-bank' } });
  return { target, watched, call };
}

const OLD_FEES = '/wallet/api/customers/c-1/client/cl-2/account/fees/GBP';
const withdrawn = (status: number): SandboxOptions => ({
  fault: ({ path }, response) => path === OLD_FEES && json(response, status, { theirs: true }),
});

describe('--mock-missing', () => {
  test('the mock answers an operation known by name only, with a mark, and nothing reaches the target', async () => {
    const { target, watched, call } = await setUp();
    const response = await call('/wallet/api/customers/c-1/accounts');
    expect(response.status).toBe(200);
    expect(response.headers.get('x-banking-api-proxy')).toBe('mock');
    expect(response.headers.get('x-mock-provenance')).toBe('assumed');
    await response.json();
    expect(target.seen).toEqual([]);
    expect(watched.exchanges).toHaveLength(1);
    expect(watched.exchanges[0]).toMatchObject({ operationId: 'getListOfAccounts', response: { status: 200 } });
    const report = await watched.proxy.report();
    expect(report).toMatchObject({ target: { kind: 'url' }, findings: [], checks: [] });
  });

  test('a write known by name only also goes to the mock and does not leave the process', async () => {
    const { target, call } = await setUp();
    const response = await call('/wallet/api/customers/c-1/clients/cl-2/freeze', { method: 'PUT' });
    expect(response.headers.get('x-banking-api-proxy')).not.toBeNull();
    expect(target.seen).toEqual([]);
  });

  test.each([404, 405, 410])(
    'a deprecated form that the target answers with %i is answered by the mock',
    async (status) => {
      const { target, watched, call } = await setUp(withdrawn(status));
      const response = await call(OLD_FEES);
      expect(response.status).toBe(200);
      expect(response.headers.get('x-banking-api-proxy')).toBe('mock');
      expect(await response.json()).not.toHaveProperty('theirs');
      expect(target.seen).toHaveLength(1);
      await watched.proxy.report();
      expect(watched.events).toContainEqual(
        expect.objectContaining({ kind: 'mocked', operationId: 'getAccountFeesDeprecated' }),
      );
      // the caller saw one exchange, and the target's answer is judged
      expect(watched.exchanges).toHaveLength(1);
      expect(watched.exchanges[0]?.response?.status).toBe(200);
    },
  );

  test('the target answers its own operations, including all other rejections', async () => {
    const { call } = await setUp();
    const response = await call('/wallet/api/customers/c-1/cards/k-4');
    expect(response.status).toBe(401);
    expect(response.headers.get('x-banking-api-proxy')).toBeNull();
  });

  test('without --mock-missing the target answers everything', async () => {
    const { target, call } = await setUp(withdrawn(410), false);
    expect((await call(OLD_FEES)).status).toBe(410);
    expect((await call('/wallet/api/customers/c-1/accounts')).headers.get('x-banking-api-proxy')).toBeNull();
    expect(target.seen).toHaveLength(2);
  });
});
