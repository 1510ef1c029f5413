import { describe, expect, onTestFinished, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import type { Mock, MockOptions } from '../../src/mock/mock.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { overlayOf } from '../support/overlay.ts';
import { type Reply, send } from './support/client.ts';

const CARD = '/wallet/api/customers/c/cards/x';
const card = "$.paths['/wallet/api/customers/{customerId}/cards/{cardId}'].get";

type Call = (path: string, headers?: Record<string, string>, body?: string) => Promise<Reply>;

/** A new mock for a test; a request with a body is a POST. */
async function serving(options: MockOptions): Promise<{ mock: Mock; call: Call }> {
  const mock = await startMock({ anyToken: true, stateless: true, ...options });
  onTestFinished(() => mock.close());
  const call: Call = (path, headers = {}, body = undefined) =>
    send(mock, {
      ...{ path, headers: { authorization: 'Bearer any', 'content-type': 'application/json', ...headers } },
      ...(body !== undefined && { method: 'POST', body }),
    });
  return { mock, call };
}

async function servingWith(provenance: string, target: string, update: unknown): Promise<Call> {
  return (await serving({ overlays: [overlayOf([{ target, update }], provenance)] })).call;
}

describe('an overlay', () => {
  test('an overlay that documents the path of an operation replaces the guessed path', async () => {
    const item = { parameters: [{ $ref: '#/components/parameters/clientId' }], get: { operationId: 'getClient' } };
    const call = await servingWith('documented', '$.paths', { '/v2/clients/{clientId}': item });
    const reply = await call('/v2/clients/client-2001');
    expect([reply.status, reply.json().paymentProvider]).toEqual([200, 'external-payment-provider']);
    expect((await call('/iam/api/customers/c/clients/d')).status).toBe(404);
  });

  test('an observed response replaces the assumed one', async () => {
    const target = "$.paths['/iam/api/customers/{customerId}/clients/{clientId}/users/create'].post.responses";
    const schema = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
    const response = { description: 'seen', content: { 'application/json': { schema } } };
    const call = await servingWith('observed', target, { '201': response });
    const reply = await call('/iam/api/customers/c/clients/d/users/create', {}, '{}');
    const shown = [reply.status, typeof reply.json().id, reply.headers['x-mock-provenance']];
    expect(shown).toEqual([201, 'number', 'observed']);
  });

  test('a made-up body is assumed, even if the document names all its members', async () => {
    const schema = { type: 'object', properties: { fee: { type: 'number' } } };
    const content = { 'application/json': { schema } };
    const call = await servingWith('documented', `${card}.responses`, { '200': { description: 'fees', content } });
    const reply = await call(CARD);
    expect([typeof reply.json().fee, reply.headers['x-mock-provenance']]).toEqual(['number', 'assumed']);
  });

  test('a member whose name matches a documented pattern is documented', async () => {
    const schema = { type: 'object', patternProperties: { '^fee-': { type: 'number' } } };
    const content = { 'application/json': { schema, example: { 'fee-card': 1 } } };
    const call = await servingWith('documented', `${card}.responses`, { '200': { description: 'fees', content } });
    expect((await call(CARD)).headers['x-mock-provenance']).toBe('documented');
  });

  test("if an assumed example contradicts an overlay's schema, the mock generates an example that matches", async () => {
    const update = { required: ['scheme'], properties: { scheme: { type: 'string', enum: ['visa'] } } };
    const call = await servingWith('observed', '$.components.schemas.Card', update);
    const reply = await call(CARD);
    expect([reply.status, reply.json().scheme]).toEqual([200, 'visa']);
    expect(reply.json().cardProgramme).toBe('business-debit');
  });

  test('a second media type of an overlay is negotiated', async () => {
    const media = { 'text/csv': { schema: { type: 'string' }, example: 'a,b' } };
    const call = await servingWith('documented', `${card}.responses['2XX'].content`, media);
    const csv = await call(CARD, { accept: 'text/csv, application/json;q=0.5' });
    expect([csv.headers['content-type'], csv.text]).toEqual(['text/csv', 'a,b']);
    expect((await call(CARD)).json()).toHaveProperty('cardId');
    expect((await call(CARD, { accept: 'garbage' })).status).toBe(200);
    expect((await call(CARD, { accept: 'image/png' })).status).toBe(406);
  });

  test('the mock sends the response header fields that an overlay adds', async () => {
    const headers = {
      'X-Request-Id': { schema: { type: 'string' }, example: 'r-1' },
      ETag: { schema: { type: 'string', default: '"1"' } },
      'X-Remaining': { schema: { type: 'integer', minimum: 7, maximum: 7 } },
      'Content-Length': { schema: { type: 'integer' }, example: 3 },
    };
    const overlays = [overlayOf([{ target: `${card}.responses['2XX']`, update: { headers } }], 'documented')];
    const { call } = await serving({ stateless: false, overlays });
    const reply = await call('/wallet/api/customers/c/cards/card-4001');
    const { etag, 'x-request-id': id, 'x-remaining': remaining } = reply.headers;
    expect([reply.status, id, etag, remaining]).toEqual([200, 'r-1', '"1"', '7']);
    expect(reply.json().cardId).toBe('card-4001');
  });

  test('the mock checks the form and multipart bodies that an overlay adds, and no bytes end it', async () => {
    const schema = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } };
    const content = { 'application/x-www-form-urlencoded': { schema }, 'multipart/form-data': { schema } };
    const target = "$.paths['/iam/api/customers/{customerId}/credentials/generateCustomerKey'].post";
    const call = await servingWith('documented', target, { requestBody: { content } });
    const post = async (type: string, body: string): Promise<number> =>
      (await call('/iam/api/customers/c/credentials/generateCustomerKey', { 'content-type': type }, body)).status;
    const forms = ['a=1', 'a=x', 'b=1', '%ZZ=1', 'a=%E0%A4%A'];
    const told = await Promise.all(forms.map((form) => post('application/x-www-form-urlencoded', form)));
    expect(told).toEqual([200, 422, 422, 400, 400]);
    const part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n';
    expect(await post('multipart/form-data; boundary=x', part)).toBe(200);
    expect(await post('multipart/form-data; boundary=x', part.replace('1', 'one'))).toBe(422);
    for (const boundary of ['', '; boundary=', '; boundary="', '; boundary=y']) {
      for (const body of [part, '--', 'x', '--x\r\n\r\n'])
        expect(await post(`multipart/form-data${boundary}`, body)).toBeLessThan(500);
    }
  });

  test('a body schema of an overlay is compiled at start', async () => {
    const update = { required: ['cardDesign'] };
    const call = await servingWith('documented', '$.components.schemas.IssueNewCardRequest', update);
    const reply = await call('/wallet/api/customers/c/cards', {}, '{}');
    const errors = [{ in: 'body', pointer: '/cardDesign', message: 'is missing' }];
    expect([reply.status, reply.json().errors]).toEqual([422, errors]);
    expect((await call('/wallet/api/customers/c/cards', {}, '{"cardDesign":"x"}')).status).toBe(200);
  });
});

