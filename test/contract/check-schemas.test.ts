import { expect, test } from 'vitest';
import { lintContract } from '../../src/contract/lint/lint.ts';
import { loadContract } from '../../src/contract/load.ts';
import { readContractFolder } from '../../src/contract/read-folder.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { verify } from '../../src/run/verify.ts';
import { compilerOf } from '../../src/schema/ajv.ts';
import { command } from '../cli/command.ts';
import { api, folderOf } from '../support/api.ts';

/** A contract with one operation that accepts and returns a schema. */
function contractWith(schema: object, schemas: object = {}): Promise<string> {
  const content = { 'application/json': { schema } };
  const post = { operationId: 'add', security: [], requestBody: { content }, responses: { 204: { description: 'D' } } };
  return folderOf(api({ '/things': { post } }, { components: { schemas } }));
}

const IN_PATHS = '#/paths/~1things/post/requestBody/content/application~1json/schema/properties/name';

test.each<[what: string, schema: object, remark: RegExp | null, good: unknown, bad: unknown]>([
  ['an unknown format', { type: 'string', format: 'unix-time' }, /format unix-time is not judged/, 'x', 1],
  ['a format of a newer draft', { type: 'string', format: 'iri' }, /format iri is not judged/, 'x', 1],
  ['a pattern without the flag u', { type: 'string', pattern: String.raw`^[\w-.]+\-$` }, null, 'a.b-', 'a.b'],
  ['an illegal pattern', { type: 'string', pattern: '(?i)^a$' }, /is not a regular expression/, 'x', 1],
  ['nullable', { type: 'string', nullable: true, enum: ['a'] }, /nullable as in OpenAPI 3\.0/, null, 'b'],
  [
    'nullable beside a reference',
    { properties: { a: { type: 'string' }, b: { $ref: `${IN_PATHS.slice(0, -4)}a`, nullable: true } } },
    /read as a type with 'null'/,
    { b: null },
    { b: 1 },
  ],
  [
    'nullable beside a reference in allOf',
    {
      properties: { a: { type: 'object' }, b: { allOf: [{ $ref: `${IN_PATHS.slice(0, -4)}a` }], nullable: true } },
    },
    /read as a type with 'null'/,
    { b: null },
    { b: 1 },
  ],
  [
    'nullable beside an inline schema',
    { allOf: [{ type: 'string' }], nullable: true },
    /nullable beside inline schemas .*they may reject null/,
    'x',
    null,
  ],
  ['a boolean exclusiveMinimum', { type: 'number', minimum: 5, exclusiveMinimum: true }, /exclusiveMinimum/, 6, 5],
  ['a boolean that excludes no value', { type: 'number', maximum: 5, exclusiveMaximum: false }, /a number/, 5, 6],
  ['an unknown keyword', { type: 'string', minlength: 9 }, /no schema has a keyword minlength/i, 'x', 1],
  ['a wrong value of a keyword', { type: 'string', minLength: 'nine' }, /minLength is not judged: .* whole/, 'x', 1],
  ['a type that does not exist', { properties: { a: { type: 'strnig' } } }, /type is not judged/, { a: 1 }, undefined],
  [
    'a list that does not contain names',
    { type: 'object', required: true },
    /required is not judged: it must be a list/,
    {},
    1,
  ],
  [
    'a member that is not a schema',
    { type: 'object', properties: { a: 'text' } },
    /properties is not judged/,
    { a: 1 },
    1,
  ],
  [
    'a dynamic reference',
    { $dynamicAnchor: 'node', properties: { c: { $dynamicRef: '#node' }, v: { type: 'integer' } } },
    null,
    { c: { c: { v: 1 } } },
    { c: { c: { v: 'x' } } },
  ],
  [
    'a dynamic reference with two anchors',
    { $dynamicAnchor: 'node', properties: { c: { $dynamicRef: '#node' }, d: { $dynamicAnchor: 'node' } } },
    /\$dynamicRef is not judged/,
    { c: 1 },
    undefined,
  ],
  [
    'a reference to nothing',
    { properties: { a: { $ref: '#/nothing', type: 'string' } } },
    /names no schema/,
    { a: '' },
    { a: 1 },
  ],
  [
    'a reference to something that is no schema',
    { properties: { a: { $ref: '#/info/title', type: 'string' } } },
    /names no schema/,
    { a: '' },
    { a: 1 },
  ],
  ['a reference to the network', { items: { $ref: 'https://example.com/a' } }, /names no schema/, [1], undefined],
  [
    'references by $id and $anchor',
    {
      $id: 'https://example.com/root',
      properties: { a: { $ref: '#word' }, b: { $ref: '/deep/item#/$defs/yes' }, c: { $ref: '#/$defs/word' } },
      $defs: {
        word: { $anchor: 'word', type: 'string' },
        item: { $id: 'deep/item', $defs: { yes: { const: true } } },
      },
    },
    null,
    { a: '', b: true, c: '' },
    { b: false },
  ],
  ['no allowed value', { properties: { a: { enum: [] } }, type: 'object' }, null, {}, { a: null }],
  ['a step in decimals', { type: 'number', multipleOf: 0.01 }, null, 19.99, 0.001],
  ['an if without a then', { type: 'string', if: {} }, null, 'x', 1],
  ['an else without an if', { type: 'string', else: false }, null, 'x', 1],
  ['minContains without contains', { type: 'array', minContains: 3 }, null, [], 1],
  [
    'minContains above maxContains',
    { type: ['array', 'null'], contains: {}, minContains: 2, maxContains: 1 },
    null,
    null,
    [1, 2],
  ],
  [
    'a property that matches a pattern as well',
    {
      type: 'object',
      properties: { ab: {} },
      patternProperties: { '^a': { type: 'string' } },
      additionalProperties: false,
    },
    null,
    { ab: 'x' },
    { ab: 1 },
  ],
  ['nullable that is no boolean', { nullable: 'yes', minLength: 2 }, /nullable is not judged/, 'ab', 'a'],
  [
    'a reference into paths',
    { type: 'object', properties: { name: { type: 'string' }, other: { $ref: IN_PATHS } } },
    null,
    { other: 'x' },
    { other: 1 },
  ],
])('%s causes a notice at most, and the mock still works', async (_what, schema, remark, good, bad) => {
  const folder = await readContractFolder(await contractWith(schema));
  const { notices } = await loadContract({ folder });
  expect(notices.map(({ message }) => message)).toEqual(remark === null ? [] : [expect.stringMatching(remark)]);
  await using mock = await startMock({ listen: false, folder });
  const post = async (value: unknown) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
    return (await mock.fetch('/things', init)).status;
  };
  expect(await post(good)).toBe(204);
  if (bad !== undefined) expect(await post(bad)).toBe(422);
});

