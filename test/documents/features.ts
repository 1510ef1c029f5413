import { api } from '../support/api.ts';

/** One-feature documents: each is a base document of one operation with a patch. */
export interface Feature {
  readonly name: string;
  readonly source: string;
  /** Schema of the member `value` in the body that POST /things accepts and returns. */
  readonly schema?: object | boolean;
  /** A value that the schema rejects, or a body of the type. */
  readonly wrong?: unknown;
  readonly type?: string;
  /** Members of the operation instead of that body. */
  readonly operation?: object;
  readonly method?: 'get' | 'post';
  /** The path, and a path with a query that the operation rejects. */
  readonly path?: string;
  readonly bad?: string;
  /** Members of the document. */
  readonly document?: object;
}

type Unsourced = Omit<Feature, 'source'>;

const text = { type: 'string' };
const int = { type: 'integer' };
const list = { type: 'array', items: int };
const a = { type: 'object', required: ['a'], properties: { a: text } };
const b = { type: 'object', required: ['b'], properties: { b: int } };
const kind = (name: string): object => ({
  type: 'object',
  required: ['kind', name],
  properties: { kind: { const: name }, [name]: int },
});
const schemas = {
  Cat: kind('Cat'),
  Dog: kind('Dog'),
  Tree: { type: 'object', properties: { child: { $ref: '#/components/schemas/Tree' }, n: int } },
};
const pets = [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }];
const components = { schemas };
const parent = { ...a, required: ['kind'], properties: { kind: text }, discriminator: { propertyName: 'kind' } };
const children = { schemas: { Pet: parent, Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }, b] } } };
const open = (name: string): object => ({ type: 'object', properties: { [name]: int } });

const ofSchema = (name: string, schema: object | boolean, wrong: unknown, document: object = {}): Unsourced => ({
  name,
  schema,
  wrong,
  document,
});
const good = { responses: { 200: { description: 'Good', content: { 'application/json': { schema: a } } } } };
const ofParameter = (name: string, parameter: object, bad?: string, path = '/things'): Unsourced => ({
  name,
  method: 'get',
  path,
  operation: { parameters: [{ required: true, ...parameter }], ...good },
  ...(bad !== undefined && { bad }),
});
const query = { name: 'q', in: 'query' };
const ofBody = (name: string, type: string, media: object, wrong?: string): Unsourced => ({
  name,
  type,
  wrong,
  operation: { requestBody: { required: true, content: { [type.replace(/;.*/, '')]: media } }, ...good },
});
const ofAnswer = (name: string, response: object, status = '200'): Unsourced => ({
  name,
  method: 'get',
  operation: { responses: { [status]: { description: 'Good', ...response } } },
});
const ofDocument = (name: string, document: object, operation: object = good): Unsourced => ({
  name,
  method: 'get',
  operation,
  document,
});
const secured = (name: string, scheme: object): Unsourced =>
  ofDocument(name, { security: [{ s: [] }], components: { securitySchemes: { s: scheme } } });

