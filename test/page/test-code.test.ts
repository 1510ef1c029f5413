import { writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testOf } from '../../page/parts/test-code.ts';
import type { Mock } from '../../src/mock/mock.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { bearer, send } from '../mock/support/client.ts';
import { mockOfFile } from '../mock/support/started.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const WALLET = '/wallet/api/customers/cust-1001';
const mock = await mockOfFile();

type Body = (fixtures: { readonly mock: Mock }) => Promise<void>;

/** Runs the text of a test against a mock, with the `expect` of vitest. */
async function run(code: string, on: Mock = mock): Promise<string> {
  const [imports = '', statements = ''] = code.split(/\n\n(.*)/s);
  let ran = '';
  let body: Body = async () => {};
  const mockTest = () => (title: string, its: Body) => {
    ran = title;
    body = its;
  };
  new Function('expect', 'mockTest', stripTypeScriptTypes(statements))(expect, mockTest);
  await body({ mock: on });
  return `${imports}\n${ran}`;
}

const json = async (): Promise<Record<string, string>> => ({
  authorization: await bearer(mock),
  'content-type': 'application/json',
  'x-odd': 'it\'s "`${1}`',
});
const card = { clientId: 'client-2001', userId: 'user-3001', cardType: 'VIRTUAL', currency: 'GBP', alias: `it's <b>` };

test.for<[what: string, act: () => Promise<unknown>, status: number]>([
  ['a read', async () => send(mock, { path: `${WALLET}/cards/card-4001`, headers: await json() }), 200],
  ['a list', async () => send(mock, { path: `${WALLET}/clients/client-2001/cards`, headers: await json() }), 200],
  ['no token', () => send(mock, { path: `${WALLET}/cards/card-4001` }), 401],
  [
    'a dead token',
    () => send(mock, { path: `${WALLET}/cards/card-4001`, headers: { authorization: 'Bearer x' } }),
    401,
  ],
  ['no such path', async () => send(mock, { path: '/nothing', headers: await json() }), 404],
  [
    'a write',
    async () =>
      send(mock, { method: 'POST', path: `${WALLET}/cards`, headers: await json(), body: JSON.stringify(card) }),
    200,
  ],
  [
    'a rejected body',
    async () => send(mock, { method: 'POST', path: `${WALLET}/cards`, headers: await json(), body: '{"cardType": 7}' }),
    422,
  ],
  ['a token request', () => bearer(mock), 200],
  [
    'a scenario',
    async () => {
      await mock.scenario('gateway-page');
      return send(mock, { path: `${WALLET}/cards/card-4001` });
    },
    502,
  ],
  [
    'an answer once',
    async () => {
      await mock.answerOnce('getCard', 409);
      return send(mock, { path: `${WALLET}/cards/card-4001` });
    },
    409,
  ],
])('the test of an exchange passes on another start of the mock: %s', async ([, act, status]) => {
  await act();
  const entry = mock.journal.entries().at(-1);
  if (!entry) throw new Error('no exchange');
  expect(entry.response?.status).toBe(status);
  for (const runner of ['vitest', 'playwright'] as const) {
    const ran = await run(testOf(entry, runner));
    expect(ran).toContain(`answers ${status}`);
    expect(ran).toContain(`from 'banking-api-contract/${runner}'`);
    const again = mock.journal.entries().at(-1);
    expect([again?.method, again?.path, again?.response?.status]).toEqual([entry.method, entry.path, status]);
  }
});

test('the test of an exchange with an API key sends the key of its own mock', async () => {
  const spec = join(await temporaryFolder(), 'openapi.json');
  await writeFile(
    spec,
    JSON.stringify({
      ...{ openapi: '3.1.0', info: { title: 'Things', version: '1' }, security: [{ key: [] }] },
      components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-api-key' } } },
      paths: { '/things': { get: { operationId: 'things', responses: { 200: { description: 'All' } } } } },
    }),
  );
  await using keyed = await startMock({ spec });
  const { password } = keyed.credentials;
  for (const [key, status] of [
    [password, 200],
    ['wrong', 401],
  ] as const) {
    await send(keyed, { path: '/things', headers: { 'x-api-key': key } });
    const [entry] = keyed.journal.entries({ limit: 1 });
    if (!entry) throw new Error('no exchange');
    expect(entry.response?.status).toBe(status);
    const code = testOf(entry, 'vitest');
    expect(code).not.toContain(password);
    await run(code, keyed);
    expect(keyed.journal.entries({ limit: 1 })[0]?.seq).toBeGreaterThan(entry.seq);
  }
});

test('the test of an exchange fails if the answer differs', async () => {
  await send(mock, { path: `${WALLET}/cards/card-4001`, headers: await json() });
  const [entry] = mock.journal.entries({ limit: 1 });
  if (!entry) throw new Error('no exchange');
  const code = testOf(entry, 'vitest');
  await expect(run(code.replace('card-4001"', 'card-none"'))).rejects.toThrow('404');
  await expect(run(code.replace('"cardId": expect.any(String)', '"cardId": expect.any(Number)'))).rejects.toThrow();
  expect(code).not.toMatch(/eyJ|sandbox-secret/);
});
