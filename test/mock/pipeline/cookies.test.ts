import { expect, test } from 'vitest';
import { startMock } from '../../../src/mock/start-mock.ts';
import { answers, api, contractFolder } from '../../support/api.ts';

test('an allowed page may send cookies if the contract has a cookie key, and another page may not', async () => {
  const key = { type: 'apiKey', in: 'cookie', name: 'session' };
  const paths = { '/me': { get: { operationId: 'readMe', security: [{ key: [] }], ...answers() } } };
  const folder = await contractFolder(api(paths, { components: { securitySchemes: { key } } }));
  await using mock = await startMock({ listen: false, folder });
  const allowed = async (method: string, origin: string): Promise<string | null> => {
    const headers = { origin, 'access-control-request-method': 'GET' };
    return (await mock.fetch('/me', { method, headers })).headers.get('access-control-allow-credentials');
  };
  for (const method of ['OPTIONS', 'GET']) {
    expect([method, await allowed(method, 'http://localhost:3000')]).toEqual([method, 'true']);
    expect([method, await allowed(method, 'https://evil.example')]).toEqual([method, null]);
  }
});
