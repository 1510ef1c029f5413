import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCompare } from '../../src/schema/compare.ts';
import { type Json, type JsonObject, nodeAt } from '../../src/schema/json.ts';
import type { SchemaSide } from '../../src/schema/side.ts';
import { formatFragment, parsePointer } from '../../src/text/pointer.ts';

function sideOf(schemas: JsonObject): SchemaSide {
  const document = { components: { schemas } };
  // Ajv ends too early at minContains above maxContains unless it collects all errors.
  const ajv = new Ajv2020({ strict: false, validateSchema: false, ownProperties: true, allErrors: true });
  formats.default(ajv.addFormat('int32', true).addFormat('password', true));
  ajv.addSchema(document, 'document');
  const compiled = new Map<string, (value: unknown) => boolean>();
  return {
    at: (pointer) => nodeAt(document, pointer),
    accepts: (pointer, value) => {
      const reference = `document${formatFragment(parsePointer(pointer) ?? [])}`;
      try {
        const check = compiled.get(pointer) ?? (ajv.compile({ $ref: reference }) as (value: unknown) => boolean);
        compiled.set(pointer, check);
        return check(value);
      } catch (error) {
        // Ajv makes faulty code of some references beside `unevaluatedProperties` and dead branches.
        if (error instanceof TypeError || error instanceof ReferenceError) fc.pre(false);
        throw error;
      }
    },
  };
}

/** A random change may make a schema that is none. */
const META = new Ajv2020({ validateFormats: false });

const ROOT = '/components/schemas/Root';

function compared(before: Json, after: Json, others: JsonObject = {}) {
  const sides = { before: sideOf({ Root: before, ...others }), after: sideOf({ Root: after, ...others }) };
  return { sides, ...createCompare(sides.before, sides.after)([ROOT], [ROOT]) };
}

const number = fc.integer({ min: -1, max: 3 });
const count = fc.integer({ min: 0, max: 3 });
const name = fc.constantFrom('a', 'b', 'x-1');
const pattern = fc.constantFrom('^x', '^[ab]+$', '1$');
const text = fc.constantFrom('', 'a', 'b', 'ab', 'x-1', 'x', '2025-01-01', '1');
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    ...[fc.constantFrom<Json[]>(null, true, false), number, fc.constantFrom(0.5, 1.5, 4), text],
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }),
  ),
}));
const type = fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object');
const { schema } = fc.letrec<{ schema: Json }>((tie) => {
  const one = tie('schema');
  const list = fc.array(one, { minLength: 1, maxLength: 3 });
  const record = (words: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Json> =>
    fc.record(words, { requiredKeys: [] }) as fc.Arbitrary<Json>;
  const of = (name: string, words: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Json> =>
    fc.tuple(fc.boolean(), record(words)).map(([typed, all]) => ({ ...(typed && { type: name }), ...(all as object) }));
  return {
    schema: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      fc.constantFrom<Json[]>(true, false, {}, { $ref: '#/components/schemas/Tree' }),
      record({ type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })) }),
      record({ enum: fc.array(value, { minLength: 1, maxLength: 3 }) }),
      record({ const: value }),
      of('number', {
        ...{ minimum: number, maximum: number, exclusiveMinimum: number, exclusiveMaximum: number },
        multipleOf: fc.constantFrom(0.5, 1, 2, 3, 4),
      }),
      of('string', {
        ...{ minLength: count, maxLength: count, pattern },
        format: fc.constantFrom('date', 'uri', 'uri-reference', 'password', 'int32'),
      }),
      of('array', {
        ...{ items: one, prefixItems: list, unevaluatedItems: one, minItems: count, maxItems: count },
        ...{ uniqueItems: fc.boolean(), contains: one, minContains: count, maxContains: count },
      }),
      of('object', {
        ...{ properties: fc.dictionary(name, one, { maxKeys: 3 }), additionalProperties: one },
        patternProperties: fc.dictionary(pattern, one, { maxKeys: 2 }),
        ...{ unevaluatedProperties: one, propertyNames: one, minProperties: count, maxProperties: count },
        required: fc.uniqueArray(name, { maxLength: 2 }),
        dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), { maxKeys: 1 }),
        dependentSchemas: fc.dictionary(name, one, { maxKeys: 1 }),
      }),
      record({ allOf: list, anyOf: list, oneOf: list, not: one }),
      record(Object.fromEntries(['if', 'then', 'else', 'contains'].map((word) => [word, one]))),
    ),
  };
});

