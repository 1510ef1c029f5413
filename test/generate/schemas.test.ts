import { describe, expect, test } from 'vitest';
import type { Contract } from '../../src/contract/contract.ts';
import { componentSchemas, type NamedSchema, publishable, readingOf } from '../../src/generate/schemas.ts';
import { emitTypes } from '../../src/generate/types.ts';
import type { Json, JsonObject } from '../../src/schema/json.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const cents = { type: 'integer', 'x-maximum-by-currency': { SEK: 90, DKK: 7 } };
const node = { type: 'object', title: 'Node', 'x-since': '1.2', properties: { nodes: { items: ref('node') } } };
const owner = { allOf: [{ properties: { first: { enum: ['A'] } } }, ref('fine')], example: { first: 'A' } };
const all = named({ node, owner, fine: { 'x-reference': 'Fines', 'x-since': '2', properties: { cents } } });

function named(schemas: JsonObject): readonly NamedSchema[] {
  return componentSchemas({ components: { schemas } }, 'me');
}

test('schemas have names that are types and files, also those that only a reference reaches', () => {
  const keys = ['tree.node', 'treeNode', 'object', '3d', 'rate2b', '..'];
  const schemas = { ...Object.fromEntries(keys.map((key) => [key, true])), Shape: false, Far: { $ref: '#/x-own/1' } };
  const found = componentSchemas({ components: { schemas }, 'x-own': [1, { type: 'null' }] });
  expect(found.map(({ name, file, schema }) => [name, file, JSON.stringify(schema)].join(' '))).toEqual([
    ...['TreeNode tree-node {}', 'TreeNode_2 tree-node_2 {}', 'Object_2 object_2 {}', '_3D _3-d {}'],
    ...['Rate2B rate2-b {}', 'Schema schema {}', 'Shape_2 shape_2 {"not":{}}', 'Far far {"$ref":"#/x-own/1"}'],
    'XOwn1 xown1 {"type":"null"}',
  ]);
});

test('a schema is published with the schemas that it refers to, without keywords of our own', () => {
  const [first, second] = all as [NamedSchema, NamedSchema];
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  const $defs = { Fine: { properties: { cents: { type: 'integer' } }, $comment: 'API reference, Fines; since 2' } };
  const allOf = [{ properties: { first: { enum: ['A'] } } }, { $ref: '#/$defs/Fine' }];
  expect(publishable(second, all)).toEqual({ $schema, $id: 'urn:me:schemas:owner', allOf, $defs });
  const own = { type: 'object', title: 'Node', properties: { nodes: { items: { $ref: '#/$defs/Node' } } } };
  const Node = { ...own, $comment: 'since 1.2' };
  const closed = { ...Node, additionalProperties: false };
  const whole = { $schema, $id: 'urn:me:schemas:node:exact', ...closed, $defs: { Node: closed } };
  expect(publishable(first, all, 'exact', ':exact')).toEqual(whole);
  const opened = { ...$defs.Fine };
  expect(publishable(second, all, 'exact', ':exact')).toMatchObject({
    allOf: [allOf[0], { $ref: '#/$defs/Fine:open' }],
    $defs: { 'Fine:open': opened },
    unevaluatedProperties: false,
  });
});

const FIELDS = { properties: { a: { type: 'string' } } };
const CLOSED = { ...FIELDS, additionalProperties: false };
const closed = { unevaluatedProperties: false };

test.each<[source: JsonObject, exactly: JsonObject]>([
  [
    { type: 'string', 'x-own': 1 },
    { type: 'string', 'x-own': 1 },
  ],
  [
    { enum: [FIELDS], items: FIELDS },
    { enum: [FIELDS], items: CLOSED },
  ],
  [{ items: ref('fine') }, { items: { $ref: 'exact fine' } }],
  // a reference beside fields stays, and both name fields of one object
  [
    { ...ref('fine'), ...FIELDS },
    { $ref: 'open fine', ...FIELDS, ...closed },
  ],
  [
    { ...ref('fine'), minProperties: 1 },
    { $ref: 'exact fine', minProperties: 1 },
  ],
  [{ allOf: [ref('fine'), true] }, { allOf: [{ $ref: 'open fine' }, true], ...closed }],
  [
    { oneOf: [true, { anyOf: [{ properties: { a: FIELDS } }] }] },
    { oneOf: [true, { anyOf: [{ properties: { a: CLOSED } }] }], ...closed },
  ],
  [{ dependentSchemas: { b: FIELDS } }, { dependentSchemas: { b: FIELDS }, ...closed }],
  // a question about a value does not change
  [
    { not: FIELDS, if: ref('fine'), else: FIELDS },
    { not: FIELDS, if: { $ref: 'tolerant fine' }, else: FIELDS, ...closed },
  ],
])('the exact reading of %j closes each object that names fields', (source, exactly) => {
  const write = ({ key }: NamedSchema, reading: string): string => `${reading} ${key}`;
  expect(readingOf(source, 'exact', all, write)).toEqual(exactly);
  expect(readingOf(source, 'open', all, write)).toEqual(openOf(exactly));
  expect(JSON.stringify(readingOf(source, 'tolerant', all, write))).toBe(
    JSON.stringify(source).replaceAll('#/components/schemas/', 'tolerant '),
  );
});

/** The same without the last word about the top. */
function openOf({ additionalProperties: _a, unevaluatedProperties: _u, ...exactly }: JsonObject): JsonObject {
  return typeof exactly.$ref === 'string' ? { ...exactly, $ref: exactly.$ref.replace('exact', 'open') } : exactly;
}

describe('the type of a schema', () => {
  const typesOf = (schemas: JsonObject): string =>
    emitTypes({ operations: [], document: {} } as unknown as Contract, named(schemas));

  test.each<[string, Json]>([
    [String.raw`'it\'s "\\"'`, { const: 'it\'s "\\"' }],
    ["'A' | 1 | null", { enum: ['A', 1, null], type: 'string' }],
    ['number | null', { type: ['integer', 'null', 'number'] }],
    ['(string | number)[]', { prefixItems: [{ type: 'string' }], items: { type: 'number' } }],
    ['{ [key: string]: unknown }', { type: 'object' }],
    ['{ [key: string]: string | null }', { additionalProperties: { type: ['string', 'null'] } }],
    ['Part & (string | null)', { allOf: [ref('Part'), ref('Part')], oneOf: [{ type: 'string' }, { type: 'null' }] }],
    ['Part', { ...ref('Part'), anyOf: [{ type: 'string' }, true] }],
    ['never[]', { items: false }],
    ['{\n  a?: Part;\n} & { [key: string]: unknown }', { properties: { a: ref('Part') }, additionalProperties: {} }],
  ])('is %s', (type, schema) => {
    expect(typesOf({ One: schema, Part: {} })).toContain(`export type One = ${type};\n`);
  });

  test('of an object has its members, with their descriptions', () => {
    const properties = {
      'a-b': { description: ' Ends */ early.\n\n  Second. ', type: 'string' },
      a1: { deprecated: true, properties: { '01': {}, 1: true } },
    };
    expect(typesOf({ One: { required: ['a1', 'other', 2], properties, description: 'One.' } })).toContain(`/** One. */
export interface One {
  /** @deprecated */
  a1: {
    1?: unknown;
    '01'?: unknown;
  };
  other: unknown;
  /**
   * Ends * / early.
   *   Second.
   */
  'a-b'?: string;
}
`);
  });
});
