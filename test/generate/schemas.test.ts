import { describe, expect, test } from 'vitest';
import type { Contract, Json, JsonObject } from '../../src/contract/contract.ts';
import {
  compilable,
  componentSchemas,
  currenciesOf,
  exact,
  forCurrency,
  linkedSchemas,
  type NamedSchema,
  publishable,
} from '../../src/generate/schemas.ts';
import { emitTypes } from '../../src/generate/types.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const cents = { type: 'integer', 'x-maximum-by-currency': { SEK: 90, DKK: 7 } };
const node = { type: 'object', title: 'Node', 'x-since': '1.2', properties: { nodes: { items: ref('node') } } };
const owner = { allOf: [{ properties: { first: { enum: ['A'] } } }, ref('fine')], example: { first: 'A' } };
const all = named({ node, owner, fine: { 'x-reference': 'Fines', properties: { cents } } });

function named(schemas: JsonObject): readonly NamedSchema[] {
  return componentSchemas({ components: { schemas } }, 'me');
}

/** A schema with the references of others in it, compiled alone. */
function alone(schema: JsonObject): JsonObject {
  return compilable(schema, all);
}

describe('the schemas of a document', () => {
  test('have names that are types, files and variables, each of which is free', () => {
    const keys = ['tree.node', 'treeNode', 'Shape', 'object', '3d', 'rate2b', 'HTTPCode', '..'];
    const found = named(Object.fromEntries(keys.map((key) => [key, true])));
    expect(found.map(({ key, name, file }) => [key, name, file].join(' '))).toEqual([
      'tree.node TreeNode tree-node',
      'treeNode TreeNode_2 tree-node_2',
      'Shape Shape_2 shape_2',
      'object Object_2 object_2',
      '3d _3D _3-d',
      'rate2b Rate2B rate2-b',
      'HTTPCode HTTPCode httpcode',
      '.. Schema schema',
    ]);
  });

  test('are all that a reference reaches, also outside the components', () => {
    const schemas = { a: false, b: ref('a'), c: { $ref: '#/x-own/1' } };
    const found = componentSchemas({ components: { schemas }, 'x-own': [1, { type: 'null' }] });
    expect(found.map(({ key, urn, schema }) => [key, urn, schema])).toEqual([
      ['a', 'urn:banking-api-contract:schemas:', { not: {} }],
      ['b', 'urn:banking-api-contract:schemas:', ref('a')],
      ['c', 'urn:banking-api-contract:schemas:', { $ref: '#/x-own/1' }],
      ['#/x-own/1', 'urn:banking-api-contract:schemas:', { type: 'null' }],
    ]);
    expect(componentSchemas({})).toEqual([]);
  });

  test('are linked if they would be too large with their references written out', () => {
    const doubling = (levels: number) =>
      named({
        leaf: {},
        ...Object.fromEntries(
          Array.from({ length: levels }, (_, level) => {
            const part = ref(level === 0 ? 'leaf' : `level${level - 1}`);
            return [`level${level}`, { properties: { left: part, right: part } }];
          }),
        ),
      });
    expect([8, 14].map((levels) => new Set(doubling(levels).map(({ isLinked }) => isLinked)))).toEqual([
      new Set([false]),
      new Set([true]),
    ]);
    const linked = doubling(14);
    const last = linked.at(-1) as NamedSchema;
    const parts = { left: { $ref: 'urn:me:schemas:level12' }, right: { $ref: 'urn:me:schemas:level12' } };
    expect(publishable(last, linked)).toMatchObject({ $id: 'urn:me:schemas:level13', properties: parts });
  });
});

