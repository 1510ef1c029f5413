import { expect, test } from 'vitest';
import { compilerOf } from '../../src/schema/ajv.ts';
import type { Json, JsonObject } from '../../src/schema/json.ts';
import { make, makeBest } from '../../src/schema/make.ts';
import { numberFor } from '../../src/schema/scalars.ts';
import { contractOf } from '../contract/support.ts';
import { api } from '../support/api.ts';

const int = { type: 'integer' };
const date = { type: 'string', format: 'date' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const cat = { type: 'object', required: ['lives'], properties: { lives: int } };
const tree = { required: ['a'], properties: { a: { const: 1 }, trees: { type: 'array', items: ref('tree') } } };
const parent = {
  type: 'object',
  required: ['kind'],
  properties: { kind: { type: 'string' } },
  discriminator: { propertyName: 'kind' },
};
const members = { id: { readOnly: true, ...int }, secret: { writeOnly: true, const: 1 } };

/** The text of each format for the seed 0. */
const FORMATS: Readonly<Record<string, string>> = {
  ...{ 'date-time': '2030-01-10T12:00:00Z', date: '2030-01-10', time: '12:00:00Z', duration: 'P1D', byte: '9dc5' },
  ...{
    uuid: '00000000-0000-4000-8000-000000009dc5',
    email: 'someone-9dc5@example.com',
    uri: 'https://example.com/9dc5',
  },
  ...{ 'uri-reference': '/9dc5', 'uri-template': 'https://example.com/9dc5/{id}', url: 'https://example.com/9dc5' },
  ...{ hostname: 'host-9dc5.example.com', ipv4: '192.0.2.1', ipv6: '2001:db8::9dc5', 'json-pointer': '/9dc5' },
  ...{ 'relative-json-pointer': '0', regex: '^9dc5$', other: 'text 9dc5' },
};

const PREFIXES = { type: 'object', patternProperties: { '^S-': { const: 's' }, '^I-': { const: 1 } } };

/** Schemas, each with its sample for the seed 0. */
const SAMPLES: Readonly<Record<string, readonly [JsonObject, Json]>> = {
  values: [{ enum: ['a', 2] }, 'a'],
  'the narrowest bounds': [{ type: 'integer', allOf: [{ minimum: 5, maximum: 9 }], minimum: 7, maximum: 7 }, 7],
  example: [{ type: 'string', examples: [1, 'x'], default: 'y' }, 'x'],
  longExample: [{ type: 'string', examples: ['long', 'é😀'], maxLength: 2 }, 'é😀'],
  edgeExample: [{ type: 'integer', examples: [3, 9, 5], exclusiveMinimum: 3, exclusiveMaximum: 9 }, 5],
  wrongExample: [{ type: 'number', example: 1, minimum: 2, default: 5 }, 5],
  nullExample: [{ type: ['string', 'null'], example: null }, null],
  nullDefault: [{ type: 'string', nullable: true, default: null }, null],
  untypedExample: [{ example: 'x' }, 'x'],
  number: [{ type: 'number' }, 26.5],
  whole: [{ type: ['integer', 'null'] }, 26],
  between: [{ type: 'integer', minimum: 200, maximum: 210 }, 203],
  below: [{ type: 'integer', exclusiveMaximum: 0 }, -1],
  above: [{ exclusiveMinimum: 200, maximum: 201.5 }, 201.5],
  fraction: [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5],
  steps: [{ type: 'integer', multipleOf: 7, minimum: 100 }, 119],
  text: [{ type: 'string' }, 'text 9dc5'],
  short: [{ type: 'string', maxLength: 2 }, 'te'],
  long: [{ minLength: 12 }, 'text 9dc5...'],
  pattern: [{ type: 'string', pattern: String.raw`^[A-Z]{3}-\d+$`, minLength: 8 }, 'MWK-7918'],
  list: [{ items: { type: 'boolean' }, minItems: 3 }, [true, false, true]],

  different: [{ items: date, minItems: 2 }, ['2030-01-01', '2030-01-02']],
  tuple: [{ prefixItems: [{ const: 1 }], items: { const: 2 }, minItems: 2 }, [1, 2]],
  others: [
    { required: ['z'], additionalProperties: { const: 9 } },
    { z: 9, key1: 9 },
  ],
  fewest: [{ properties: { a: { const: 1 } }, minProperties: 1 }, { a: 1 }],
  contains: [{ type: 'array', contains: { const: 4 } }, [4]],
  containsTwo: [{ items: int, contains: { minimum: 5 }, minContains: 2, uniqueItems: true }, [73, 74]],

  names: [{ type: 'object', propertyNames: { pattern: '^k\\d$' }, additionalProperties: { const: 1 } }, { k3: 1 }],
  dependents: [
    { required: ['a'], properties: { a: int, c: int }, dependentRequired: { a: ['b'], b: ['c'], x: ['y'] } },
    { a: 5, c: 25, b: null },
  ],
  prefixes: [
    { ...PREFIXES, additionalProperties: false, minProperties: 4 },
    { 'S-': 's', 'S-1': 's', 'I-': 1, 'I-1': 1 },
  ],
  patterns: [{ type: 'object', patternProperties: { '^x-': { const: 1 } } }, { 'x-': 1 }],

  both: [{ allOf: [{ properties: { a: { type: 'number' } } }, { required: ['a'], properties: { a: int } }] }, { a: 5 }],
  choice: [{ oneOf: [{ type: 'string', maxLength: 1 }, cat] }, 't'],
  cat: [cat, { lives: 31 }],
  pet: [
    {
      ...{ required: ['kind'], properties: { kind: { type: 'string' } }, oneOf: [ref('cat'), { type: 'null' }] },
      discriminator: { propertyName: 'kind', mapping: { meow: '#/components/schemas/cat' } },
    },
    { lives: 31, kind: 'meow' },
  ],
  parent: [parent, { kind: 'dog', barks: true }],
  dog: [{ allOf: [ref('parent'), { properties: { barks: { type: 'boolean' } } }] }, { kind: 'dog', barks: true }],
  wolf: [{ allOf: [ref('dog')] }, { kind: 'wolf', barks: true }],
  mappedParent: [
    { ...parent, discriminator: { propertyName: 'kind', mapping: { woof: 'dog' } } },
    { kind: 'woof', barks: true },
  ],
  childless: [
    { ...parent, properties: { ...parent.properties, id: { const: 1 } } },
    { kind: 'childless', id: 1 },
  ],
  tree: [tree, { a: 1, trees: [{ a: 1, trees: [{ a: 1, trees: [{ a: 1 }] }] }] }],
  ways: [
    { required: ['id', 'secret'], properties: members },
    { id: 40, secret: 1 },
  ],
  ...Object.fromEntries(Object.entries(FORMATS).map(([format, text]) => [format, [{ type: 'string', format }, text]])),
};

async function invented() {
  const schemas = Object.fromEntries(Object.entries(SAMPLES).map(([name, [schema]]) => [name, schema]));
  const contract = await contractOf(api({}, { components: { schemas } }));
  return { contract, pointer: (name: string): string => `/components/schemas/${name}` };
}

test('a schema accepts its samples, which are the same for a seed', async () => {
  const { contract, pointer } = await invented();
  const compile = compilerOf(contract.document);
  for (const [name, [, value]] of Object.entries(SAMPLES)) {
    expect(make(contract, pointer(name), { seed: 0 }), name).toEqual(value);
    for (const options of [{ seed: 1 }, { seed: 77 }, { seed: 4096, bare: true }])
      expect(compile(pointer(name))(make(contract, pointer(name), options)), name).toBe(true);
  }
});

test('a sample for one direction leaves out what only the other has, and a bare one what is optional', async () => {
  const { contract, pointer } = await invented();
  const sample = (name: string, options: object) => make(contract, pointer(name), { seed: 0, ...options });
  expect(sample('ways', { direction: 'request' })).toEqual({ secret: 1 });
  expect(sample('ways', { direction: 'response' })).toEqual({ id: 40 });
  expect(['tree', 'fewest', 'others', 'both'].map((name) => sample(name, { bare: true }))).toEqual([
    ...[{ a: 1 }, { a: 1 }, { z: 9 }, { a: 5 }],
  ]);
});

test.each<[name: string, example: Json, completed: Json]>([
  ['number', 'seven', 26.5],
  ['between', 500, 203],
  ['pattern', 'abc', 'MWK-7918'],
  ['cat', {}, { lives: 31 }],
  ['cat', { lives: 'nine', name: 'Tom' }, { lives: 31, name: 'Tom' }],
  ['list', [true, 1, 'x'], [true, true, true]],
  ['list', { items: [true], total: 1 }, [true]],
  ['list', { a: [true], b: [] }, [true, false, true]],
  ['tree', [{ a: 1 }], { trees: [{ a: 1 }], a: 1 }],
  ['tree', [{ b: 1 }], { a: 1, trees: [{ a: 1, trees: [{ a: 1, trees: [{ a: 1 }] }] }] }],
])('an example of %s, %j, keeps what the schema accepts: %j', async (name, example, completed) => {
  const { contract, pointer } = await invented();
  expect(make(contract, pointer(name), { seed: 0, like: example })).toEqual(completed);
});

test.each([
  [0.1, 0.25, 0.35, 0.3],
  [0.01, 19.985, 19.995, 19.99],
  [1e-8, 0, 1e-7, 0],
])('a multiple of %d from %d to %d is the decimal %d', (multipleOf, minimum, maximum, value) => {
  expect(numberFor(new Map(Object.entries({ multipleOf, minimum, maximum })), 'number', 0)).toBe(value);
});

test('if two branches fit a value, it has the word of its branch, and the fault says so', async () => {
  const mapping = { first: '#/components/schemas/A', second: '#/components/schemas/B' };
  const open = { oneOf: [ref('A'), ref('B')], discriminator: { propertyName: 'kind', mapping } };
  const schemas = { open, A: { properties: { a: int } }, B: { properties: { b: int } } };
  const contract = await contractOf(api({}, { components: { schemas } }));
  const judge = compilerOf(contract.document)('/components/schemas/open');
  expect(makeBest(contract, '/components/schemas/open', { seed: 0, judge })).toEqual({
    value: { a: 5, kind: 'first' },
    fault: 'the value must match exactly one schema in oneOf',
  });
});

test.each<[name: string, schema: JsonObject, form: RegExp]>([
  ['first_name', { type: 'string' }, /^[A-Z][a-z]+$/],
  ['contactEmail', { type: 'string' }, /^[a-z]+\.[0-9a-f]{4}@example\.com$/],
  ['mobilePhone', { type: 'string', pattern: String.raw`^\+\d{6,14}$` }, /^\+442079460\d{3}$/],
  ['country', { type: 'string' }, /^[A-Z][a-z]+$/],
  ['country', { type: 'string', maxLength: 2 }, /^(?:DE|FR|GB|PT|SE)$/],
  ['countryCode', { type: 'string', minLength: 3 }, /^(?:DEU|FRA|GBR|PRT|SWE)$/],
  ['dateOfBirth', { type: 'string', format: 'date' }, /^19\d\d-\d\d-\d\d$/],
  ['createdAt', { type: 'string' }, /^2030-01-\d\dT12:00:00Z$/],
  ['price', { type: 'string' }, /^\d{3}\.\d\d$/],
  ['unitPrice', { type: 'number' }, /^\d+\.\d\d?$/],
  ['price', { type: 'number', maximum: 1 }, /^1$/],
  ['city', { type: 'string', example: 'Visby' }, /^Visby$/],
  ['city', { enum: ['Umeå'] }, /^Umeå$/],
  ['city', { type: 'string', pattern: '^[a-z]$' }, /^[a-z]$/],
  ['name', { type: 'string', maxLength: 3 }, /^nam$/],
  ['status', { type: 'string' }, /^status [0-9a-f]{4}$/],
])('%s by %j has a value like %s', async (name, schema, form) => {
  const contract = await contractOf(
    api({}, { components: { schemas: { record: { properties: { [name]: schema } } } } }),
  );
  for (const seed of [0, 1, 2, 77]) {
    const value = make(contract, '/components/schemas/record', { seed }) as JsonObject;
    expect(String(value[name])).toMatch(form);
  }
});

test('a member is named with the object around it, and the items of a list differ', async () => {
  const item = {
    type: 'object',
    properties: { country: { type: 'object', properties: { code: { type: 'string' } } } },
  };
  const schema = { type: 'array', minItems: 5, uniqueItems: true, items: item };
  const contract = await contractOf(api({}, { components: { schemas: { list: schema } } }));
  const codes = (make(contract, '/components/schemas/list', { seed: 3 }) as JsonObject[]).map(
    ({ country }) => (country as JsonObject).code,
  );
  expect(codes.toSorted()).toEqual(['DE', 'FR', 'GB', 'PT', 'SE']);
});