test('lint compiles every schema, and reports each cause once with the number of places', async () => {
  const text = { type: 'string', minLength: 'nine', format: 'iri' };
  const dir = await contractWith({ type: 'object', properties: { a: text, b: text, c: text } });
  const problems = await lintContract(await loadContract({ folder: await readContractFolder(dir) }));
  expect(problems.map(({ rule }) => rule)).toContain('keyword-invalid');
  const { code, out } = await command(['lint', '--contract', dir]);
  expect(code).toBe(1);
  expect(out).toMatch(
    /^spec\/openapi\.yaml:1:\d+ error keyword-invalid The keyword minLength is not judged: it must be a whole number from 0 \(and at 2/m,
  );
  expect(out).toMatch(/ info format-not-judged The format iri is not judged \(and at 2 other places\)\.$/m);
  expect(out).not.toMatch(/x-reference|x-not-shown|responseBody|x-effect/);
});

test('lint accepts an array with items: false, and one without items', async () => {
  const tuple = { type: 'array', prefixItems: [{ type: 'string' }], items: false };
  const dir = await contractWith({ type: 'object', properties: { tuple, list: { type: 'array', contains: true } } });
  const problems = await lintContract(await loadContract({ folder: await readContractFolder(dir) }));
  expect(problems.map(({ rule }) => rule)).not.toContain('array-items');
});

test('chains of 600 schema references are checked', async () => {
  const next = (index: number): object => ({ $ref: `#/components/schemas/S${index}` });
  // not required: a body with all members would be too deep for JSON parsers
  const link = (index: number): object => ({ type: 'object', properties: { next: next(index + 1) } });
  const schemas = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`S${index}`, link(index)]));
  const dir = await contractWith(next(0), { ...schemas, S600: { type: 'string' } });
  const folder = await readContractFolder(dir);
  const { notices, document } = await loadContract({ folder });
  expect(notices).toEqual([]);
  const holds = compilerOf(document)('/components/schemas/S0');
  const nested = (leaf: unknown): unknown => Object.keys(schemas).reduce((inner) => ({ next: inner }), leaf);
  expect([holds(nested('x')), holds(nested(1))]).toEqual([true, false]);
  const { findings, verdict } = await verify({ target: 'mock', folder });
  expect([findings, verdict]).toEqual([[], 'agrees']);
});

test('a closed schema has the fields of the schemas that it refers to', async () => {
  const dir = await contractWith(
    { type: 'string' },
    {
      Odd: { minContains: 3, patternProperties: { '^b': { type: 'string' } } },
      Whole: {
        $ref: '#/components/schemas/Odd',
        properties: { a: true },
        required: ['a'],
        unevaluatedProperties: false,
      },
    },
  );
  const { document } = await loadContract({ folder: await readContractFolder(dir) });
  const holds = compilerOf(document)('/components/schemas/Whole');
  expect([{ a: 1, b: 'x' }, {}, { a: 1, b: 1 }, { a: 1, c: 1 }].map(holds)).toEqual([true, false, false, false]);
});