/** The schema, with one random part replaced, removed or added. */
function changed(whole: Json, seed: number, part: Json): Json {
  const places: ((by: (node: Json) => Json) => Json)[] = [];
  const visit = (node: Json, put: (by: Json) => Json): void => {
    places.push((by) => put(by(node)));
    if (typeof node !== 'object' || node === null) return;
    for (const [key, child] of Object.entries(node) as [string, Json][]) {
      visit(child, (by) => put(Array.isArray(node) ? node.with(Number(key), by) : { ...(node as object), [key]: by }));
      if (!Array.isArray(node))
        places.push(() => put(Object.fromEntries(Object.entries(node).filter(([k]) => k !== key))));
    }
  };
  visit(whole, (by) => by);
  const isObject = (node: Json): node is JsonObject =>
    typeof node === 'object' && node !== null && !Array.isArray(node);
  return places[seed % places.length]?.((node) => {
    if (typeof node === 'number') return Math.max(0, node + (seed % 2 === 0 ? 1 : -1));
    return isObject(node) && isObject(part)
      ? { ...node, ...part }
      : isObject(node) || typeof node === 'boolean'
        ? part
        : node;
  }) as Json;
}

/** Dictionaries without a prototype do not occur in documents. */
const plain = <T>(all: fc.Arbitrary<T>): fc.Arbitrary<T> => all.map((one) => JSON.parse(JSON.stringify(one)) as T);

const TREE: JsonObject = {
  Tree: { type: 'object', properties: { a: { $ref: '#/components/schemas/Tree' }, b: { type: 'integer' } } },
};

test('a comparison never misses that a valid value became invalid, or an invalid one valid', () => {
  const pair = fc
    .tuple(schema, schema, fc.nat(), fc.integer({ min: 0, max: 3 }))
    .map(([one, other, seed, kind]): [Json, Json] => (kind === 0 ? [one, other] : [one, changed(one, seed, other)]));
  const seen = { equal: 0, narrower: 0, wider: 0, both: 0, unknown: 0 };
  fc.assert(
    fc.property(plain(pair), plain(fc.array(value, { minLength: 20, maxLength: 20 })), ([before, after], values) => {
      fc.pre(META.validateSchema(after as object) === true);
      const { sides, relation } = compared(before, after, TREE);
      seen[relation] += 1;
      for (const one of values) {
        const [was, is] = [sides.before.accepts(ROOT, one), sides.after.accepts(ROOT, one)];
        if (was && !is) expect(['narrower', 'both', 'unknown']).toContain(relation);
        if (!was && is) expect(['wider', 'both', 'unknown']).toContain(relation);
      }
    }),
    { numRuns: 200 },
  );
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(10);
});

/** The relation, the place and the texts of each difference. */
function found(before: Json, after: Json, others: JsonObject = {}): string[] {
  return compared(before, after, others).differences.map(
    ({ at, relation, expected, actual, isNew }) =>
      `${at}: ${relation}${isNew ? ' (new)' : ''}: ${expected} -> ${actual}`,
  );
}