describe('a schema', () => {
  const [first, second] = all as [NamedSchema, NamedSchema];

  test('is published with the schemas that it refers to, without keywords of our own', () => {
    const $schema = 'https://json-schema.org/draft/2020-12/schema';
    const $defs = { Fine: { properties: { cents: { type: 'integer' } }, $comment: 'API reference, Fines' } };
    const allOf = [{ properties: { first: { enum: ['A'] } } }, { $ref: '#/$defs/Fine' }];
    expect(publishable(second, all)).toEqual({ $schema, $id: 'urn:me:schemas:owner', allOf, $defs });
    const own = { type: 'object', title: 'Node', properties: { nodes: { items: { $ref: '#/$defs/Node' } } } };
    const Node = { ...own, $comment: 'since 1.2' };
    expect(publishable(first, all, ':exact')).toEqual({
      $schema,
      $id: 'urn:me:schemas:node:exact',
      ...Node,
      $defs: { Node },
    });
    const both = { ...second, schema: { 'x-reference': 'A', 'x-since': '2' } };
    expect(publishable(both, all)).toMatchObject({ $comment: 'API reference, A; since 2' });
    expect(() => publishable({ ...second, schema: ref('none') }, all)).toThrow('no schema is named none');
  });

  test.each<[JsonObject, JsonObject]>([
    [{ type: 'string', format: 'uuid', description: 'D', readOnly: true, 'x-own': 1 }, { type: 'string' }],
    [
      { format: 'date-time', pattern: '^2' },
      { format: 'date-time', pattern: '^2' },
    ],
    [{ pattern: '([', minLength: 1 }, { minLength: 1 }],
    [{ enum: [{ title: 'T', format: 'data' }] }, { enum: [{ title: 'T', format: 'data' }] }],
    [{ properties: { title: { default: 1, not: { example: 1 } } } }, { properties: { title: { not: {} } } }],
    [ref('fine'), { properties: { cents: { type: 'integer' } } }],
    [
      { ...ref('fine'), minProperties: 1 },
      { allOf: [{ properties: { cents: { type: 'integer' } } }, { minProperties: 1 }] },
    ],
    [
      { items: ref('node') },
      {
        items: { type: 'object', properties: { nodes: { items: { $ref: '#/$defs/Node' } } } },
        $defs: { Node: { type: 'object', properties: { nodes: { items: { $ref: '#/$defs/Node' } } } } },
      },
    ],
  ])('is compiled without what judges nothing, and with its references in place: %j', (schema, expected) => {
    expect(alone(schema)).toEqual(expected);
  });

  test.each<[JsonObject, JsonObject]>([
    [{ type: 'object' }, { type: 'object' }],
    [{ properties: { a: {} } }, { properties: { a: {} }, additionalProperties: false }],
    [{ items: { properties: {} } }, { items: { properties: {}, additionalProperties: false } }],
    [{ anyOf: [{ type: 'null' }, { oneOf: [true] }] }, { anyOf: [{ type: 'null' }, { oneOf: [true] }] }],
    [
      { allOf: [{ properties: { a: {} } }, { anyOf: [{ properties: { b: { properties: {} } } }, true] }] },
      {
        allOf: [
          { properties: { a: {} } },
          { anyOf: [{ properties: { b: { properties: {}, additionalProperties: false } } }, true] },
        ],
        unevaluatedProperties: false,
      },
    ],
    [
      { properties: { a: {} }, oneOf: [{ required: ['a'] }] },
      { properties: { a: {} }, oneOf: [{ required: ['a'] }], unevaluatedProperties: false },
    ],
  ])('is read exactly: objects that name fields have no others: %j', (schema, expected) => {
    expect(exact(schema)).toEqual(expected);
  });

  test('of a linked contract refers to the others by reading, and a part of a combination to an open one', () => {
    const limited = (maximum?: number) => ({ properties: { cents: { type: 'integer', ...(maximum && { maximum }) } } });
    const nodes = (reading: string) => ({ type: 'object', properties: { nodes: { items: { $ref: `${reading}0` } } } });
    const parts = (reading: string) => ({
      allOf: [{ properties: { first: { enum: ['A'] } } }, { $ref: `${reading}2` }],
    });
    const closed = { additionalProperties: false };
    expect(linkedSchemas(all)).toEqual({
      ...{ tolerant0: nodes('tolerant'), exact0: { ...nodes('exact'), ...closed }, open0: nodes('exact') },
      ...{
        tolerant1: parts('tolerant'),
        exact1: { ...parts('open'), unevaluatedProperties: false },
        open1: parts('open'),
      },
      ...{ tolerant2: limited(), exact2: { ...limited(), ...closed }, open2: limited() },
      ...{ tolerant2SEK: limited(90), exact2SEK: { ...limited(90), ...closed }, open2SEK: limited(90) },
      ...{ tolerant2DKK: limited(7), exact2DKK: { ...limited(7), ...closed }, open2DKK: limited(7) },
    });
  });

  test('has the maxima of one currency', () => {
    const items = { ...cents, 'x-maximum-by-currency': { EUR: 1 } };
    expect(currenciesOf({ items, properties: { cents } })).toEqual(['EUR', 'SEK', 'DKK']);
    expect(forCurrency({ items, properties: { cents } }, 'DKK')).toEqual({
      items,
      properties: { cents: { ...cents, maximum: 7 } },
    });
  });
});

describe('the type of a schema', () => {
  const typesOf = (schemas: JsonObject): string =>
    emitTypes({ operations: [], document: {} } as unknown as Contract, named(schemas));

  test.each<[string, Json]>([
    [String.raw`'it\'s "\\"'`, { const: 'it\'s "\\"' }],
    ['unknown', { const: {} }],
    ["'A' | 1 | null", { enum: ['A', 1, null], type: 'string' }],
    ["'A' | null", { enum: ['A'], nullable: true }],
    ['number | null', { type: ['integer', 'null', 'number'] }],
    ['boolean | null', { type: 'boolean', nullable: true }],
    ['unknown', { nullable: true }],
    ['string[]', { items: { type: 'string' } }],
    ['(string | number)[]', { prefixItems: [{ type: 'string' }], items: { type: 'number' } }],
    ['unknown[]', { type: 'array' }],
    ['{ [key: string]: unknown }', { type: 'object' }],
    ['{ [key: string]: string | null }', { additionalProperties: { type: ['string', 'null'] } }],
    ['Part', ref('Part')],
    [
      'Part & (string | number)',
      { allOf: [ref('Part'), ref('Part')], oneOf: [{ type: 'string' }, { type: 'number' }] },
    ],
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