/** By source: the section that states what a feature means. */
const BY_SOURCE: Readonly<Record<string, readonly Unsourced[]>> = {
  'JSON Schema 2020-12, Core 4.3.2': [
    ofSchema('true-schema', true, undefined),
    ofSchema('recursive-$ref', { $ref: '#/components/schemas/Tree' }, { child: 1 }, { components }),
    ofSchema(
      '$ref-with-siblings',
      { $ref: '#/components/schemas/Cat', required: ['more'], properties: { more: int } },
      { kind: 'Cat', Cat: 1 },
      { components },
    ),
    ofSchema('$ref-into-$defs', { type: 'array', items: { $ref: '#/components/schemas/D/$defs/I' } }, ['x'], {
      components: { schemas: { D: { $defs: { I: int } } } },
    }),
  ],
  'JSON Schema 2020-12, Core 10.2.1': [
    ofSchema('allOf', { allOf: [a, b] }, { a: 'x' }),
    ofSchema('anyOf', { anyOf: [a, b] }, {}),
    ofSchema('oneOf', { oneOf: [a, { type: 'integer' }] }, true),
    ofSchema('not', { type: 'integer', not: { const: 3 } }, 3),
    ofAnswer('unsatisfiable-schema', { content: { 'application/json': { schema: { type: 'string', not: {} } } } }),
  ],
  'JSON Schema 2020-12, Core 10.2.2': [
    ofSchema(
      'if-then-else',
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { ...a, if: { required: ['a'] }, then: { required: ['b'], properties: { b: int } }, else: {} },
      { a: 'x' },
    ),
    ofSchema('dependentSchemas', { ...a, dependentSchemas: { a: b } }, { a: 'x' }),
  ],
  'JSON Schema 2020-12, Core 10.3.1': [
    ofSchema('prefixItems', { type: 'array', prefixItems: [int, text], minItems: 2 }, ['x', 1]),
    ofSchema('items-false', { type: 'array', prefixItems: [int], items: false }, [1, 2]),
    ofSchema('contains', { type: 'array', items: int, contains: { const: 7 } }, [1]),
  ],
  'JSON Schema 2020-12, Core 10.3.2': [
    ofSchema('additionalProperties-schema', { type: 'object', additionalProperties: int }, { x: 'y' }),
    ofSchema('additionalProperties-false', { ...a, additionalProperties: false }, { a: 'x', b: 1 }),
    ofSchema('patternProperties', { type: 'object', patternProperties: { '^x-': int } }, { 'x-a': 'y' }),
    ofSchema(
      'propertyNames',
      { type: 'object', propertyNames: { pattern: '^[a-z]+$' }, additionalProperties: int },
      { A: 1 },
    ),
  ],
  'JSON Schema 2020-12, Core 11': [
    ofSchema('unevaluatedItems', { type: 'array', prefixItems: [int], unevaluatedItems: false }, [1, 2]),
    ofSchema('unevaluatedProperties', { allOf: [a], unevaluatedProperties: false }, { a: 'x', b: 1 }),
  ],
  'JSON Schema 2020-12, Validation 6.1': [
    ofSchema('const', { const: 'x' }, 'y'),
    ofSchema('enum', { enum: ['x', 2, null] }, 'y'),
    ofSchema('several-types', { type: ['string', 'integer'] }, true),
    ofSchema('null-type', { type: ['string', 'null'] }, 1),
  ],
  'JSON Schema 2020-12, Validation 6.2': [
    ofSchema('exclusiveMinimum', { type: 'integer', exclusiveMinimum: 5 }, 5),
    ofSchema('exclusiveMaximum', { type: 'number', exclusiveMaximum: 0 }, 0),
    ofSchema('multipleOf', { type: 'number', multipleOf: 0.01 }, 0.001),
    ofSchema('minimum-and-maximum', { type: 'integer', minimum: 3, maximum: 4 }, 5),
    ofSchema('maximum-of-decimals', { type: 'number', minimum: 0.1, maximum: 0.2 }, 0.3),
  ],
  'JSON Schema 2020-12, Validation 6.3': [
    ofSchema('minLength-and-maxLength', { type: 'string', minLength: 3, maxLength: 4 }, 'x'),
    ofSchema('pattern', { type: 'string', pattern: '^[A-Z]{3}\\d$' }, 'x'),
    ofSchema('illegal-pattern', { type: 'string', pattern: '(' }, 1),
  ],
  'JSON Schema 2020-12, Validation 6.4': [
    ofSchema('uniqueItems', { type: 'array', items: int, uniqueItems: true, minItems: 2 }, [1, 1]),
    ofSchema('minItems-and-maxItems', { type: 'array', items: int, minItems: 2, maxItems: 3 }, [1]),
    ofSchema('minContains-and-maxContains', { ...list, contains: { const: 7 }, minContains: 2, maxContains: 3 }, [7]),
  ],
  'JSON Schema 2020-12, Validation 6.5': [
    ofSchema('minProperties', { type: 'object', minProperties: 2, additionalProperties: int }, { a: 1 }),
    ofSchema('maxProperties', { type: 'object', maxProperties: 1, additionalProperties: int }, { a: 1, b: 2 }),
    ofSchema('required-without-properties', { type: 'object', required: ['x'] }, {}),
    ofSchema(
      'dependentRequired',
      { ...a, properties: { a: text, b: int }, dependentRequired: { a: ['b'] } },
      { a: 'x' },
    ),
    ofSchema('false-schema', { type: 'object', properties: { x: false } }, { x: 1 }),
  ],
  'JSON Schema 2020-12, Core 6.5': [ofSchema('unknown-keyword', { ...a, minlength: 2 }, {})],
  'JSON Schema 2020-12, Core 7.7': [ofSchema('wrong-keyword-value', { ...a, minProperties: 'x' }, {})],
  'JSON Schema 2020-12, Core 8.2': [],
  'JSON Schema 2020-12, Validation 7.3': [
    ofSchema('date-time', { type: 'string', format: 'date-time' }, 'today'),
    ofSchema('date', { type: 'string', format: 'date' }, '2026-02-30'),
    ofSchema('time', { type: 'string', format: 'time' }, '25:00:00Z'),
    ofSchema('duration', { type: 'string', format: 'duration' }, 'P'),
    ofSchema('email', { type: 'string', format: 'email' }, 'someone'),
    ofSchema('uri', { type: 'string', format: 'uri' }, 'x'),
    ofSchema('ipv4', { type: 'string', format: 'ipv4' }, '1.2.3'),
    ofSchema('uuid', { type: 'string', format: 'uuid' }, 'x'),
    ofSchema('unknown-format', { type: 'string', format: 'iri' }, 1),
  ],
  'JSON Schema 2020-12, Validation 9': [
    ofSchema('default-of-null', { type: ['string', 'null'], default: null }, 1),
    ofSchema('example-of-null', { type: ['string', 'null'], examples: [null] }, 1),
    ofSchema(
      'readOnly',
      { type: 'object', required: ['a', 'id'], properties: { a: text, id: { ...text, readOnly: true } } },
      { id: 'x' },
    ),
    ofSchema(
      'writeOnly',
      { type: 'object', required: ['a', 'pin'], properties: { a: text, pin: { ...text, writeOnly: true } } },
      { a: 'x' },
    ),
  ],
  'OpenAPI 3.0, 4.7.24': [
    ofSchema('nullable-of-3.0', { type: 'string', nullable: true }, 1),
    ofSchema('exclusiveMinimum-of-3.0', { type: 'integer', minimum: 5, exclusiveMinimum: true }, 5),
  ],
  'OpenAPI 3.1, 4.4': [ofSchema('int64', { type: 'integer', format: 'int64' }, 0.5)],
  'OpenAPI 3.1, 4.8.25': [
    ofSchema(
      'discriminator',
      { oneOf: pets, discriminator: { propertyName: 'kind' } },
      { kind: 'Fox' },
      { components },
    ),
    ofSchema(
      'discriminator-mapping',
      { oneOf: pets, discriminator: { propertyName: 'kind', mapping: { Cat: '#/components/schemas/Cat' } } },
      { kind: 'Cat' },
      { components },
    ),
    ofSchema('discriminator-of-children', { $ref: '#/components/schemas/Pet' }, { kind: 1 }, { components: children }),
    ofDocument(
      'oneOf-of-open-objects',
      { components: { schemas: { Cat: open('lives'), Dog: open('barks') } } },
      {
        responses: {
          200: {
            description: 'Good',
            content: {
              'application/json': {
                schema: {
                  oneOf: pets,
                  discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
                },
              },
            },
          },
        },
      },
    ),
  ],
  'OpenAPI 3.1, 4.8.12': [
    ofParameter('query-form-list', { ...query, schema: list }, '/things?q=x'),
    ofParameter('query-form-not-exploded', { ...query, explode: false, schema: list }, '/things?q=1,x'),
    ofParameter('query-form-object', { ...query, schema: b }, '/things?b=x'),
    ofParameter('query-form-object-not-exploded', { ...query, explode: false, schema: b }, '/things?q=b,x'),
    ofParameter(
      'query-spaceDelimited',
      { ...query, style: 'spaceDelimited', explode: false, schema: list },
      '/things?q=x',
    ),
    ofParameter(
      'query-pipeDelimited',
      { ...query, style: 'pipeDelimited', explode: false, schema: list },
      '/things?q=x',
    ),
    ofParameter('query-deepObject', { ...query, style: 'deepObject', schema: b }, '/things?q[b]=x'),
    ofParameter('query-content-JSON', { ...query, content: { 'application/json': { schema: b } } }, '/things?q={}'),
    ofParameter('query-allowReserved', { ...query, allowReserved: true, schema: text }, '/things'),
    ofParameter('query-default', { ...query, required: false, schema: { ...int, default: 3 } }, '/things?q=x'),
    ofParameter('path-simple', { name: 'id', in: 'path', schema: int }, '/things/x', '/things/{id}'),
    ofParameter('path-simple-list', { name: 'id', in: 'path', schema: list }, '/things/1,x', '/things/{id}'),
    ofParameter('path-simple-object', { name: 'id', in: 'path', schema: b }, '/things/b,x', '/things/{id}'),
    ofParameter('path-label', { name: 'id', in: 'path', style: 'label', schema: int }, '/things/5', '/things/{id}'),
    ofParameter(
      'path-label-object',
      { name: 'id', in: 'path', style: 'label', explode: true, schema: b },
      '/things/.b=x',
      '/things/{id}',
    ),
    ofParameter(
      'path-matrix',
      { name: 'id', in: 'path', style: 'matrix', schema: int },
      '/things/;id=x',
      '/things/{id}',
    ),
    ofParameter(
      'path-matrix-object',
      { name: 'id', in: 'path', style: 'matrix', explode: true, schema: b },
      '/things/;b=x',
      '/things/{id}',
    ),
    ofParameter('header', { name: 'X-Id', in: 'header', schema: int }, '/things'),
    ofParameter('header-object', { name: 'X-Id', in: 'header', schema: b }, '/things'),
    ofParameter('cookie', { name: 'id', in: 'cookie', schema: int }, '/things'),
  ],
  'OpenAPI 3.1, 4.8.14': [
    ofBody('JSON-scalar-body', 'application/json', { schema: text }, '1'),
    ofBody('text-body', 'text/plain', { schema: text }),
    ofBody('binary-body', 'application/octet-stream', {}),
  ],
  'OpenAPI 3.1, 4.8.15': [
    ofBody('form', 'application/x-www-form-urlencoded', { schema: b }, 'b=x'),
    ofBody(
      'form-encoding',
      'application/x-www-form-urlencoded',
      { schema: { ...b, properties: { b: list } }, encoding: { b: { explode: false } } },
      'b=1,x',
    ),
    ofBody(
      'multipart-encoding',
      'multipart/form-data; boundary=x',
      {
        schema: { type: 'object', required: ['a'], properties: { a: text, f: { type: 'string', format: 'binary' } } },
        encoding: { f: { contentType: 'image/png' } },
      },
      '--x\r\ncontent-disposition: form-data; name="f"\r\n\r\n1\r\n--x--\r\n',
    ),
  ],
  'OpenAPI 3.1, 4.8.16': [
    ofAnswer('range-2XX', { content: { 'application/json': { schema: a } } }, '2XX'),
    ofAnswer('status-204', {}, '204'),
    ofAnswer('default-response', { content: { 'application/json': { schema: a } } }, 'default'),
  ],
  'OpenAPI 3.1, 4.8.17': [
    ofAnswer('text-answer', { content: { 'text/plain': { schema: text } } }),
    ofAnswer('HTML-answer', { content: { 'text/html': { schema: text } } }),
    ofAnswer('XML-answer', { content: { 'application/xml': { schema: a } } }),
    ofAnswer('media-range-answer', { content: { '*/*': { schema: a } } }),
    ofAnswer('vendor-JSON', { content: { 'application/vnd.x+json': { schema: a } } }),
    ofAnswer('response-header', {
      headers: { 'X-Left': { required: true, schema: int } },
      content: { 'application/json': { schema: a } },
    }),
  ],
  'RFC 9110, 6.6.2 and 8.4': [
    ofAnswer('Content-Encoding-header', {
      headers: { 'Content-Encoding': { required: true, schema: { enum: ['gzip'] } } },
      content: { 'application/json': { schema: a } },
    }),
    ofAnswer('Trailer-header', {
      headers: { Trailer: { schema: { ...text, example: 'X-Sum' } } },
      content: { 'application/json': { schema: a } },
    }),
  ],
  'OpenAPI 3.1, 4.8.8': [
    ofDocument('overlapping-paths', {
      paths: {
        '/things/{id}': {
          get: { operationId: 'one', parameters: [{ name: 'id', in: 'path', required: true, schema: text }], ...good },
        },
        '/things/mine': { get: { operationId: 'mine', ...good } },
      },
    }),
  ],
  'OpenAPI 3.1, 4.8.18': [
    ofDocument(
      'callbacks',
      {},
      {
        callbacks: { done: { '{$request.query.url}': { post: { responses: { 200: { description: 'Good' } } } } } },
        ...good,
      },
    ),
  ],
  'OpenAPI 3.1, 4.8.27': [
    secured('mutualTLS', { type: 'mutualTLS' }),
    secured('openIdConnect', {
      type: 'openIdConnect',
      openIdConnectUrl: 'https://id.example/.well-known/openid-configuration',
    }),
  ],
};

export const FEATURES: readonly Feature[] = Object.entries(BY_SOURCE).flatMap(([source, features]) =>
  features.map((feature) => ({ ...feature, source })),
);

export function documentOf({ schema, operation, method = 'post', path = '/things', document = {} }: Feature): object {
  const { paths = {}, components = {}, ...more } = document as { paths?: object; components?: { schemas?: object } };
  const Thing = { type: 'object', required: ['value'], properties: { value: schema } };
  const schemas = { ...components.schemas, ...(schema !== undefined && { Thing }) };
  const body = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } };
  const echo = { requestBody: { required: true, ...body }, responses: { 200: { description: 'Good', ...body } } };
  const own = { [path]: { [method]: { operationId: 'call', ...(operation ?? echo) } } };
  return api({ ...own, ...paths }, { ...more, components: { ...components, schemas } });
}
