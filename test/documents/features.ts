/** One-feature documents: each is a base document of one operation with a patch. */
export interface Feature {
  readonly name: string;
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

const text = { type: 'string' };
const int = { type: 'integer' };
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

const ofSchema = (name: string, schema: object | boolean, wrong: unknown, document: object = {}): Feature => ({
  name,
  schema,
  wrong,
  document,
});
const good = { responses: { 200: { description: 'Good', content: { 'application/json': { schema: a } } } } };
const ofParameter = (name: string, parameter: object, bad?: string, path = '/things'): Feature => ({
  name,
  method: 'get',
  path,
  operation: { parameters: [{ required: true, ...parameter }], ...good },
  ...(bad !== undefined && { bad }),
});
const query = { name: 'q', in: 'query' };
const list = { type: 'array', items: int };
const ofBody = (name: string, type: string, media: object, wrong?: string): Feature => ({
  name,
  type,
  wrong,
  operation: { requestBody: { required: true, content: { [type.replace(/;.*/, '')]: media } }, ...good },
});
const ofAnswer = (name: string, response: object, status = '200'): Feature => ({
  name,
  method: 'get',
  operation: { responses: { [status]: { description: 'Good', ...response } } },
});
const ofDocument = (name: string, document: object, operation: object = good): Feature => ({
  name,
  method: 'get',
  operation,
  document,
});
const secured = (name: string, scheme: object): Feature =>
  ofDocument(name, { security: [{ s: [] }], components: { securitySchemes: { s: scheme } } });

export const FEATURES: readonly Feature[] = [
  ofSchema('allOf', { allOf: [a, b] }, { a: 'x' }),
  ofSchema('anyOf', { anyOf: [a, b] }, {}),
  ofSchema('oneOf', { oneOf: [a, { type: 'integer' }] }, true),
  ofSchema('not', { type: 'integer', not: { const: 3 } }, 3),
  ofSchema(
    'if-then-else',
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    { ...a, if: { required: ['a'] }, then: { required: ['b'], properties: { b: int } }, else: {} },
    { a: 'x' },
  ),
  ofSchema('dependentRequired', { ...a, properties: { a: text, b: int }, dependentRequired: { a: ['b'] } }, { a: 'x' }),
  ofSchema('dependentSchemas', { ...a, dependentSchemas: { a: b } }, { a: 'x' }),
  ofSchema('discriminator', { oneOf: pets, discriminator: { propertyName: 'kind' } }, { kind: 'Fox' }, { components }),
  ofSchema(
    'discriminator-mapping',
    { oneOf: pets, discriminator: { propertyName: 'kind', mapping: { Cat: '#/components/schemas/Cat' } } },
    { kind: 'Cat' },
    { components },
  ),
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
  ofSchema('const', { const: 'x' }, 'y'),
  ofSchema('enum', { enum: ['x', 2, null] }, 'y'),
  ofSchema('several-types', { type: ['string', 'integer'] }, true),
  ofSchema('null-type', { type: ['string', 'null'] }, 1),
  ofSchema('nullable-of-3.0', { type: 'string', nullable: true }, 1),
  ofSchema('exclusiveMinimum', { type: 'integer', exclusiveMinimum: 5 }, 5),
  ofSchema('exclusiveMinimum-of-3.0', { type: 'integer', minimum: 5, exclusiveMinimum: true }, 5),
  ofSchema('multipleOf', { type: 'number', multipleOf: 0.01 }, 0.001),
  ofSchema('minimum-and-maximum', { type: 'integer', minimum: 3, maximum: 4 }, 5),
  ofSchema('int64', { type: 'integer', format: 'int64' }, 0.5),
  ofSchema('minLength-and-maxLength', { type: 'string', minLength: 3, maxLength: 4 }, 'x'),
  ofSchema('pattern', { type: 'string', pattern: '^[A-Z]{3}\\d$' }, 'x'),
  ofSchema('illegal-pattern', { type: 'string', pattern: '(' }, 1),
  ofSchema('unknown-format', { type: 'string', format: 'iri' }, 1),
  ofSchema('date-time', { type: 'string', format: 'date-time' }, 'today'),
  ofSchema('uuid', { type: 'string', format: 'uuid' }, 'x'),
  ofBody('JSON-scalar-body', 'application/json', { schema: text }, '1'),
  ofSchema('prefixItems', { type: 'array', prefixItems: [int, text], minItems: 2 }, ['x', 1]),
  ofSchema('contains', { type: 'array', items: int, contains: { const: 7 } }, [1]),
  ofSchema('uniqueItems', { type: 'array', items: int, uniqueItems: true, minItems: 2 }, [1, 1]),
  ofSchema('minItems-and-maxItems', { type: 'array', items: int, minItems: 2, maxItems: 3 }, [1]),
  ofSchema('additionalProperties-schema', { type: 'object', additionalProperties: int }, { x: 'y' }),
  ofSchema('additionalProperties-false', { ...a, additionalProperties: false }, { a: 'x', b: 1 }),
  ofSchema('unevaluatedProperties', { allOf: [a], unevaluatedProperties: false }, { a: 'x', b: 1 }),
  ofSchema('patternProperties', { type: 'object', patternProperties: { '^x-': int } }, { 'x-a': 'y' }),
  ofSchema(
    'propertyNames',
    { type: 'object', propertyNames: { pattern: '^[a-z]+$' }, additionalProperties: int },
    { A: 1 },
  ),
  ofSchema('minProperties', { type: 'object', minProperties: 2, additionalProperties: int }, { a: 1 }),
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
  ofSchema('true-schema', true, undefined),
  ofSchema('unknown-keyword', { ...a, minlength: 2 }, {}),
  ofSchema('wrong-keyword-value', { ...a, minProperties: 'x' }, {}),
  ofParameter('query-form-list', { ...query, schema: list }, '/things?q=x'),
  ofParameter('query-form-not-exploded', { ...query, explode: false, schema: list }, '/things?q=1,x'),
  ofParameter(
    'query-spaceDelimited',
    { ...query, style: 'spaceDelimited', explode: false, schema: list },
    '/things?q=x',
  ),
  ofParameter('query-pipeDelimited', { ...query, style: 'pipeDelimited', explode: false, schema: list }, '/things?q=x'),
  ofParameter('query-deepObject', { ...query, style: 'deepObject', schema: b }, '/things?q[b]=x'),
  ofParameter('query-content-JSON', { ...query, content: { 'application/json': { schema: b } } }, '/things?q={}'),
  ofParameter('query-allowReserved', { ...query, allowReserved: true, schema: text }, '/things'),
  ofParameter('query-default', { ...query, required: false, schema: { ...int, default: 3 } }, '/things?q=x'),
  ofParameter('path-simple', { name: 'id', in: 'path', schema: int }, '/things/x', '/things/{id}'),
  ofParameter('path-label', { name: 'id', in: 'path', style: 'label', schema: int }, '/things/5', '/things/{id}'),
  ofParameter('path-matrix', { name: 'id', in: 'path', style: 'matrix', schema: int }, '/things/;id=x', '/things/{id}'),
  ofParameter('header', { name: 'X-Id', in: 'header', schema: int }, '/things'),
  ofParameter('cookie', { name: 'id', in: 'cookie', schema: int }, '/things'),
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
  ofBody('text-body', 'text/plain', { schema: text }),
  ofBody('binary-body', 'application/octet-stream', {}),
  ofAnswer('range-2XX', { content: { 'application/json': { schema: a } } }, '2XX'),
  ofAnswer('status-204', {}, '204'),
  ofAnswer('default-response', { content: { 'application/json': { schema: a } } }, 'default'),
  ofAnswer('text-answer', { content: { 'text/plain': { schema: text } } }),
  ofAnswer('media-range-answer', { content: { '*/*': { schema: a } } }),
  ofAnswer('vendor-JSON', { content: { 'application/vnd.x+json': { schema: a } } }),
  ofAnswer('response-header', {
    headers: { 'X-Left': { required: true, schema: int } },
    content: { 'application/json': { schema: a } },
  }),
  ofDocument('overlapping-paths', {
    paths: {
      '/things/{id}': {
        get: { operationId: 'one', parameters: [{ name: 'id', in: 'path', required: true, schema: text }], ...good },
      },
      '/things/mine': { get: { operationId: 'mine', ...good } },
    },
  }),
  ofDocument(
    'callbacks',
    {},
    {
      callbacks: { done: { '{$request.query.url}': { post: { responses: { 200: { description: 'Good' } } } } } },
      ...good,
    },
  ),
  secured('mutualTLS', { type: 'mutualTLS' }),
  secured('openIdConnect', {
    type: 'openIdConnect',
    openIdConnectUrl: 'https://id.example/.well-known/openid-configuration',
  }),
];

export function documentOf({ schema, operation, method = 'post', path = '/things', document = {} }: Feature): object {
  const whole = { type: 'object', required: ['value'], properties: { value: schema } };
  const body = { content: { 'application/json': { schema: whole } } };
  const echo = { requestBody: { required: true, ...body }, responses: { 200: { description: 'Good', ...body } } };
  const { paths = {}, ...more } = document as { paths?: object };
  const own = { [path]: { [method]: { operationId: 'call', ...(operation ?? echo) } } };
  return { openapi: '3.1.1', info: { title: 'T', version: '1' }, ...more, paths: { ...own, ...paths } };
}
