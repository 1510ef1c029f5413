import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/load.ts';
import { compileSchemas } from '../../src/generate/collector.ts';
import { compiledSchemas } from '../../src/generate/predicates.ts';
import { compilable, exact } from '../../src/generate/schemas.ts';
import { schemasOf } from '../../src/generate/validators.ts';
import type { Compiled } from '../../src/validators/light.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PERSON: JsonObject = {
  type: 'object',
  required: ['name', 'constructor'],
  properties: {
    name: { type: 'string', minLength: 2, maxLength: 3, pattern: '^[^x]' },
    age: { type: ['integer', 'null'], minimum: 0, maximum: 150 },
    friends: { type: 'array', items: { $ref: 'person' } },
    kind: { enum: ['dog', 1, null] },
    toString: { const: true },
  },
};

/** Each supported keyword, with and without its type, and schemas that the collector judges. */
const INVENTED: Readonly<Record<string, JsonObject>> = {
  person: PERSON,
  untyped: {
    required: ['name'],
    properties: { age: false, name: true },
    maxLength: 2,
    maximum: 3,
    items: { const: 1 },
  },
  either: { anyOf: [{ $ref: 'person' }, { properties: { age: { type: 'string', format: 'date-time' } } }] },
  both: { allOf: [{ type: ['object', 'array'] }, { properties: { age: { type: 'number' } } }] },
  closed: { type: 'object', properties: { name: {}, age: {} }, additionalProperties: false },
  collected: { type: 'object', not: { required: ['name'] }, properties: { age: { multipleOf: 2 } } },
};

const contract = await loadContract();
const own = schemasOf(contract);
const schemas: Record<string, JsonObject> = { ...INVENTED };
for (const [place, { schema }] of own.entries()) {
  schemas[`own${place}`] = compilable(schema, own);
  schemas[`closed${place}`] = exact(compilable(schema, own));
}

async function compiledModule(): Promise<Readonly<Record<string, Compiled>>> {
  const formats = "const FORMATS = { 'date-time': (text) => text.endsWith('Z') };";
  const file = join(await temporaryFolder(), 'compiled.mjs');
  const code = await compileSchemas(schemas, (name) => expect.unreachable(name));
  await writeFile(file, `${formats}\n${code}\nexport { ${Object.keys(schemas).join()} };`);
  return import(pathToFileURL(file).href);
}

const compiled = await compiledModule();

function collected({ collect }: Compiled, value: unknown): boolean | 'throws' {
  try {
    return collect(value);
  } catch {
    return 'throws';
  }
}

const TEXTS = ['', 'x', 'ab', 'abc', '😀😀😀', '😀😀😀😀', 'bearer', 'dog', '2024-02-28T10:00:00Z'];
const NUMBERS = [0, -1, 1, 2, 1.5, 200_000, Number.NaN, Number.POSITIVE_INFINITY];
const leaf = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.constantFrom(...NUMBERS) },
  fc.constantFrom(null, undefined, true, 1n, Symbol.iterator, () => 1),
);

let isJudged = false;

