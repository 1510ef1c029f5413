import { expect, test } from 'vitest';
import { startMock } from '../../../src/mock/start-mock.ts';
import { api, contractFolder } from '../../support/api.ts';
import { ask } from '../support/ask.ts';

const properties = {
  orderId: { type: 'integer' },
  note: { type: 'string' },
  pin: { type: 'string', writeOnly: true },
  state: { type: 'string', example: 'OPEN' },
};
const content = { 'application/json': { schema: { type: 'object', properties } } };
const parameters = [{ name: 'orderId', in: 'path', required: true, schema: { type: 'integer' } }];
const folder = await contractFolder(
  api({
    '/orders/{orderId}/close': {
      post: {
        operationId: 'closeOrder',
        parameters,
        requestBody: { content },
        responses: { 200: { description: 'D', content } },
      },
    },
  }),
);

test('an answer without state repeats documented members of the request, and the ids of the path', async () => {
  await using mock = await startMock({ listen: false, anyToken: true, folder });
  const { body, headers } = await ask(mock, 'POST', '/orders/12/close', { note: 'Thanks', pin: '1', other: true });
  expect(body).toEqual({ orderId: 12, note: 'Thanks', state: 'OPEN' });
  expect(headers.get('x-mock-provenance')).toBe('assumed');
});

test('members that the request leaves out are made up', async () => {
  await using mock = await startMock({ listen: false, anyToken: true, lenient: true, folder });
  const { body } = await ask(mock, 'POST', '/orders/12/close', {});
  expect(body).toEqual({ orderId: 12, note: expect.any(String), state: 'OPEN' });
});
