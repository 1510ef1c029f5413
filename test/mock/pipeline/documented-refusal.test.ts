import { describe, expect, test } from 'vitest';
import type { Mock } from '../../../src/mock/mock.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { contractFolder } from '../../support/api.ts';
import { ask } from '../support/ask.ts';

const SCHEMA = '{ type: object, required: [code], properties: { code: { const: BAD } } }';
const BAD = `{ description: Bad., content: { application/json: { schema: ${SCHEMA} } } }`;

async function orders(responses: string): Promise<Mock> {
  const folder = await contractFolder(`openapi: 3.1.1
info: { title: Orders, version: '1' }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: x-key } }
paths:
  /orders:
    post:
      operationId: addOrder
      security: [{ key: [] }]
      x-effect: write
      parameters: [{ name: limit, in: query, schema: { type: integer } }]
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [size], properties: { size: { type: integer } } } } }
      responses: { '200': { description: Good., content: { application/json: { schema: { type: object } } } }, ${responses} }
`);
  return startMock({ listen: false, folder, credentials: CREDENTIALS });
}

const CREDENTIALS = { username: 'me', password: 'the-key' };
const KEY = { 'x-key': CREDENTIALS.password };
const SMALL = { size: 1 };

describe('a refusal whose body the contract documents', () => {
  test.each([
    ['a body that breaks its schema', 422, {}, {}, '/size is missing'],
    ['a query that breaks its schema', 422, SMALL, {}, 'limit must be a whole number', '?limit=x'],
    ['a missing key', 401, SMALL, { 'x-key': '' }, 'send its password as x-key'],
    ['a body of another type', 415, SMALL, { 'content-type': 'text/plain' }, 'addOrder takes application/json'],
    ['an Accept that nothing satisfies', 406, SMALL, { accept: 'image/png' }, 'addOrder answers with'],
  ])('has that body for %s, and a header with the reason', async (_, status, body, headers, reason, query = '') => {
    await using mock = await orders(`'${status}': ${BAD}`);
    const told = await ask(mock, 'POST', `/orders${query}`, body, { ...KEY, ...headers });
    expect([told.status, told.body]).toEqual([status, { code: 'BAD' }]);
    expect(told.headers.get('x-mock-warning')).toContain(`refused: ${reason}`);
    expect(told.headers.get('www-authenticate')).toEqual(status === 401 ? expect.stringContaining('ApiKey') : null);
  });

  test('names the faults of the body and of the parameters together', async () => {
    await using mock = await orders(`default: ${BAD}`);
    const { headers } = await ask(mock, 'POST', '/orders?limit=x', {}, KEY);
    expect(headers.get('x-mock-warning')).toBe('refused: /size is missing; limit must be a whole number');
  });

  test.each([
    ['400', 400],
    ['4XX', 422],
    ['default', 422],
  ])('has the body of %s if the contract does not document 422', async (documented, status) => {
    await using mock = await orders(`${documented === '400' ? "'400'" : documented}: ${BAD}`);
    const { status: answered, body } = await ask(mock, 'POST', '/orders', {}, KEY);
    expect([answered, body]).toEqual([status, { code: 'BAD' }]);
  });

  test('has the status of the contract if malformed JSON is documented only as 422', async () => {
    await using mock = await orders(`'422': { description: Bad. }`);
    const reply = await mock.fetch('/orders', {
      method: 'POST',
      headers: { ...KEY, 'content-type': 'application/json' },
      body: '{',
    });
    expect([reply.status, await reply.json()]).toEqual([422, expect.objectContaining({ status: 422 })]);
  });

  test('is still explained and repaired by the page', async () => {
    await using mock = await orders(`'422': ${BAD}`);
    await ask(mock, 'POST', '/orders', {}, KEY);
    const { body } = await ask(mock, 'GET', '/__mock/why?seq=1');
    expect(body).toMatchObject({
      rule: 'invalid-body',
      where: [{ in: 'body', pointer: '/size' }],
      repair: { fit: 'body' },
    });
  });

  test.each([
    ['a written example without a schema', '{ example: { code: SHOWN } }', { code: 'SHOWN' }],
    ['a problem that the one of the mock does not satisfy', `{ schema: ${SCHEMA} }`, { code: 'BAD' }],
    ['a problem that the one of the mock satisfies', '{ schema: { type: object } }', { title: expect.any(String) }],
  ])('has the body of %s', async (name, media, shown) => {
    const type = name.includes('problem') ? 'application/problem+json' : 'application/json';
    await using mock = await orders(`'422': { description: Bad., content: { ${type}: ${media} } }`);
    const { body, headers } = await ask(mock, 'POST', '/orders', {}, KEY);
    expect([headers.get('content-type'), body]).toEqual([type, expect.objectContaining(shown)]);
    if ('code' in shown) expect(body).toEqual(shown);
  });

  test.each([
    [
      'a member for people',
      '{ type: object, properties: { code: { const: BAD }, message: { type: string } } }',
      (b: { message: string }) => b.message,
    ],
    [
      'a text in a list of errors',
      '{ type: object, properties: { errors: { type: array, items: { type: object, properties: { detail: { type: string } } } } } }',
      (b: { errors: { detail: string }[] }) => b.errors[0]?.detail,
    ],
  ])('has the reason, with every fault, in %s', async (_, schema, reasonIn) => {
    await using mock = await orders(
      `'422': { description: Bad., content: { application/json: { schema: ${schema} } } }`,
    );
    const { body, headers } = await ask(mock, 'POST', '/orders', { size: 'x' }, KEY);
    expect(reasonIn(body as never)).toBe('/size must be a whole number');
    expect(headers.get('x-mock-provenance')).toBe('assumed');
  });

  test('keeps a text whose form the contract states', async () => {
    const schema = '{ type: object, required: [message], properties: { message: { type: string, enum: [WRONG] } } }';
    await using mock = await orders(
      `'422': { description: Bad., content: { application/json: { schema: ${schema} } } }`,
    );
    expect((await ask(mock, 'POST', '/orders', {}, KEY)).body).toEqual({ message: 'WRONG' });
  });

  test('stays the one that a request prefers', async () => {
    await using mock = await orders(`'400': ${BAD}`);
    const { status } = await ask(mock, 'POST', '/orders', SMALL, { ...KEY, prefer: 'code=422' });
    expect(status).toBe(422);
  });
});
