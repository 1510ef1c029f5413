import { expect, test } from 'vitest';
import { startMock } from '../../../src/mock/start-mock.ts';
import { answers, api, contractFolder } from '../../support/api.ts';

const text = { type: 'string' };
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: text });
const sent = (schema: object) => ({ requestBody: { content: { 'application/json': { schema } } } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

async function mockOf(paths: object, schemas: object = {}) {
  const document = { ...(api(paths as never) as object), components: { schemas } };
  return startMock({ folder: await contractFolder(document as never) });
}

test('a kind, an operation and members may have the names of an object’s own methods', async () => {
  const record = { type: 'object', required: ['toString'], properties: { constructorId: text, toString: text } };
  await using mock = await mockOf({
    '/constructors': {
      get: { operationId: 'valueOf', ...answers({ type: 'array', items: record }) },
      post: { operationId: 'constructor', ...sent(record), ...answers(record) },
    },
    '/constructors/{constructorId}': {
      parameters: [inPath('constructorId')],
      get: { operationId: 'hasOwnProperty', ...answers(record) },
    },
  });
  const made = await mock.fetch('/constructors', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ toString: 'Blue' }),
  });
  const { constructorId } = (await made.json()) as { constructorId: string };
  const read = await mock.fetch(`/constructors/${constructorId}`);
  expect(await read.json()).toEqual({ constructorId, toString: 'Blue' });
});

test.each([
  ['list', { type: 'object', properties: { items: { type: 'array', items: ref('Thing') }, root: ref('Node') } }],
  ['record', { type: 'object', properties: { data: ref('Thing'), root: ref('Node') } }],
])('an object beside a %s in an envelope may contain itself', async (what, envelope) => {
  const list = { type: 'array', items: ref('Thing') };
  await using mock = await mockOf(
    {
      '/things': { get: { operationId: 'list', ...answers(what === 'list' ? envelope : list) } },
      '/things/{id}': {
        parameters: [inPath('id')],
        get: { operationId: 'read', ...answers(what === 'list' ? ref('Thing') : envelope) },
      },
    },
    {
      Thing: { type: 'object', required: ['id'], properties: { id: text, root: ref('Node') } },
      Node: { type: 'object', properties: { parent: ref('Node'), left: ref('Node'), note: text } },
    },
  );
  const { items, ...listed } = (await (await mock.fetch('/things')).json()) as { items: { id: string }[] };
  const [first] = what === 'list' ? items : Object.values(listed as unknown as { id: string }[]);
  const read = await (await mock.fetch(`/things/${first?.id}`)).json();
  expect(what === 'list' ? read : (read as { data: unknown }).data).toMatchObject({ id: first?.id });
});

test('a schema that contains itself hundreds of times has a mock', async () => {
  const members = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`part${at}`, ref('Wide')]));
  await using mock = await mockOf(
    {
      '/wide': {
        get: { operationId: 'read', ...answers(ref('Wide')) },
        post: { operationId: 'make', ...sent(ref('Wide')), ...answers(ref('Wide')) },
      },
      '/wide/{id}': { parameters: [inPath('id')], get: { operationId: 'one', ...answers(ref('Wide')) } },
    },
    { Wide: { type: 'object', properties: members } },
  );
  expect((await mock.fetch('/wide')).status).toBe(200);
});
