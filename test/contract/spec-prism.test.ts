import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contract, Operation } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/load.ts';

/** What this test needs of Prism's server. */
interface Server {
  listen(port: number, host: string): Promise<string>;
  close(): Promise<void>;
}

let contract: Contract;
let prism: { readonly url: string; readonly server: Server };

beforeAll(async () => {
  contract = await loadContract();
  prism = await startPrism();
});
afterAll(() => prism.server.close());

/** Its server is a dependency of the command-line package. */
const fromCli = createRequire(createRequire(import.meta.url).resolve('@stoplight/prism-cli/package.json'));

const silent = { info() {}, warn() {}, error() {}, debug() {}, trace() {}, success() {}, child: () => silent };

async function startPrism(): Promise<{ url: string; server: Server }> {
  const { getHttpOperationsFromSpec } = fromCli('@stoplight/prism-http') as {
    getHttpOperationsFromSpec(document: object): Promise<unknown[]>;
  };
  const { createServer } = fromCli('@stoplight/prism-http-server') as {
    createServer(operations: unknown[], options: object): Server;
  };
  // Prism changes what it is given, and the contract is frozen.
  const operations = await getHttpOperationsFromSpec(structuredClone(contract.document) as object);
  expect(operations).toHaveLength(located().length);
  const server = createServer(operations, {
    cors: false,
    config: {
      isProxy: false,
      checkSecurity: true,
      validateRequest: true,
      validateResponse: true,
      errors: false,
      mock: { dynamic: false },
    },
    components: { logger: silent },
  });
  return { url: await server.listen(0, '127.0.0.1'), server };
}

function located(): Operation[] {
  return contract.operations.filter((operation) => operation.path !== null);
}

function requestOf(operation: Operation): { path: string; init: RequestInit } {
  const path = (operation.path ?? '').replace(/\{(\w+)\}/g, 'a1');
  const method = operation.method ?? 'GET';
  if (operation.operationId === 'getToken') {
    const headers = { authorization: `Basic ${btoa('user:password')}` };
    return { path, init: { method, headers, body: new URLSearchParams({ grant_type: 'client_credentials' }) } };
  }
  return { path, init: { method, headers: { authorization: 'Bearer a.b.c' } } };
}

describe('the bundle under stock Prism', () => {
  it('answers every operation with 2xx, and without a token with 401', async () => {
    for (const operation of located()) {
      const { path, init } = requestOf(operation);
      const answer = await fetch(`${prism.url}${path}`, init);
      expect([operation.operationId, answer.status]).toEqual([operation.operationId, 200]);
      const refused = await fetch(`${prism.url}${path}`, { method: operation.method ?? 'GET' });
      if (operation.auth === 'bearer')
        expect([operation.operationId, refused.status]).toEqual([operation.operationId, 401]);
      await Promise.all([answer.arrayBuffer(), refused.arrayBuffer()]);
    }
  });

  it('judges requests by the schemas: the grant, and the integer limits of a card', async () => {
    const grant = await fetch(`${prism.url}/iam/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('user:password')}` },
      body: new URLSearchParams({ grant_type: 'password' }),
    });
    expect(grant.status).toBe(422);
    const issue = async (body: object): Promise<number> => {
      const headers = { authorization: 'Bearer a.b.c', 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      return (await fetch(`${prism.url}/wallet/api/customers/c/cards`, init)).status;
    };
    expect(await issue({ cardLimitDaily: 5, more: true })).toBe(200);
    expect(await issue({ cardLimitDaily: '5' })).toBe(422);
  });

  it('answers the token request with the documented example', async () => {
    const operation = located().find(({ operationId }) => operationId === 'getToken') as Operation;
    const { path, init } = requestOf(operation);
    const answer = await fetch(`${prism.url}${path}`, init);
    expect(await answer.json()).toMatchObject({ expires_in: 3599, token_type: 'bearer' });
  });
});
