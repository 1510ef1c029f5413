import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readContractFolder } from '../../../src/contract/read-folder.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = await temporaryFolder();

test('an allowed page may send cookies if the contract has a cookie key, and another page may not', async () => {
  await mkdir(join(folder, 'spec'));
  await writeFile(join(folder, 'contract.yaml'), 'contract: 1\nname: cookies\n');
  await writeFile(
    join(folder, 'spec/openapi.yaml'),
    `openapi: 3.1.1
info: { title: Cookies, version: '1' }
components: { securitySchemes: { key: { type: apiKey, in: cookie, name: session } } }
paths:
  /me: { get: { operationId: readMe, security: [{ key: [] }], x-effect: read, responses: { '200': { description: Me. } } } }
`,
  );
  await using mock = await startMock({ listen: false, folder: await readContractFolder(folder) });
  const allowed = async (method: string, origin: string): Promise<string | null> => {
    const headers = { origin, 'access-control-request-method': 'GET' };
    return (await mock.fetch('/me', { method, headers })).headers.get('access-control-allow-credentials');
  };
  for (const method of ['OPTIONS', 'GET']) {
    expect([method, await allowed(method, 'http://localhost:3000')]).toEqual([method, 'true']);
    expect([method, await allowed(method, 'https://evil.example')]).toEqual([method, null]);
  }
});
