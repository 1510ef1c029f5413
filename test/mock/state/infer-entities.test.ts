import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startMock } from '../../../src/mock/start-mock.ts';
import { answers, api, contractFolder } from '../../support/api.ts';

const JSON_TYPE = 'application/json';
const body = (schema: object) => ({ requestBody: { content: { [JSON_TYPE]: { schema } } } });
const inPath = (name: string, schema: object) => ({ name, in: 'path', required: true, schema });

interface Shape {
  readonly noun: string;
  readonly idType: 'string' | 'integer';
  readonly idInBody: string;
  readonly parent: boolean;
  readonly envelope: string | null;
  readonly change: 'put' | 'patch';
}

function pathsOf({ noun, idType, idInBody, parent, envelope, change }: Shape) {
  const id = { type: idType };
  const properties = { [idInBody]: id, title: { type: 'string' }, size: { type: 'number' } };
  const record = { type: 'object', required: [idInBody, 'title'], properties };
  const sent = {
    type: 'object',
    required: ['title'],
    properties: { title: { type: 'string' }, size: { type: 'number' } },
  };
  const list = { type: 'array', items: record };
  const shown = envelope === null ? list : { type: 'object', properties: { [envelope]: list } };
  const all = parent ? `/owners/{ownerId}/${noun}s` : `/${noun}s`;
  const one = `${all}/{${noun}Id}`;
  const above = parent ? [inPath('ownerId', { type: 'string' })] : [];
  const parameters = [...above, inPath(`${noun}Id`, id)];
  return api({
    [all]: {
      parameters: above,
      post: { operationId: 'make', ...body(sent), ...answers(record) },
      get: { operationId: 'list', ...answers(shown) },
    },
    [one]: {
      parameters,
      get: { operationId: 'read', ...answers(record) },
      [change]: { operationId: 'change', ...body({ ...sent, required: [] }), ...answers(record) },
      delete: { operationId: 'remove', responses: { 204: { description: 'D' } } },
    },
  });
}

const SHAPES: fc.Arbitrary<Shape> = fc
  .record({
    noun: fc.constantFrom('pet', 'invoice', 'box', 'device', 'order'),
    idType: fc.constantFrom('string' as const, 'integer' as const),
    own: fc.boolean(),
    parent: fc.boolean(),
    envelope: fc.constantFrom(null, 'items', 'data', 'results'),
    change: fc.constantFrom('put' as const, 'patch' as const),
  })
  .map(({ own, ...shape }) => ({ ...shape, idInBody: own ? `${shape.noun}Id` : 'id' }));

async function mockOf(document: object, stateless = false) {
  const mock = await startMock({ folder: await contractFolder(document), listen: false, stateless });
  const ask = async (method: string, path: string, sent?: unknown) => {
    const init = {
      method,
      headers: { 'content-type': JSON_TYPE },
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    };
    const response = await mock.fetch(`${mock.url}${path}`, init);
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  };
  return { mock, ask };
}

describe('state by the shape of the paths', () => {
  test('a created record is listed, read, changed and removed, whatever the paths are called', async () => {
    await fc.assert(
      fc.asyncProperty(SHAPES, fc.stringMatching(/^[a-z]{1,8}$/), async (shape, title) => {
        const { mock, ask } = await mockOf(pathsOf(shape));
        await using _ = mock;
        const all = shape.parent ? `/owners/o-1/${shape.noun}s` : `/${shape.noun}s`;
        const listed = async (path = all): Promise<unknown[]> => {
          const { body: found } = await ask('GET', path);
          return shape.envelope === null ? found : found[shape.envelope];
        };
        const before = await listed();
        const made = await ask('POST', all, { title, size: 2.5 });
        expect(made).toMatchObject({ status: 200, body: { title, size: 2.5 } });
        const id = made.body[shape.idInBody];
        expect(typeof id).toBe(shape.idType === 'integer' ? 'number' : 'string');
        expect(before).not.toContainEqual(made.body);
        expect(await listed()).toContainEqual(made.body);
        const one = `${all}/${id}`;
        expect((await ask('GET', one)).body).toEqual(made.body);
        const changed = await ask(shape.change.toUpperCase(), one, { title: 'other' });
        expect(changed).toMatchObject({ status: 200, body: { [shape.idInBody]: id, title: 'other' } });
        expect((await ask('GET', one)).body).toEqual(changed.body);
        expect((await ask('DELETE', one)).status).toBe(204);
        expect((await ask('GET', one)).status).toBe(404);
        expect(await listed()).toHaveLength(before.length);
        if (shape.parent) expect(await listed(all.replace('o-1', 'o-2'))).not.toContainEqual(made.body);
      }),
      { numRuns: 30 },
    );
  });

  const PETS = pathsOf({ noun: 'pet', idType: 'string', idInBody: 'id', parent: false, envelope: null, change: 'put' });

  test('the mock names each resource once, and none without state', async () => {
    const { mock } = await mockOf(PETS);
    await using _ = mock;
    expect(mock.resources).toHaveLength(1);
    expect(mock.resources[0]).toMatch(/^pet: POST \/pets, GET \/pets, GET \/pets\/\{petId\}, PUT .*, DELETE /);
    const { mock: bare, ask } = await mockOf(PETS, true);
    await using __ = bare;
    expect(bare.resources).toEqual([]);
    expect((await ask('GET', '/pets/any')).status).toBe(200);
  });

  test('an example of the document is a record from the start', async () => {
    const document = structuredClone(PETS) as unknown as { paths: Record<string, Record<string, object>> };
    const schema = { type: 'object', properties: { id: { type: 'string' }, title: { type: 'string' } } };
    const content = { [JSON_TYPE]: { schema, example: { id: 'pet-7', title: 'Rex' } } };
    Object.assign(document.paths['/pets/{petId}']?.get ?? {}, { responses: { 200: { description: 'D', content } } });
    const { mock, ask } = await mockOf(document);
    await using _ = mock;
    expect((await ask('GET', '/pets/pet-7')).body).toMatchObject({ id: 'pet-7', title: 'Rex' });
    expect((await ask('GET', '/pets/pet-8')).status).toBe(404);
  });
});