describe('a comparison names the place and the change of', () => {
  const A = (schema: Json, more: JsonObject = {}): JsonObject => ({
    type: 'object',
    properties: { a: schema },
    ...more,
  });
  const text = (more: JsonObject): JsonObject => ({ type: 'string', ...more });
  const list = (more: JsonObject): JsonObject => ({ type: 'array', ...more });
  const number = (more: JsonObject): JsonObject => ({ type: 'number', ...more });

  test.each<[string, Json, Json, string[]]>([
    ['type', A({ type: 'string' }), A({ type: ['string', 'null'] }), ['/a: wider: string -> string or null']],
    ['type, for whole numbers', { type: 'number' }, { type: 'integer' }, [': narrower: number -> integer']],
    ['enum', A({ enum: ['x', 'y'] }), A({ enum: ['y', 'z'] }), ['/a: both: one of "x", "y" -> one of "y", "z"']],
    ['const', { const: 1 }, { enum: [1, 2] }, [': wider: one of 1 -> one of 1, 2']],
    ['enum against a bound', { enum: [1, 2] }, number({ maximum: 2 }), [': wider: one of 1, 2 -> number']],
    ['minimum', number({ minimum: 1 }), number({ minimum: 2 }), [': narrower: minimum 1 -> minimum 2']],
    [
      'exclusiveMinimum of whole numbers',
      { type: 'integer', exclusiveMinimum: 0 },
      { type: 'integer', minimum: 1 },
      [],
    ],
    [
      'exclusiveMaximum',
      number({ maximum: 2 }),
      number({ exclusiveMaximum: 2 }),
      [': narrower: maximum 2 -> exclusiveMaximum 2'],
    ],
    [
      'multipleOf',
      number({ multipleOf: 0.01 }),
      number({ multipleOf: 0.1 }),
      [': narrower: multipleOf 0.01 -> multipleOf 0.1'],
    ],
    ['maxLength', text({}), text({ maxLength: 3 }), [': narrower: no maxLength -> maxLength 3']],
    ['minLength', text({ minLength: 0 }), text({}), []],
    ['pattern', text({}), text({ pattern: '^a' }), [': narrower: no pattern -> pattern ^a']],
    ['two patterns', text({ pattern: '^b' }), text({ pattern: '^a' }), [': unknown: pattern ^b -> pattern ^a']],
    ['format', text({ format: 'date' }), text({}), [': wider: format date -> no format']],
    [
      'format of numbers',
      { type: 'integer', format: 'int32' },
      { type: 'integer', format: 'int64' },
      [': wider: format int32 -> format int64'],
    ],
    ['a format that is an annotation', text({}), text({ format: 'password' }), []],
    [
      'items',
      list({ items: { type: 'string' } }),
      list({ items: { type: 'integer' } }),
      ['/*: both: string -> integer'],
    ],
    ['prefixItems', list({ prefixItems: [{ type: 'string' }] }), list({}), ['/*: wider: string -> any value']],
    [
      'unevaluatedItems',
      list({ prefixItems: [true] }),
      list({ prefixItems: [true], unevaluatedItems: false }),
      ['/*: narrower: any value -> no value'],
    ],
    ['maxItems', list({ maxItems: 1 }), list({ maxItems: 2 }), [': wider: maxItems 1 -> maxItems 2']],
    ['uniqueItems', list({}), list({ uniqueItems: true }), [': narrower: any items -> different items']],
    ['contains', list({}), list({ contains: { const: 1 } }), [': narrower: contains -> another contains']],
    [
      'minContains',
      list({ contains: { const: 1 } }),
      list({ contains: { const: 1 }, minContains: 2 }),
      [': narrower: minContains 1 -> minContains 2'],
    ],
    [
      'maxContains',
      list({ contains: { const: 1 } }),
      list({ contains: { const: 1 }, maxContains: 2 }),
      [': unknown: contains -> another contains'],
    ],
    ['required', A(true), A(true, { required: ['a'] }), ['/a: narrower: optional -> required']],
    [
      'a new member',
      A(true),
      A(true, { properties: { a: true, b: { type: 'string' } } }),
      ['/b: narrower (new): any value -> string'],
    ],
    [
      'a new required member',
      A(true),
      A(true, { properties: { a: true, b: { type: 'string' } }, required: ['b'] }),
      ['/b: narrower: optional, any value -> required, string'],
    ],
    [
      'additionalProperties',
      A(true),
      A(true, { additionalProperties: false }),
      ['/*: narrower: any value -> no value'],
    ],
    [
      'unevaluatedProperties',
      { allOf: [A(true)], unevaluatedProperties: false },
      { allOf: [A(true)], unevaluatedProperties: { type: 'string' } },
      ['/*: wider: no value -> string'],
    ],
    [
      'unevaluatedProperties beside branches',
      { anyOf: [A(true)], unevaluatedProperties: false },
      { anyOf: [A(true)], unevaluatedProperties: true },
      [': unknown: unevaluatedProperties -> another unevaluatedProperties'],
    ],
    [
      'patternProperties',
      { type: 'object' },
      { type: 'object', patternProperties: { '^x': { type: 'string' } } },
      ['/*: narrower: any value -> string'],
    ],
    [
      'patterns that may overlap',
      { type: 'object', patternProperties: { '^x': true }, additionalProperties: false },
      { type: 'object', patternProperties: { '^x': true, '1$': { type: 'string' } }, additionalProperties: false },
      [': unknown: patternProperties -> another patternProperties', '/*: wider: no value -> string'],
    ],
    [
      'propertyNames',
      A(true),
      A(true, { propertyNames: { maxLength: 2 } }),
      [': narrower: propertyNames -> another propertyNames'],
    ],
    ['maxProperties', A(true), A(true, { maxProperties: 1 }), [': narrower: no maxProperties -> maxProperties 1']],
    [
      'dependentRequired',
      A(true),
      A(true, { dependentRequired: { a: ['b'] } }),
      [': narrower: dependentRequired -> another dependentRequired'],
    ],
    [
      'dependentSchemas',
      A(true, { dependentSchemas: { a: { required: ['b'] } } }),
      A(true),
      [': wider: dependentSchemas -> another dependentSchemas'],
    ],
    ['not', text({}), text({ not: { const: 'x' } }), [': narrower: not -> another not']],
    [
      'a narrower not',
      text({ not: { enum: ['x', 'y'] } }),
      text({ not: { const: 'x' } }),
      [': wider: not -> another not'],
    ],
    [
      'then',
      text({ if: { const: 'x' } }),
      text(JSON.parse('{"if":{"const":"x"},"then":{"minLength":2}}')),
      [': narrower: then -> another then'],
    ],
    ['allOf', { allOf: [A({ type: 'string' }), { required: ['a'] }] }, A({ type: 'string' }, { required: ['a'] }), []],
    [
      'a removed branch',
      { anyOf: [{ type: 'string' }, list({})] },
      { type: 'string' },
      [': narrower: string or array -> string'],
    ],
    [
      'one of several branches',
      { anyOf: [A({ const: 'x' }), A({ const: 'y' }, { required: ['a'] })] },
      { anyOf: [A({ const: 'x' }), A({ const: 'y' }, { required: ['a', 'b'] })] },
      ['/b: narrower: optional -> required'],
    ],
    [
      'a branch of an exclusive oneOf',
      { oneOf: [A({ const: 'x' }, { required: ['a'] })] },
      { oneOf: [A({ const: 'x' }, { required: ['a'] }), A({ const: 'y' }, { required: ['a'] })] },
      [': wider: choice of alternatives -> another choice of alternatives'],
    ],
    [
      'a oneOf whose branches overlap',
      { oneOf: [A({ const: 'x' })] },
      { oneOf: [A({ const: 'x' }), { type: 'object', maxProperties: 1 }] },
      [': unknown: object, choice of alternatives -> another object, another choice of alternatives'],
    ],
    ['annotations', text({ title: 'A', default: 'x' }), text({ description: 'B', contentEncoding: 'base64' }), []],
  ])('%s', (_, before, after, wanted) => {
    expect(found(before, after)).toEqual(wanted);
    expect(found(before, before)).toEqual([]);
  });
});

test('recursive schemas are compared once for each way into them', () => {
  const tree = (leaf: string): JsonObject => ({
    type: 'object',
    properties: { leaf: { type: leaf }, next: { $ref: ROOT.replace('/', '#/') } },
  });
  expect(found(tree('string'), tree('string'))).toEqual([]);
  expect(found(tree('string'), tree('integer'))).toEqual(['/leaf: both: string -> integer']);
  const inline = { ...tree('string'), properties: { leaf: { type: 'string' }, next: tree('string') } };
  expect(compared(tree('string'), inline).relation).toBe('equal');
});

test('a schema with very many changes has one difference for the rest', () => {
  const names = Array.from({ length: 600 }, (_, index) => `n${index}`);
  const wide = (type: string): JsonObject => ({
    properties: Object.fromEntries(names.map((name) => [name, { type }])),
  });
  const { differences } = compared(wide('string'), wide('integer'));
  expect(differences.length).toBe(501);
  expect(differences.at(-1)).toMatchObject({ at: '', relation: 'unknown', actual: 'only the first 500' });
});
