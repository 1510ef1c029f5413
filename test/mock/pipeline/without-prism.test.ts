import { expect, test } from 'vitest';
import type { OverlaySource } from '../../../src/contract/contract.ts';
import { ToolError } from '../../../src/errors.ts';
import type { Payload } from '../../../src/mock/compile/request.ts';
import type { ReceivedRequest } from '../../../src/mock/message/call.ts';
import { createPayload } from '../../../src/mock/pipeline/payload.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { overlayOf } from '../../support/overlay.ts';
import { plan } from '../support/compiled.ts';

const properties = { count: { type: 'integer' }, open: { type: 'boolean' }, tags: { type: 'array', maxItems: 2 } };
const schema = { type: 'object', required: ['count'], properties };

function overlay(content: object, responses: object = { '202': { description: 'Taken' } }): OverlaySource {
  const update = { '/upload': { post: { operationId: 'upload', requestBody: { content }, responses } } };
  return overlayOf([{ target: '$.paths', update }]);
}

function payloadWithoutPrism(): Payload {
  return createPayload({
    prism: () => Promise.reject(new ToolError('engine-missing', 'Prism is not installed.')),
    labelled: () => Promise.reject(new Error('nothing was made')),
  });
}

test.each([
  ['count=1', 202, undefined],
  ['count=1&open=true&tags=a&tags=b', 202, undefined],
  ['open=true', 422, '/count'],
  ['count=one', 422, '/count'],
  ['count=1&open=maybe', 422, '/open'],
  ['count=1&tags=a&tags=b&tags=c', 422, '/tags'],
  ['count=1&count=2', 422, '/count'],
])('the form %s gets %i', async (body, status, pointer) => {
  const overlays = [overlay({ 'application/x-www-form-urlencoded': { schema } })];
  await using mock = await startMock({ listen: false, anyToken: true, overlays });
  const headers = { authorization: 'Bearer any', 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await mock.fetch('/upload', { method: 'POST', headers, body });
  const told = answer.status < 300 ? {} : ((await answer.json()) as { errors?: { pointer: string }[] });
  expect([answer.status, told.errors?.[0]?.pointer]).toEqual([status, pointer]);
});

test('an object in a type that the mock cannot write is JSON, with a warning', async () => {
  const xml = { '200': { description: 'Shown', content: { 'application/xml': { schema } } } };
  await using mock = await startMock({ listen: false, anyToken: true, overlays: [overlay({}, xml)] });
  const answer = await mock.fetch('/upload', { method: 'POST', headers: { authorization: 'Bearer any' } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/xml']);
  expect(answer.headers.get('x-mock-warning')).toBe('the mock writes this application/xml as JSON');
  expect(await answer.json()).toMatchObject({ count: expect.any(Number) });
});

test.each([
  [{ code: 200 }, 200, 'cardId'],
  [{ code: 401 }, 401, 'title'],
  [{ exampleKey: 'virtual' }, 200, 'cardId'],
])('with the preference %o the constant answers need no Prism', async (preference, status, member) => {
  const payload = payloadWithoutPrism();
  const operation = plan.operations.find(({ operationId }) => operationId === 'getCard');
  if (!operation) throw new Error('the plan has no getCard');
  const call = { method: 'GET', path: '/', query: '', headers: {}, body: null } as unknown as ReceivedRequest;
  const request = { operation, parameters: { cardId: 'card-4001' }, call, body: undefined };
  const answer = await payload({ ...request, preference });
  const shown = answer.body ? (JSON.parse(answer.body.toString()) as object) : {};
  expect([answer.status, Object.hasOwn(shown, member)]).toEqual([status, true]);
  for (const missing of [{ dynamic: true }, { code: 403 }, { exampleKey: 'nobody' }])
    await expect(payload({ ...request, preference: missing })).rejects.toMatchObject({ code: 'engine-missing' });
});

test('recursive schemas get a finite answer, which is made only when a request needs it', async () => {
  const tree = { $ref: '#/components/schemas/Tree' };
  const components = {
    Tree: {
      type: 'object',
      required: ['value'],
      properties: { value: { type: 'integer' }, left: tree, right: tree, all: { type: 'array', items: tree } },
    },
  };
  const responses = { '200': { description: 'A tree', content: { 'application/json': { schema: tree } } } };
  const actions = [
    { target: '$.components.schemas', update: components },
    { target: '$.paths', update: { '/tree': { get: { operationId: 'readTree', responses } } } },
  ];
  await using mock = await startMock({ listen: false, anyToken: true, overlays: [overlayOf(actions)] });
  const answer = await mock.fetch('/tree', { headers: { authorization: 'Bearer any' } });
  expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ value: expect.any(Number) })]);
});