/** Objects of a few known names: plain ones, without a prototype, with an inherited member, and with a getter. */
function anyValue(names: readonly string[]): fc.Arbitrary<unknown> {
  const { value } = fc.letrec<{ value: unknown; object: object }>((tie) => {
    const members = fc
      .uniqueArray(fc.constantFrom(...names), { maxLength: 8 })
      .chain((keys) => fc.record(Object.fromEntries(keys.map((key) => [key, tie('value')]))));
    const prototype = fc.oneof(
      { weight: 6, arbitrary: fc.constant(Object.prototype) },
      fc.constant(null),
      tie('object'),
    );
    const object = fc.tuple(members, prototype).map(([own, parent]): object => {
      return Object.create(parent, Object.getOwnPropertyDescriptors(own));
    });
    const get = () => {
      compiled.collected?.is({ name: 1 });
      if (isJudged) throw new Error('read');
    };
    return {
      object,
      value: fc.oneof(
        { maxDepth: 3 },
        { weight: 6, arbitrary: leaf },
        { weight: 6, arbitrary: object },
        { weight: 1, arbitrary: object.map((whole) => Object.defineProperty(whole, 'age', { get, enumerable: true })) },
        { weight: 1, arbitrary: object.map((target) => new Proxy(target, {})) },
        { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
        { weight: 1, arbitrary: fc.sparseArray(tie('value'), { maxNumElements: 2 }) },
      ),
    };
  });
  return value;
}

function validValue({ type, properties = {}, required = [], pattern = '', ...schema }: JsonObject): unknown {
  if (type === 'array') return [];
  if (type === 'string') return TEXTS.find((text) => new RegExp(`${pattern}`).test(text));
  if (type !== 'object') return schema.const ?? [schema.enum].flat()[0] ?? 1;
  const members = Object.entries(properties as Record<string, JsonObject>);
  const needed = [required].flat().map((name) => [String(name), 1] as const);
  return Object.fromEntries([...needed, ...members.map(([name, member]) => [name, validValue(member)] as const)]);
}

describe('the function that only tells whether a value is valid', () => {
  test.each(Object.keys(schemas))('agrees with the collector of problems: %s', (name) => {
    const { [name]: one } = compiled;
    const { [name]: schema } = schemas;
    if (one === undefined || schema === undefined) throw new Error('not compiled');
    const names = Object.keys((schema.properties ?? PERSON.properties) as JsonObject);
    const any = anyValue([...names, 'constructor', '__proto__', 'other']);
    const valid = validValue(schema) as object;
    const nearlyValid = fc
      .tuple(fc.constantFrom(...names), any)
      .map(([member, value]) => ({ ...valid, [member]: value }));
    const seen = new Set<unknown>();
    fc.assert(
      fc.property(fc.oneof(any, nearlyValid), (value) => {
        isJudged = true;
        const holds = one.is(value);
        const expected = collected(one, value);
        isJudged = false;
        seen.add(expected);
        expect(holds).toBe(expected === 'throws' ? holds : expected);
      }),
      { numRuns: 1_000 },
    );
    expect([...seen]).toEqual(expect.arrayContaining([true, false]));
  });

  test('leaves no problems of a value behind', () => {
    expect(compiled.collected?.is({ name: 'secret' })).toBe(false);
    expect(compiled.collected?.collect.errors).toBeNull();
  });
});

/** What tells whether a value is valid: conditions of its own, or else the collector, which accepts everything here. */
function predicateOf(schema: JsonObject): (value: unknown) => boolean | 'collected' {
  const code = compiledSchemas({ one: schema }).replaceAll('export ', '');
  const collect = Object.assign(() => 'collected', { errors: null });
  const formats = { known: (text: string) => text === 'known' };
  const person = { is: (value: unknown) => value === 'person' };
  return new Function('FORMATS', 'person', 'collect_one', `${code}; return one.is;`)(formats, person, collect);
}

test.each<[schema: JsonObject, valid: unknown[], invalid: unknown[]]>([
  [{}, [1, undefined], []],
  [{ type: 'string' }, [''], [1, null]],
  [{ type: 'boolean' }, [false], [0]],
  [{ type: 'number' }, [1.5], [Number.NaN, '1', Number.POSITIVE_INFINITY]],
  [{ type: ['integer', 'null'] }, [1, null], [1.5, undefined]],
  [{ type: 'array' }, [[]], [{}]],
  [{ type: 'object' }, [{}], [[], null, () => 1]],
  [{ $ref: 'person' }, ['person'], ['dog']],
  [{ enum: ['a', 1, null] }, ['a', 1, null], ['1', 'b']],
  [{ const: 'a"b' }, ['a"b'], ['a']],
  [{ anyOf: [{ const: 1 }, { type: 'string' }] }, [1, 'a'], [2]],
  [{ allOf: [{ type: 'number' }, { minimum: 2 }], maximum: 3 }, [2, 3], [1, 4, '2']],
  [{ minimum: 2, maximum: 2 }, [2, 'a', null], [1.9, 2.1]],
  [{ type: 'integer', minimum: 2 }, [2], [1, 2.5]],
  [{ type: 'string', minLength: 2, maxLength: 3 }, ['ab', '😀😀', '😀😀😀'], ['a', '😀', 'abcd', '😀😀😀😀']],
  [{ minLength: 2 }, [1, 'ab'], ['a']],
  [{ format: 'known' }, ['known', 1], ['other']],
  [{ type: 'string', pattern: '^a', allOf: [{ pattern: 'b$' }] }, ['ab'], ['a', 'b']],
  [{ type: 'array', items: { items: { const: 1 } } }, [[], [1], [[1, 1]]], [[[1, 2]], [[[]]]]],
  [{ items: { type: 'string' } }, ['a', ['a'], { length: 1 }], [[1], new Array(1)]],
  [{ type: 'object', required: ['a', 'b'], properties: { a: {} } }, [{ a: null, b: 1 }], [{ a: 1 }, { b: 1 }, {}]],
  [{ required: ['toString'] }, [{ toString: 1 }, 1, []], [{}]],
  [{ properties: { a: { const: 1 }, toString: false } }, [{ a: 1 }, {}, 'a', Object.create({ a: 2 })], [{ a: 2 }]],
  [{ type: 'object', required: ['a'], properties: { a: { const: 1 } } }, [{ a: 1 }], [{}, Object.create({ a: 1 })]],
  [{ properties: { a: {} }, additionalProperties: false }, [{ a: 1 }, {}], [{ b: 1 }, { a: 1, b: 1 }]],
  [{ type: 'object', additionalProperties: false }, [{}], [{ a: 1 }]],
])('the conditions of %j hold for %j, but not for %j', (schema, valid, invalid) => {
  const holds = predicateOf(schema);
  expect([...valid, ...invalid].map(holds)).toEqual([...valid.map(() => true), ...invalid.map(() => false)]);
});

test.each<[JsonObject]>([
  [{ not: {} }],
  [{ $ref: '#/$defs/Other' }],
  [{ const: [1] }],
  [{ enum: [{}] }],
  [{ type: 'object', properties: { a: { multipleOf: 2 } } }],
  [{ type: 'object', additionalProperties: { type: 'string' } }],
  [{ items: { anyOf: [{ oneOf: [] }] } }],
])('the collector judges %j', (schema) => {
  expect(predicateOf(schema)({})).toBe('collected');
});
