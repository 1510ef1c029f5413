import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { documentFolder } from '../../../src/contract/document-folder.ts';
import { startMock } from '../../../src/mock/start-mock.ts';
import { verify } from '../../../src/run/verify.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const record = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'string' }, name: { type: 'string' } },
};
const answer = (schema: object) => ({ 200: { description: 'Good', content: { 'application/json': { schema } } } });
const parameter = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });

/** `id` names a cat, a dog or a toy; the path of the feed names the parent otherwise than the path of the dog. */
const PATHS = {
  '/cats': { get: { responses: answer({ type: 'array', items: record }) } },
  '/cats/{id}': { get: { parameters: [parameter('id')], responses: answer(record) } },
  '/dogs': { get: { responses: answer({ type: 'array', items: record }) } },
  '/dogs/{id}': { get: { parameters: [parameter('id')], responses: answer(record) } },
  '/dogs/{dog}/toys': { get: { parameters: [parameter('dog')], responses: answer({ type: 'array', items: record }) } },
  '/dogs/{dog}/toys/{id}': { get: { parameters: [parameter('dog'), parameter('id')], responses: answer(record) } },
  '/dogs/{dog}/toys/{id}/price': {
    get: { parameters: [parameter('dog'), parameter('id')], responses: answer(record) },
  },
};

test('each operation has ids of records that are there, even if one name means several kinds', async () => {
  const spec = join(await temporaryFolder(), 'api.json');
  const info = { title: 'Pets', version: '1' };
  await writeFile(spec, JSON.stringify({ openapi: '3.0.3', info, paths: PATHS }));
  await using mock = await startMock({ spec, listen: false });
  const { paths } = mock.roles;
  const { operations } = await mock.contract();
  for (const { operationId, path } of operations) {
    const filled = path?.replaceAll(/\{(\w+)\}/g, (_, name: string) => paths[operationId]?.[name] ?? 'none') ?? '';
    expect([filled, (await mock.fetch(filled)).status]).toEqual([filled, 200]);
  }
  expect(new Set(operations.map(({ operationId }) => paths[operationId]?.id)).size).toBe(4);
  expect(await verify({ target: 'mock', folder: documentFolder(spec) })).toMatchObject({
    verdict: 'agrees',
    findings: [],
  });
});

test('the body of a PUT on a collection names a record, even in an envelope and beside an example', async () => {
  const cat = { type: 'object', required: ['name'], properties: { id: { type: 'integer' }, name: { type: 'string' } } };
  const envelope = { type: 'object', required: ['cat'], properties: { cat } };
  const body = (schema: object, example?: object) => ({
    content: { 'application/json': { schema, ...(example && { example }) } },
  });
  const number = { ...parameter('id'), schema: { type: 'integer' } };
  const resource = (change: object) => ({
    get: { responses: answer({ type: 'array', items: cat }) },
    put: { requestBody: change, responses: answer(cat) },
  });
  const item = { get: { parameters: [number], responses: answer(cat) } };
  const spec = join(await temporaryFolder(), 'api.json');
  const paths = {
    '/cats': resource(body(cat)),
    '/cats/{id}': item,
    '/lions': resource(body(envelope, { cat: { id: 4711, name: 'Nala' } })),
    '/lions/{id}': item,
  };
  await writeFile(spec, JSON.stringify({ openapi: '3.0.3', info: { title: 'Pets', version: '1' }, paths }));
  const sent: unknown[] = [];
  const { exitCode } = await verify({
    target: 'mock',
    folder: documentFolder(spec),
    onExchange: ({ request, response }) => {
      if (request.method === 'PUT' && response?.status === 200) sent.push(JSON.parse(`${request.body}`));
    },
  });
  expect(exitCode).toBe(0);
  expect(sent).toMatchObject([{ id: expect.any(Number) }, { cat: { id: expect.any(Number), name: 'Nala' } }]);
});
