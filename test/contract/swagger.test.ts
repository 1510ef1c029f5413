import { join } from 'node:path';
import { expect, test } from 'vitest';
import { documentFolder } from '../../src/contract/document-folder.ts';
import { lintContract } from '../../src/contract/lint/lint.ts';
import { loadContract } from '../../src/contract/load.ts';
import { resolve } from '../../src/schema/resolve.ts';
import { failure, folderWith } from './support.ts';

const HEAD = { swagger: '2.0', info: { title: 'T', version: '1' } };
const ok = { 200: { description: 'Good' } };

async function load(document: object, files: Readonly<Record<string, string>> = {}) {
  const dir = await folderWith({ 'api.json': JSON.stringify(document, null, 1), ...files });
  return loadContract({ folder: documentFolder(join(dir, 'api.json')) });
}

/** The contract of one operation, `POST /things`. */
const posting = (operation: object, document: object = {}, item: object = {}) =>
  load({ ...HEAD, ...document, paths: { '/things': { ...item, post: { responses: ok, ...operation } } } });
const POST = '/paths/~1things/post';

test('host, base path and schemes become servers', async () => {
  const { document } = await load({ ...HEAD, host: 'api.example', basePath: '/v2', schemes: ['https'], paths: {} });
  expect(document).toMatchObject({ openapi: '3.1.1', servers: [{ url: 'https://api.example/v2' }] });
  expect(document).not.toHaveProperty('swagger');
});

test('a body becomes a request body, even if a shared parameter or the path states it', async () => {
  const body = { in: 'body', name: 'thing', required: true, schema: { $ref: '#/definitions/Thing' } };
  const shared = {
    consumes: ['application/vnd.thing+json'],
    definitions: { Thing: { type: 'object', properties: { example: { type: 'string' } } } },
    parameters: { Body: body, Page: { in: 'query', name: 'page', type: 'integer', maximum: 9 } },
  };
  const byReference = [{ $ref: '#/parameters/Body' }, { $ref: '#/parameters/Page' }];
  for (const contract of [
    await posting({ parameters: byReference }, shared),
    await posting({ parameters: [{ $ref: '#/parameters/Page' }] }, shared, { parameters: [body] }),
  ]) {
    const operation = contract.operations[0];
    expect(operation?.requestBody).toMatchObject({
      required: true,
      content: [{ type: 'application/vnd.thing+json', schema: { $ref: '#/components/schemas/Thing' } }],
    });
    expect(operation?.parameters).toMatchObject([{ name: 'page', schema: { type: 'integer', maximum: 9 } }]);
  }
});

test('fields of a form keep their constraints and list formats', async () => {
  const field = { in: 'formData', name: 'tags', type: 'array', items: { type: 'string' }, maxItems: 3 };
  const contract = await posting({
    consumes: ['application/x-www-form-urlencoded'],
    parameters: [
      { ...field, required: true, collectionFormat: 'multi' },
      { in: 'formData', name: 'kind', enum: ['a'], type: 'string' },
    ],
  });
  expect(contract.at(`${POST}/requestBody`)).toEqual({
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: {
          type: 'object',
          required: ['tags'],
          properties: {
            tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
            kind: { type: 'string', enum: ['a'] },
          },
        },
        encoding: { tags: { style: 'form', explode: true } },
      },
    },
  });
  const upload = await posting({ parameters: [{ in: 'formData', name: 'file', type: 'file' }] });
  expect(upload.at(`${POST}/requestBody/content`)).toEqual({
    'multipart/form-data': { schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } } } },
  });
});

test('an answer gets the types of its operation, its examples and its headers', async () => {
  const schema = { type: 'string', discriminator: 'kind' };
  const contract = await posting(
    {
      produces: ['text/csv'],
      responses: {
        200: { description: 'D', schema, examples: { 'text/csv': 'a;b' }, headers: { 'X-Rate': { type: 'integer' } } },
        404: { $ref: '#/responses/Missing' },
      },
    },
    { produces: ['application/json'], responses: { Missing: { description: 'Missing', schema: { type: 'object' } } } },
  );
  expect(contract.at(`${POST}/responses/200`)).toEqual({
    description: 'D',
    headers: { 'X-Rate': { schema: { type: 'integer' } } },
    content: { 'text/csv': { schema: { type: 'string', discriminator: { propertyName: 'kind' } }, example: 'a;b' } },
  });
  expect(contract.operations[0]?.responses[1]?.content).toMatchObject([{ type: 'application/json' }]);
});

