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
  /** The object around a single record, in answers and in requests. */
  readonly around: string | null;
  /** `body`: a PUT to the collection names the record in its body. */
  readonly change: 'put' | 'patch' | 'body';
}

const within = (name: string | null, value: unknown): unknown => (name === null ? value : { [name]: value });
const around = (name: string | null, schema: object): object =>
  name === null
    ? schema
    : { type: 'object', required: [name], properties: { [name]: schema, trace: { type: 'string' } } };

function pathsOf({ noun, idType, idInBody, parent, envelope, around: name, change }: Shape) {
  const id = { type: idType };
  const properties = { [idInBody]: id, title: { type: 'string' }, size: { type: 'number' } };
  const record = { type: 'object', required: [idInBody, 'title'], properties };
  const properSent = { title: { type: 'string' }, size: { type: 'number' } };
  const sent = (required: readonly string[], more: object = {}) =>
    body(around(name, { type: 'object', required, properties: { ...more, ...properSent } }));
  const shownOne = answers(around(name, record));
  const changing = { operationId: 'change', ...sent([], change === 'body' ? { [idInBody]: id } : {}), ...shownOne };
  const list = { type: 'array', items: record };
  const shown = envelope === null ? list : { type: 'object', properties: { [envelope]: list } };
  const all = parent ? `/owners/{ownerId}/${noun}s` : `/${noun}s`;
  const one = `${all}/{${noun}Id}`;
  const above = parent ? [inPath('ownerId', { type: 'string' })] : [];
  const parameters = [...above, inPath(`${noun}Id`, id)];
  return api({
    [all]: {
      parameters: above,
      post: { operationId: 'make', ...sent(['title']), ...shownOne },
      get: { operationId: 'list', ...answers(shown) },
      ...(change === 'body' && { put: changing }),
    },
    [one]: {
      parameters,
      get: { operationId: 'read', ...shownOne },
      ...(change !== 'body' && { [change]: changing }),
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
    around: fc.constantFrom(null, 'data', 'result'),
    change: fc.constantFrom('put' as const, 'patch' as const, 'body' as const),
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
        const said = async (method: string, path: string, sent?: object): Promise<Record<string, unknown>> => {
          const { status, body: answer } = await ask(method, path, sent && within(shape.around, sent));
          expect(status).toBe(200);
          return shape.around === null ? answer : answer[shape.around];
        };
        const made = await said('POST', all, { title, size: 2.5 });
        expect(made).toMatchObject({ title, size: 2.5 });
        const id = made[shape.idInBody];
        expect(typeof id).toBe(shape.idType === 'integer' ? 'number' : 'string');
        expect(before).not.toContainEqual(made);
        expect(await listed()).toContainEqual(made);
        const one = `${all}/${id}`;
        expect(await said('GET', one)).toEqual(made);
        const changed =
          shape.change === 'body'
            ? await said('PUT', all, { [shape.idInBody]: id, title: 'other' })
            : await said(shape.change.toUpperCase(), one, { title: 'other' });
        // a PUT replaces the record, a PATCH changes it
        expect(changed).toEqual({
          ...made,
          title: 'other',
          ...(shape.change === 'patch' ? {} : { size: undefined }),
        });
        expect(await said('GET', one)).toEqual(changed);
        expect((await ask('DELETE', one)).status).toBe(204);
        expect((await ask('GET', one)).status).toBe(404);
        expect(await listed()).toHaveLength(before.length);
        if (shape.parent) expect(await listed(all.replace('o-1', 'o-2'))).not.toContainEqual(made);
      }),
      { numRuns: 40 },
    );
  });

  const PETS = pathsOf({
    noun: 'pet',
    idType: 'string',
    idInBody: 'id',
    parent: false,
    envelope: null,
    around: null,
    change: 'put',
  });

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

  test('ids fit the parameter of the path, and a deletion answers as documented', async () => {
    const rate = { type: 'object', required: ['id'], properties: { id: { type: 'string', maxLength: 5000 } } };
    const answer = (schema: object) => ({ 200: { description: 'D', content: { [JSON_TYPE]: { schema } } } });
    const removed = { type: 'object', properties: { success: { type: 'boolean' } } };
    const paths = {
      '/rates': { get: { operationId: 'list', responses: answer({ type: 'array', items: rate }) } },
      '/rates/{rate}': {
        parameters: [inPath('rate', { type: 'string', maxLength: 3 })],
        get: { operationId: 'read', responses: answer(rate) },
        delete: { operationId: 'remove', responses: answer(removed) },
      },
    };
    const { mock, ask } = await mockOf(api(paths));
    await using _ = mock;
    const { body: rates } = await ask('GET', '/rates');
    const ids: string[] = rates.map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect((await ask('GET', `/rates/${id}`)).status).toBe(200);
    expect((await ask('DELETE', `/rates/${ids[0]}`)).body).toEqual({ success: expect.any(Boolean) });
    expect((await ask('GET', `/rates/${ids[0]}`)).status).toBe(404);
  });
});
