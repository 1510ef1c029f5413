import { expect, test } from 'vitest';
import { verify } from '../../src/run/verify.ts';
import { api, contractFolder } from '../support/api.ts';

const code = { type: 'string', pattern: '^[A-Z]{3}[0-9]{4}$' };
const pet = { type: 'object', required: ['petId'], properties: { petId: code } };
const answering = (schema: object, more: object = {}) => ({
  ...more,
  responses: { 200: { description: 'Good', content: { 'application/json': { schema } } } },
});
const named = (operationId: string, name: string, schema: object) => ({
  get: answering(pet, { operationId, parameters: [{ name, in: 'path', required: true, schema }] }),
});

const PATHS = {
  '/tags/{id}': named('getTag', 'id', { type: 'string', pattern: '^T-[0-9]{4}$' }),
  '/lists/{id}': named('getList', 'id', { type: 'integer', minimum: 1000 }),
  '/pets/{petId}': named('getPet', 'petId', code),
  '/pets': {
    get: answering({ type: 'array', items: pet }, { operationId: 'listPets' }),
    post: answering(pet, { operationId: 'createPet' }),
  },
};

test('ids and parameters of the embedded mock follow the schemas of their operations', async () => {
  const folder = await contractFolder(api(PATHS), {
    'mocks/entities.yaml': `kinds: { pet: { id: { petId: 'pet-{hex 6}' }, fields: {} } }
operations: { getPet: { read: pet }, listPets: { list: pet }, createPet: { create: pet } }
`,
  });
  const statuses: unknown[] = [];
  const report = await verify({
    target: 'mock',
    folder,
    onExchange: ({ response }) => statuses.push(response?.status),
  });
  expect([report.verdict, new Set(statuses)]).toEqual(['agrees', new Set([200])]);
});
