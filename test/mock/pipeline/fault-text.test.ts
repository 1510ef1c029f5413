import { expect, test } from 'vitest';
import { startMock } from '../../../src/mock/start-mock.ts';
import { answers, api, contractFolder } from '../../support/api.ts';
import { ask } from '../support/ask.ts';

const PROPERTIES = {
  id: { type: 'integer' },
  name: { type: 'string', minLength: 2 },
  email: { type: 'string', format: 'email' },
  age: { type: 'integer', maximum: 120 },
  tags: { type: 'array', uniqueItems: true, maxItems: 2 },
};
const schema = { type: 'object', required: ['id'], additionalProperties: false, properties: PROPERTIES };
const requestBody = { required: true, content: { 'application/json': { schema } } };
const folder = await contractFolder(api({ '/pets': { post: { operationId: 'addPet', requestBody, ...answers() } } }));

test('a refusal names every fault in English', async () => {
  await using mock = await startMock({ listen: false, anyToken: true, folder });
  const { body } = await ask(mock, 'POST', '/pets', { name: 'x', email: 'y', age: 130, tags: [1, 1, 1], odd: 1 });
  const faults = [
    '/id is missing',
    '/odd is not allowed here',
    '/name must have at least 2 characters',
    '/email must be a valid email',
    '/age must be at most 120',
    '/tags must have at most 2 items',
    '/tags must not have the same item twice',
  ];
  expect(body.detail.split('; ').toSorted()).toEqual(faults.toSorted());
});

test.each([
  [7, 'must be text'],
  ['ab', undefined],
])('a wrong type is named by its plain word', async (name, message) => {
  await using mock = await startMock({ listen: false, anyToken: true, folder });
  const { body } = await ask(mock, 'POST', '/pets', { id: 1, name });
  expect(body?.errors?.[0]?.message).toBe(message);
});
