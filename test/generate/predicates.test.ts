import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/contract/contract.ts';
import { loadContract } from '../../src/contract/load.ts';
import { compileSchemas } from '../../src/generate/collector.ts';
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

/** The schema with those that it may need. */
async function compiledModule(name: string): Promise<Readonly<Record<string, Compiled>>> {
  const { person = {}, collected = {}, [name]: own = {} } = schemas;
  const chosen = { person, collected, [name]: own };
  const formats = "const FORMATS = { 'date-time': (text) => text.endsWith('Z') };";
  const file = join(await temporaryFolder(), 'compiled.mjs');
  const code = await compileSchemas(chosen, (failed) => expect.unreachable(failed));
  await writeFile(file, `${formats}\n${code}\nexport { ${Object.keys(chosen).join()} };`);
  return import(pathToFileURL(file).href);
}

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
function anyValue(names: readonly string[], compiled: Readonly<Record<string, Compiled>>): fc.Arbitrary<unknown> {
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
  test.each(Object.keys(schemas))('agrees with the collector of problems: %s', async (name) => {
    const compiled = await compiledModule(name);
    const { [name]: one } = compiled;
    const { [name]: schema } = schemas;
    if (one === undefined || schema === undefined) throw new Error('not compiled');
    const names = Object.keys((schema.properties ?? PERSON.properties) as JsonObject);
    const any = anyValue([...names, 'constructor', '__proto__', 'other'], compiled);
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

  test('leaves no problems of a value behind', async () => {
    const { collected } = await compiledModule('collected');
    expect(collected?.is({ name: 'secret' })).toBe(false);
    expect(collected?.collect.errors).toBeNull();
  });
});