test('lists in a query are serialized as their collection format states', async () => {
  const list = (name: string, collectionFormat?: string) => ({
    ...{ in: 'query', name, type: 'array', items: { type: 'string' } },
    ...(collectionFormat && { collectionFormat }),
  });
  const contract = await posting({ parameters: [list('a'), list('b', 'multi'), list('c', 'pipes')] });
  expect(contract.operations[0]?.parameters.map(({ style }) => style)).toEqual([
    { name: 'form', explode: false },
    { name: 'form', explode: true },
    { name: 'pipeDelimited', explode: false },
  ]);
});

test('security schemes are converted, and a token endpoint is found', async () => {
  const securityDefinitions = {
    basic: { type: 'basic' },
    oauth: { type: 'oauth2', flow: 'application', tokenUrl: 'https://api.example/token', scopes: {} },
  };
  const contract = await posting({ security: [{ oauth: [] }] }, { host: 'api.example', securityDefinitions });
  expect(contract.at('/components/securitySchemes/basic')).toEqual({ type: 'http', scheme: 'basic' });
  expect(contract.token).toMatchObject({ operationId: 'issueToken' });
});

test('places lead to the lines of the original', async () => {
  const contract = await posting(
    {},
    { definitions: { Thing: { type: 'object', properties: { id: { type: 'string' } } } } },
  );
  const place = contract.placeOf('/components/schemas/Thing/properties/id');
  expect(place).toMatchObject({ file: 'api.json', line: 11 });
});

test('a part in another file is converted, too', async () => {
  const responses = { 200: { description: 'D', schema: { $ref: 'parts.yaml#/definitions/Thing' } } };
  const contract = await load(
    { ...HEAD, paths: { '/a': { get: { responses } } } },
    {
      'parts.yaml': 'definitions:\n  Thing: { type: object, properties: { next: { $ref: "#/definitions/Thing" } } }\n',
    },
  );
  expect(contract.notices).toEqual([]);
  expect(contract.operations[0]?.responses[0]?.content[0]?.schema).toMatchObject({ type: 'object' });
});

test('another version of Swagger is refused with its place', async () => {
  const dir = await folderWith({ 'api.yaml': 'info: {}\nswagger: "1.2"\n' });
  const refused = failure(loadContract({ folder: documentFolder(join(dir, 'api.yaml')) }));
  expect(await refused).toMatchObject({
    code: 'spec-invalid',
    place: { line: 2 },
    hint: expect.stringContaining("'2.0'"),
  });
});

test('versions that are numbers are read as text, with a remark each', async () => {
  const dir = await folderWith({ 'api.yaml': 'swagger: 2.0\ninfo: { title: 7, version: 1.5 }\npaths: {}\n' });
  const { document, notices } = await loadContract({ folder: documentFolder(join(dir, 'api.yaml')) });
  expect(document.info).toEqual({ title: '7', version: '1.5' });
  expect(notices).toMatchObject([
    { code: 'keyword-invalid', message: 'swagger must be a string.', place: { line: 1 } },
    { code: 'keyword-invalid', message: 'info.title must be a string.', place: { line: 2, column: 16 } },
    { code: 'keyword-invalid', message: 'info.version must be a string.', place: { line: 2 } },
  ]);
});

test('names that OpenAPI 3 forbids are replaced, each by another name', async () => {
  const names = ['Page«Bird»', 'Page<Bird>', 'Page_Bird_', 'Map/Bird'];
  const definitions = Object.fromEntries(names.map((name) => [name, { type: 'object', title: name }]));
  const refs = ['Page«Bird»', 'Page%3CBird%3E', 'Page_Bird_', 'Map~1Bird', encodeURIComponent('Page«Bird»')];
  const responses = Object.fromEntries(
    refs.map((ref, index) => [200 + index, { description: 'D', schema: { $ref: `#/definitions/${ref}` } }]),
  );
  const contract = await load({
    ...HEAD,
    definitions,
    paths: { '/birds': { get: { operationId: 'list', responses } } },
  });
  expect(Object.keys(contract.at('/components/schemas') as object)).toEqual([
    'Page_Bird_2',
    'Page_Bird_3',
    'Page_Bird_',
    'Map_Bird',
  ]);
  const titles = contract
    .operation('list')
    ?.responses.map(({ content: [media] }) => resolve(contract, `${media?.pointer}/schema`).node);
  expect(titles).toEqual([...names, names[0]].map((title) => ({ type: 'object', title })));
  expect((await lintContract(contract)).filter(({ severity }) => severity === 'error')).toEqual([]);
});
