import { join } from 'node:path';
import { expect, test } from 'vitest';
import { documentFolder } from '../../src/contract/document-folder.ts';
import { loadContract } from '../../src/contract/load.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { folderWith } from './support.ts';

const list = { type: 'array', items: { type: 'integer' } };
const answer = { description: 'Good', content: { 'application/json': { schema: list } } };

async function folderOf(paths: object, components: object = {}) {
  const document = { openapi: '3.2.0', info: { title: 'T', version: '1' }, paths, components };
  const dir = await folderWith({ 'api.json': JSON.stringify(document, null, 1) });
  return documentFolder(join(dir, 'api.json'));
}

test('an operation with the method QUERY is a read, and the mock serves it over the network', async () => {
  const body = { content: { 'application/json': { schema: { type: 'object', required: ['name'] } } } };
  const folder = await folderOf({ '/pets': { query: { requestBody: body, responses: { 200: answer } } } });
  const contract = await loadContract({ folder });
  expect(contract.operations).toMatchObject([{ operationId: 'queryPets', method: 'QUERY', effect: 'read' }]);
  await using mock = await startMock({ folder });
  const ask = (sent: object) =>
    fetch(`${mock.url}/pets`, {
      method: 'QUERY',
      body: JSON.stringify(sent),
      headers: { 'content-type': 'application/json' },
    });
  expect(await (await ask({ name: 'a' })).json()).toEqual([expect.any(Number)]);
  expect((await ask({})).status).toBe(422);
});

test('a media type by reference is read', async () => {
  const content = { 'application/json': { $ref: '#/components/mediaTypes/Pets' } };
  const folder = await folderOf(
    { '/pets': { get: { responses: { 200: { description: 'Good', content } } } } },
    { mediaTypes: { Pets: { schema: list } } },
  );
  const contract = await loadContract({ folder });
  expect(contract.operations[0]?.responses[0]?.content).toMatchObject([{ type: 'application/json', schema: list }]);
});

test('parts that are not read are named with their places', async () => {
  const stream = { description: 'Good', content: { 'application/jsonl': { itemSchema: { type: 'object' } } } };
  const whole = { name: 'filter', in: 'querystring', content: { 'text/plain': { schema: { type: 'string' } } } };
  const folder = await folderOf({
    '/pets': { additionalOperations: { COPY: { responses: { 200: answer } } } },
    '/events': { get: { parameters: [whole], responses: { 200: stream } } },
  });
  const contract = await loadContract({ folder });
  expect(contract.operations.map(({ operationId }) => operationId)).toEqual(['getEvents']);
  expect(contract.notices.map(({ code, message, place }) => [code, message, place.file])).toEqual([
    ['keyword-not-judged', expect.stringContaining('additionalOperations'), 'api.json'],
    ['keyword-not-judged', expect.stringContaining('querystring'), 'api.json'],
    ['keyword-not-judged', expect.stringContaining('itemSchema'), 'api.json'],
  ]);
  expect(contract.notices[0]?.place.line).toBe(9);
});
