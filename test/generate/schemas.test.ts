import { describe, expect, test } from 'vitest';
import type { Contract, Json, JsonObject } from '../../src/contract/contract.ts';
import {
  compilable,
  componentSchemas,
  exact,
  linkedSchemas,
  type NamedSchema,
  publishable,
} from '../../src/generate/schemas.ts';
import { emitTypes } from '../../src/generate/types.ts';

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
  const whole = { $schema, $id: 'urn:me:schemas:node:exact', ...Node, $defs: { Node } };
  expect(publishable(first, all, ':exact')).toEqual(whole);
});

const FINE = { properties: { cents: { type: 'integer' } } };
const NODE = { type: 'object', properties: { nodes: { items: { $ref: '#/$defs/Node' } } } };
const closed = { additionalProperties: false };

test.each<[source: JsonObject, compiled: JsonObject, exactly?: JsonObject]>([
  [{ type: 'string', format: 'uuid', pattern: '([', description: 'D', 'x-own': 1 }, { type: 'string' }],
  [
    { pattern: '^2', format: 'date-time' },
    { pattern: '^2', format: 'date-time' },
  ],
  [
    { enum: [{ title: 'T' }], not: { default: 1 } },
    { enum: [{ title: 'T' }], not: {} },
  ],
  [{ anyOf: [true, { oneOf: [false] }] }, { anyOf: [true, { oneOf: [false] }] }],
  [{ items: ref('fine') }, { items: FINE }, { items: { ...FINE, ...closed } }],
  [
    { ...ref('fine'), minProperties: 1 },
    { allOf: [FINE, { minProperties: 1 }] },
    { allOf: [FINE, { minProperties: 1 }], unevaluatedProperties: false },
  ],
  [
    { oneOf: [true, { anyOf: [{ properties: { a: FINE } }] }] },
    { oneOf: [true, { anyOf: [{ properties: { a: FINE } }] }] },
    { oneOf: [true, { anyOf: [{ properties: { a: { ...FINE, ...closed } } }] }], unevaluatedProperties: false },
  ],
  [
    { items: ref('node') },
    { items: NODE, $defs: { Node: NODE } },
    { items: { ...NODE, ...closed }, $defs: { Node: { ...NODE, ...closed } } },
  ],
])(
  '%j is compiled without annotations and references, and closed for the exact reading',
  (source, compiled, exactly) => {
    expect(compilable(source, all)).toEqual(compiled);
    expect(exact(compiled)).toEqual(exactly ?? compiled);
  },
);

test('linked schemas refer to each other by reading, and a part of a combination is open', () => {
  const fine = (maximum?: number) => ({ properties: { cents: { type: 'integer', ...(maximum && { maximum }) } } });
  const nodes = (reading: string) => ({ type: 'object', properties: { nodes: { items: { $ref: `${reading}0` } } } });
  const part = { properties: { first: { enum: ['A'] } } };
  const parts = { allOf: [part, { $ref: 'open2' }] };
  expect(linkedSchemas(all)).toEqual({
    ...{ tolerant0: nodes('tolerant'), exact0: { ...nodes('exact'), ...closed }, open0: nodes('exact') },
    ...{ tolerant1: { allOf: [part, { $ref: 'tolerant2' }] }, open1: parts },
    ...{ exact1: { ...parts, unevaluatedProperties: false } },
    ...{ tolerant2: fine(), exact2: { ...fine(), ...closed }, open2: fine() },
    ...{ tolerant2SEK: fine(90), exact2SEK: { ...fine(90), ...closed }, open2SEK: fine(90) },
    ...{ tolerant2DKK: fine(7), exact2DKK: { ...fine(7), ...closed }, open2DKK: fine(7) },
  });
});

describe('the type of a schema', () => {
  const typesOf = (schemas: JsonObject): string =>
    emitTypes({ operations: [], document: {} } as unknown as Contract, named(schemas));

  test.each<[string, Json]>([
    [String.raw`'it\'s "\\"'`, { const: 'it\'s "\\"' }],
    ["'A' | 1 | null", { enum: ['A', 1, null], type: 'string' }],
    ["'A' | null", { enum: ['A'], nullable: true }],
    ['number | null', { type: ['integer', 'null', 'number'] }],
    ['unknown', { nullable: true }],
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