test('a keyword with an invalid value is ignored, and the rest of its schema is checked', async () => {
  const target = '$.components.schemas.IssueNewCardRequest.properties';
  const bad = overlayOf([{ target, update: { odd: { type: 'text' } } }], 'documented');
  const { call } = await serving({ overlays: [bad] });
  const statusOf = async (body: object) =>
    (await call('/wallet/api/customers/c/cards', {}, JSON.stringify(body))).status;
  expect([await statusOf({ odd: 1 }), await statusOf({ odd: 1, cardLimitDaily: '5' })]).toEqual([200, 422]);
});

test('a preloaded contract is served unchanged, without the assumptions', async () => {
  const contract = await loadContract();
  const { mock, call } = await serving({ contract });
  expect(await mock.contract()).toBe(contract);
  expect((await call('/iam/api/customers/c/clients')).status).toBe(404);
  const reply = await call(CARD);
  const shown = [reply.status, reply.headers['x-mock-provenance'], typeof reply.json().token];
  expect(shown).toEqual([200, 'assumed', 'string']);
  // no payload is documented
  const empty = await send(mock, {
    method: 'PUT',
    path: '/iam/api/customers/c/clients/d/reject',
    headers: { authorization: 'Bearer any' },
  });
  expect([empty.status, empty.text, empty.headers['content-length']]).toEqual([200, '', '0']);
});
