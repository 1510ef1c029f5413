import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { diff } from '../../src/diff/diff.ts';
import type { Json, JsonObject } from '../../src/schema/json.ts';
import { answers, api } from '../support/api.ts';

const directory = await mkdtemp(join(tmpdir(), 'self-'));
afterAll(() => rm(directory, { recursive: true }));

/** The findings of a comparison with itself, of a document with one operation per schema. */
async function found(schemas: readonly Json[]): Promise<string[]> {
  const file = join(directory, 'document.json');
  const paths = schemas.map((schema, index) => {
    return [`/${index}`, { get: { operationId: `get${index}`, ...answers(schema) } }];
  });
  const Tree = { type: 'object', properties: { next: { $ref: '#/components/schemas/Tree' } } };
  const document = api(Object.fromEntries(paths), { security: [], components: { schemas: { Tree } } });
  await writeFile(file, JSON.stringify(document));
  const { findings } = await diff({ before: file, after: file });
  return findings.map(({ rule, operationId, pointer }) => `${rule} ${operationId} ${pointer}`);
}

const facts = (all: Readonly<Record<string, fc.Arbitrary<Json>>>, own: JsonObject = {}): fc.Arbitrary<JsonObject> =>
  fc.record(all, { requiredKeys: [] }).map((some) => ({ ...own, ...(some as JsonObject) }));
const names = ['a', 'b', 'x-1'] as const;
const small = fc.integer({ min: 0, max: 3 });
const number = fc.integer({ min: -1e6, max: 1e6 });
const pattern = fc.constantFrom('^x', '^[a-c]+$', '^(?!a)', String.raw`\d{3}`);
const scalars: fc.Arbitrary<Json>[] = [
  facts({
    type: fc.constantFrom('integer', 'number'),
    format: fc.constantFrom('int32', 'int64', 'float'),
    minimum: number,
    exclusiveMaximum: number,
    multipleOf: fc.constantFrom(2, 0.01),
  }),
  facts({
    type: fc.constantFrom<Json[]>('string', ['string', 'null']),
    format: fc.constantFrom('date', 'date-time', 'uuid', 'uri', 'binary'),
    pattern,
    minLength: small,
    maxLength: small,
  }),
  fc.constantFrom<Json[]>(true, false, { type: 'boolean' }, { enum: ['a', 1, null] }, { const: { a: [1] } }),
  fc.constant({ $ref: '#/components/schemas/Tree' }),
];
const { any } = fc.letrec<{ any: Json }>((tie) => {
  const any = tie('any');
  const all = fc.array(any, { minLength: 1, maxLength: 3 });
  const array = { minItems: small, maxItems: small, uniqueItems: fc.boolean(), contains: any, items: any };
  const object = {
    properties: fc.dictionary(fc.constantFrom(...names), any, { maxKeys: 3 }),
    required: fc.subarray([...names]),
    additionalProperties: fc.oneof(fc.boolean(), any),
    patternProperties: fc.dictionary(pattern, any, { maxKeys: 2 }),
    propertyNames: fc.record({ pattern }),
    minProperties: small,
    maxProperties: small,
  };
  return {
    any: fc.oneof(
      { maxDepth: 3 },
      ...scalars,
      facts({ ...array, prefixItems: all }, { type: 'array' }),
      facts(object, { type: 'object' }),
      facts({ anyOf: all, oneOf: all, allOf: all, if: any, else: any, not: any }),
    ),
  };
});

test('a document does not differ from itself, whatever its schemas are', async () => {
  const documents = fc.array(any, { minLength: 10, maxLength: 10 });
  const record = { type: 'object', additionalProperties: { type: 'array' } };
  const tuple = {
    type: 'array',
    prefixItems: [record, {}],
    items: { type: 'array', items: { allOf: [{ minimum: 0 }] }, prefixItems: [{ type: 'array' }] },
  };
  await fc.assert(
    fc.asyncProperty(documents, async (all) => {
      expect(await found(all)).toEqual([]);
    }),
    { numRuns: 15, examples: [[[tuple]]] },
  );
}, 120_000);
