import { expect, test } from 'vitest';
import { ABSENT, changedAt, type Mutation, mutationsOf } from '../../src/drive/mutations.ts';
import { createSchemas } from '../../src/judge/schemas.ts';
import type { Json } from '../../src/schema/json.ts';
import { contractOf } from '../contract/support.ts';

const VALUE = { id: 'a1', kind: 'ONE', size: 5, rate: 1.5, code: 'ABC', items: [{ id: 'b1' }] };
const PROPERTIES = {
  id: { type: 'string' },
  kind: { type: 'string', enum: ['ONE', 'TWO'] },
  size: { type: 'integer' },
  rate: { type: 'number' },
  code: { type: 'string' },
  items: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } },
};

/** The ids of the mutations that a documented schema allows for a value, without the operation. */
async function mutations(schema: object, value: unknown = VALUE, isHostile = false): Promise<Mutation[]> {
  const content = { 'application/json': { schema: { type: 'object', properties: PROPERTIES, ...schema } } };
  const contract = await contractOf({
    openapi: '3.1.1',
    info: { title: 'T', version: '1' },
    paths: { '/a': { get: { operationId: 'a', summary: 'A', responses: { 200: { description: 'A', content } } } } },
  });
  const operation = contract.operation('a');
  if (operation === undefined) throw new Error('no operation');
  const answer = { operation, status: 200, content: { kind: 'json', value } } as const;
  return mutationsOf(answer, contract, createSchemas(contract), isHostile);
}

async function idsOf(...given: Parameters<typeof mutations>): Promise<string[]> {
  return (await mutations(...given)).map(({ id }) => id.slice(2)).sort();
}

const OPEN = [
  'empty:/items',
  'header',
  'large:/rate',
  'large:/size',
  'long-id:/id',
  'long-id:/items/*/id',
  'many:/items',
  'members',
  'members:/items/*',
  'order',
  'precise:/rate',
];
const without = (...ids: string[]): string[] => OPEN.filter((id) => !ids.includes(id));

test('an open schema allows every change of its values, but no new word of a documented list', async () => {
  expect(await idsOf({})).toEqual(OPEN);
});

test.each([
  ['a closed object', { additionalProperties: false }, ['members']],
  ['a maximum', { properties: { ...PROPERTIES, size: { type: 'integer', maximum: 9 } } }, ['large:/size']],
  ['32 bits', { properties: { ...PROPERTIES, size: { type: 'integer', format: 'int32' } } }, ['large:/size']],
  ['a step', { properties: { ...PROPERTIES, rate: { type: 'number', multipleOf: 0.01 } } }, ['precise:/rate']],
  ['a length', { properties: { ...PROPERTIES, id: { type: 'string', maxLength: 36 } } }, ['long-id:/id']],
  [
    'a short list',
    { properties: { ...PROPERTIES, items: { ...PROPERTIES.items, minItems: 1, maxItems: 100 } } },
    ['empty:/items', 'many:/items'],
  ],
])('%s does not allow what it excludes', async (_, schema, excluded) => {
  expect(await idsOf(schema)).toEqual(without(...excluded));
});

test('null and absence need a document or a recording that shows them', async () => {
  const code = { type: ['string', 'null'] };
  expect(await idsOf({ properties: { ...PROPERTIES, code } })).toEqual([...OPEN, 'null:/code'].sort());
  const hostile = await mutations({ required: ['id', 'kind'] }, VALUE, true);
  const harsh = hostile.filter(({ isHostile }) => isHostile).map(({ id }) => id.slice(2));
  expect(harsh.sort()).toEqual(
    ['code', 'items', 'items/*/id', 'rate', 'size'].flatMap((name) => [`absent:/${name}`, `null:/${name}`]).sort(),
  );
});

test('a list of 200 has different ids, and a program gets back what it has sent', async () => {
  const all = await mutations({});
  const changed = (id: string, sent: readonly Json[] = [], value: Json = VALUE) => {
    const { at, change } = all.find((mutation) => mutation.id === `a:${id}`) as Mutation;
    const renamed = (old: Json, number = 0) => `${old}-${number}`;
    return changedAt(value, at, (part) =>
      change(part, { isSent: (one) => sent.includes(one), hasWritten: sent.length > 0, renamed }),
    );
  };
  const { items } = changed('many:/items') as { items: { id: string }[] };
  expect(items).toHaveLength(200);
  expect(new Set(items.map(({ id }) => id)).size).toBe(200);
  expect(changed('large:/size')).toMatchObject({ size: 3_000_000_005 });
  expect(changed('large:/size', [5])).toEqual(VALUE);
  expect(changed('empty:/items')).toMatchObject({ items: [] });
  expect(changed('empty:/items', ['a'])).toEqual(VALUE);
  expect(changed('members', [], [])).toEqual([]);
  expect(Object.keys(changed('order') as object)).toEqual(Object.keys(VALUE).reverse());
});

test('a change reaches each item of a list, and can remove it', () => {
  const value = { items: [{ a: 1 }, { b: 2 }, 3] };
  expect(changedAt(value, '/items/*/a', () => ABSENT)).toEqual({ items: [{}, { b: 2 }, 3] });
  expect(changedAt(value, '/items/*', () => ABSENT)).toEqual({ items: [] });
  expect(changedAt(value, '', () => ABSENT)).toBe(ABSENT);
});
