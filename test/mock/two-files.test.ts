import { expect, test } from 'vitest';
import type { ContractFolder } from '../../src/contract/folder.ts';
import { lintContract } from '../../src/contract/lint/lint.ts';
import { loadContract } from '../../src/contract/load.ts';
import { startMock } from '../../src/mock/start-mock.ts';
import { verify } from '../../src/run/verify.ts';
import { compilerOf } from '../../src/schema/ajv.ts';
import { documentFor } from '../../src/schema/direction.ts';
import type { JsonObject } from '../../src/schema/json.ts';
import { api, contractFolder } from '../support/api.ts';
import { type LoopbackServer, serveOnLoopback } from '../support/loopback.ts';
import { ask } from './support/ask.ts';
import { basic } from './support/client.ts';

const text = (more: object): object => ({ type: 'string', ...more });
const object = (more: object): object => ({ type: 'object', ...more });
const cat = { $ref: '#/components/schemas/Cat' };
const dog = { $ref: '#/components/schemas/Dog' };

/** Schemas that only a purposely generated value satisfies. */
const SCHEMAS: Readonly<Record<string, object>> = {
  pattern: text({ pattern: '^(?:INV|CRN)-\\d{4}-[A-F]{2,3}$' }),
  lookahead: text({ pattern: '^(?!0000)\\d{4}$' }),
  backreference: text({ pattern: '^([ab])-\\1$' }),
  longText: text({ minLength: 300 }),
  wholeExample: object({ required: ['a'], properties: { a: { type: 'integer' } }, examples: [{ a: 77 }] }),
  listDefault: { type: 'array', items: text({}), default: ['u', 'v'] },
  longPattern: text({ pattern: '^[a-z]+$', minLength: 40, maxLength: 50 }),
  patternAndFormat: text({ pattern: '@example\\.org$', format: 'email', example: 'someone@example.org' }),
  formats: object({
    required: ['a', 'b', 'c', 'd', 'e', 'f'],
    properties: Object.fromEntries(
      ['ipv4', 'ipv6', 'hostname', 'duration', 'byte', 'json-pointer'].map((format, index) => [
        'abcdef'[index],
        text({ format }),
      ]),
    ),
  }),
  tuple: { type: 'array', prefixItems: [{ type: 'integer' }, text({})], minItems: 3, items: { type: 'boolean' } },
  uniqueItems: { type: 'array', minItems: 3, uniqueItems: true, items: object({ properties: { id: text({}) } }) },
  contains: { type: 'array', contains: { const: 'x' } },
  minProperties: object({ minProperties: 3, additionalProperties: { type: 'integer' } }),
  namedProperties: object({ minProperties: 2, propertyNames: { pattern: '^[A-Z]{3}$' }, additionalProperties: true }),
  patternProperties: object({
    required: ['x-first'],
    patternProperties: { '^x-[a-z]+$': { type: 'integer' } },
    additionalProperties: false,
  }),
  discriminator: {
    oneOf: [cat, dog],
    discriminator: { propertyName: 'kind', mapping: { feline: '#/components/schemas/Cat' } },
  },
  secondBranch: { oneOf: [object({ required: ['a'], properties: { a: false } }), { const: 'b' }] },
  largeNumber: { type: 'integer', format: 'int64', minimum: 4_503_599_627_370_496 },
  fraction: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
  multiple: { type: 'number', multipleOf: 0.01, minimum: 7 },
  steps: { type: 'integer', multipleOf: 50, minimum: 120 },
};
const NAMES = Object.keys(SCHEMAS);

const user = object({
  required: ['id', 'name', 'password'],
  properties: {
    id: { type: 'string', readOnly: true, pattern: '^u\\d{6}$' },
    name: text({ minLength: 3 }),
    password: { $ref: '#/components/schemas/Secret' },
  },
});
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const answers = (schema: object): object => ({ responses: { '200': { description: 'Good', ...json(schema) } } });
const OPERATIONS: Readonly<Record<string, object>> = {
  ...Object.fromEntries(
    NAMES.map((name) => [`/${name}`, { get: { operationId: name, ...answers(SCHEMAS[name] ?? {}) } }]),
  ),
  '/users/{userId}': {
    parameters: [{ name: 'userId', in: 'path', required: true, schema: { type: 'string', pattern: '^u\\d{6}$' } }],
    put: { operationId: 'putUser', requestBody: { required: true, ...json(user) }, ...answers(user) },
  },
};

const OAUTH = {
  type: 'oauth2',
  flows: { clientCredentials: { tokenUrl: 'https://api.example/v2/oauth/token', scopes: {} } },
};

/** A contract with only its name and an OpenAPI document. @param mocks files of `mocks/` by name */
function folderOf(paths: object, scheme: object = OAUTH, mocks: object = {}): Promise<ContractFolder> {
  const pet = (kind: string): object =>
    object({ required: ['kind', kind], properties: { kind: text({}), [kind]: text({}) } });
  const schemas = { Cat: pet('purrs'), Dog: pet('barks'), Secret: { type: 'string', writeOnly: true } };
  const document = api(paths, {
    security: [{ only: [] }],
    servers: [{ url: 'https://api.example/v2' }],
    components: { schemas, securitySchemes: { only: scheme } },
  });
  const files = Object.entries(mocks).map(([name, content]) => [`mocks/${name}.yaml`, content] as const);
  return contractFolder(document, Object.fromEntries(files));
}

test('the mock of a two-file folder answers with values that match every schema', async () => {
  await using mock = await startMock({ listen: false, anyToken: true, folder: await folderOf(OPERATIONS) });
  const { document } = await mock.contract();
  const compile = compilerOf(documentFor(document, 'response'));
  for (const name of NAMES) {
    const { status, body } = await ask(mock, 'GET', `/${name}`);
    const check = compile(`/paths/~1${name}/get/responses/200/content/application~1json/schema`);
    expect([name, status, body, check(body), check.errors ?? []]).toEqual([name, 200, body, true, []]);
  }
  expect((await ask(mock, 'GET', '/discriminator')).body.kind).toBe('feline');
  expect((await ask(mock, 'GET', '/wholeExample')).body).toEqual({ a: 77 });
  expect((await ask(mock, 'GET', '/listDefault')).body).toEqual(['u', 'v']);
});

test('a request may omit readOnly members, and no answer shows a writeOnly member', async () => {
  await using mock = await startMock({ listen: false, anyToken: true, folder: await folderOf(OPERATIONS) });
  const put = await ask(mock, 'PUT', '/users/u123456', { name: 'Ada', password: 'x' });
  expect([put.status, Object.keys(put.body as JsonObject)]).toEqual([200, ['id', 'name']]);
  const refused = await ask(mock, 'PUT', '/users/u123456', { name: 'Ada' });
  expect(refused.body.errors).toMatchObject([{ pointer: '/password' }]);
});

test('a warning names the place of a schema that no value satisfies', async () => {
  const never = { type: 'string', pattern: '^a', maxLength: 3, not: {} };
  const folder = await folderOf({ '/never': { get: { operationId: 'never', ...answers(never) } } });
  await using mock = await startMock({ listen: false, anyToken: true, folder });
  const { status, headers } = await mock.fetch('/never', { headers: { authorization: 'Bearer any' } });
  expect(status).toBe(200);
  expect(headers.get('x-mock-warning')).toMatch(
    /^the answer contradicts its schema \(spec\/openapi\.yaml:1\): the value must NOT be valid$/,
  );
});

test('verify agrees with the mock of a two-file folder', async () => {
  const report = await verify({ target: 'mock', folder: await folderOf(OPERATIONS) });
  expect([report.findings, report.verdict]).toEqual([[], 'agrees']);
  const skipped = report.checks.filter(({ outcome }) => outcome !== 'passed').map(({ id }) => id);
  expect(skipped).toEqual([]);
});

const SMALL = { '/things': { get: { operationId: 'listThings', ...answers({ type: 'array' }) } } };

test('the path of a tokenUrl issues tokens, whatever its host', async () => {
  await using mock = await startMock({ listen: false, folder: await folderOf(SMALL) });
  expect((await ask(mock, 'GET', '/things')).status).toBe(401);
  const headers = { authorization: basic('sandbox', 'sandbox-secret') };
  const body = new URLSearchParams({ grant_type: 'client_credentials' });
  const issued = (await (await mock.fetch('/oauth/token', { method: 'POST', headers, body })).json()) as JsonObject;
  const authorization = `Bearer ${String(issued.access_token)}`;
  expect((await ask(mock, 'GET', '/things', undefined, { authorization })).status).toBe(200);
});

test.each<[string, object, Record<string, string>, string?]>([
  ['HTTP Basic', { type: 'http', scheme: 'Basic' }, { authorization: basic('sandbox', 'sandbox-secret') }],
  ['an API key in a header', { type: 'apiKey', in: 'header', name: 'X-Key' }, { 'x-key': 'sandbox-secret' }],
  ['an API key in a cookie', { type: 'apiKey', in: 'cookie', name: 'key' }, { cookie: 'a=b; key=sandbox-secret' }],
  ['an API key in the query', { type: 'apiKey', in: 'query', name: 'key' }, {}, '?key=sandbox-secret'],
  [
    'a bearer token without a token endpoint',
    { type: 'http', scheme: 'bearer' },
    { authorization: 'Bearer sandbox-secret' },
  ],
])('the mock checks %s', async (_, scheme, good, query = '') => {
  const folder = await folderOf(SMALL, scheme);
  await using mock = await startMock({ listen: false, folder });
  const refused = await mock.fetch('/things', {
    headers: { authorization: 'Basic eDp5', 'x-key': 'x', cookie: 'key=x' },
  });
  expect([refused.status, ((await refused.json()) as JsonObject).type]).toEqual([
    401,
    expect.stringMatching(/key-refused$/),
  ]);
  expect(refused.headers.get('www-authenticate')).toMatch(/^(?:Basic|ApiKey|Bearer) realm=/);
  expect((await mock.fetch(`/things${query}`, { headers: good })).status).toBe(200);
  const { verdict, checks } = await verify({ target: 'mock', folder });
  expect([verdict, checks.find(({ id }) => id.startsWith('token.'))?.reason]).toEqual([
    'agrees',
    'not in this contract: no operation issues tokens',
  ]);
});

test.each<[string, object, Record<string, string>, string?]>([
  ['a header', { in: 'header', name: 'X-Shop' }, { 'x-shop': 'production-key' }],
  ['a cookie', { in: 'cookie', name: 'shop' }, { cookie: 'shop=production-key' }],
  ['the query', { in: 'query', name: 'k' }, {}, '?k=production-key'],
])('H4: a strict mock knows an API key in %s, and does not show it', async (_, scheme, headers, query = '') => {
  const folder = await folderOf(SMALL, { type: 'apiKey', ...scheme });
  await using mock = await startMock({ listen: false, anyToken: true, strict: true, folder });
  expect((await mock.fetch(`/things${query}`, { headers })).status).toBe(200);
  for (const path of ['/__mock/journal', '/__mock/journal?format=har', '/__mock/why?seq=1'])
    expect(await (await mock.fetch(path)).text(), path).not.toContain('production-key');
});

test('an optional header is left out if nothing tells its value', async () => {
  const string = { schema: { type: 'string' } };
  const headers = {
    ...{
      ETag: string,
      Link: { schema: { $ref: '#/components/schemas/Secret' } },
      'X-Needed': { ...string, required: true },
    },
    ...{ 'X-Example': { ...string, example: 'v1' }, 'X-Zone': { schema: { enum: ['eu'] } } },
    ...{
      'Last-Modified': { schema: { type: 'string', format: 'date-time' } },
      'X-Left': { schema: { type: 'integer' } },
    },
  };
  const get = { operationId: 'getThing', security: [], responses: { 204: { description: 'D', headers } } };
  await using mock = await startMock({ listen: false, folder: await folderOf({ '/thing': { get } }) });
  const answer = await mock.fetch('/thing');
  const given = Object.keys(headers).filter((name) => answer.headers.has(name));
  expect(given).toEqual(['X-Needed', 'X-Example', 'X-Zone', 'Last-Modified', 'X-Left']);
});

test('the mock reads path parameters with literal or encoded delimiters, and an encoded cookie', async () => {
  const schema = { const: 'blue/x;y' };
  const parameters = [
    { name: 'mp', in: 'path', required: true, style: 'matrix', schema },
    { name: 'c', in: 'cookie', required: true, schema },
  ];
  const get = { operationId: 'getThing', security: [], parameters, responses: { 204: { description: 'D' } } };
  await using mock = await startMock({ listen: false, folder: await folderOf({ '/m/{mp}': { get } }, {}) });
  const headers = { cookie: 'c=blue/x%3By' };
  for (const path of ['/m/;mp=blue%2Fx%3By', '/m/%3Bmp%3Dblue%2Fx%3By'])
    expect((await mock.fetch(path, { headers })).status, path).toBe(204);
});

test('an answer under a range of media types is JSON in the mock, and of any type of the range in a sandbox', async () => {
  const schema = { type: 'array', items: object({ required: ['id'], properties: { id: text({}) } }) };
  const ranged = { responses: { '200': { description: 'Good', content: { '*/*': { schema } } } } };
  const paths = { '/things': { get: { operationId: 'listThings', security: [], ...ranged } } };
  const folder = await folderOf(paths, { type: 'http', scheme: 'basic' });
  for (const engine of ['compiled', 'prism'] as const) {
    await using mock = await startMock({ listen: false, folder, engine });
    const answer = await mock.fetch('/things', { headers: { accept: 'application/json' } });
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toEqual([{ id: expect.any(String) }]);
  }
  for (const [type, body, found] of [
    ['application/json', '[{"id":"a"}]', []],
    ['application/json', '[{"id":1}]', ['type-contradicted']],
    ['text/csv', 'id,a', []],
  ] as const) {
    await using sandbox = await serveOnLoopback((_, response) => {
      response.writeHead(200, { 'content-type': type }).end(body);
    });
    const { findings } = await verify({ target: sandbox.url, folder });
    expect(findings.map(({ rule }) => rule)).toEqual(found);
  }
});

test('M7: HEAD without GET, and a documented OPTIONS, are served, and other methods refused', async () => {
  const empty = { responses: { '204': { description: 'Good' } } };
  const paths = { '/a': { head: { operationId: 'headA', ...empty }, options: { operationId: 'optionsA', ...empty } } };
  await using mock = await startMock({ listen: false, anyToken: true, folder: await folderOf(paths) });
  const answers = ['HEAD', 'OPTIONS', 'GET', 'POST'].map((method) =>
    mock.fetch('/a', { method, headers: { authorization: 'Bearer any' } }),
  );
  expect((await Promise.all(answers)).map(({ status, headers }) => [status, headers.get('allow')])).toEqual([
    ...[204, 204].map((status) => [status, null]),
    ...[405, 405].map((status) => [status, 'HEAD, OPTIONS']),
  ]);
});

test('a document without components is published, whatever its operations are called', async () => {
  const of = (operationId: string): object => ({ get: { operationId, responses: { '204': { description: 'Good' } } } });
  const paths = { '/a': of('constructor'), '/b': of('__proto__') };
  await using mock = await startMock({ listen: false, folder: await contractFolder(api(paths)) });
  const published = (await (await mock.fetch('/__mock/contract.json')).json()) as JsonObject;
  expect(Object.keys(published.paths as JsonObject)).toEqual(expect.arrayContaining(['/a', '/b']));
});

test.each<[string, object, Partial<Record<'authorization' | 'path' | 'cookie' | 'x-key', string>>]>([
  ['HTTP Basic', { type: 'http', scheme: 'basic' }, { authorization: basic('ada', 'environment-secret') }],
  ['a bearer token', { type: 'http', scheme: 'bearer' }, { authorization: 'Bearer environment-secret' }],
  ['an API key in a header', { type: 'apiKey', in: 'header', name: 'X-Key' }, { 'x-key': 'configured secret' }],
  ['an API key in a cookie', { type: 'apiKey', in: 'cookie', name: 'X-Key' }, { cookie: 'X-Key=configured secret' }],
  ['an API key in the query', { type: 'apiKey', in: 'query', name: 'X-Key' }, { path: 'X-Key=configured%20secret' }],
])('verify sends %s to a URL and shows it nowhere', async (_, scheme, wanted) => {
  await using sandbox = await serveOnLoopback(({ path, headers }, response) => {
    const sent = Object.entries(wanted).every(([name, value]) =>
      name === 'path' ? path === `/v2/things?${value}` : headers[name] === value,
    );
    response.writeHead(sent ? 200 : 401, { 'content-type': 'application/json' }).end('[]');
  });
  const report = await verify({
    target: sandbox.url,
    folder: await folderOf(SMALL, scheme),
    ...('authorization' in wanted && { credentials: { username: 'ada', password: 'environment-secret' } }),
    headers: [{ name: 'x-key', value: 'configured secret', token: false, secret: true }],
  });
  expect([report.verdict, report.findings]).toEqual(['agrees', []]);
  expect(JSON.stringify(report)).not.toMatch(/(?:environment|configured).{1,3}secret/);
});

test('a tokenUrl on another host gets credentials only if tokenAllowedOn names it', async () => {
  const seen: string[] = [];
  const server = (): Promise<LoopbackServer> =>
    serveOnLoopback(({ path, headers }, response) => {
      seen.push(`${path} ${headers.host} ${headers.authorization?.split(' ')[0]} ${headers['x-key'] ?? ''}`);
      const token = { access_token: 'a-token-of-elsewhere', token_type: 'Bearer', expires_in: 60 };
      const body = path.startsWith('/oauth')
        ? token
        : headers.authorization === 'Bearer a-token-of-elsewhere'
          ? []
          : {};
      const status = Array.isArray(body) || 'access_token' in body ? 200 : 401;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  await using api = await server();
  await using issuer = await server();
  const flows = { clientCredentials: { tokenUrl: `${issuer.url}/oauth/token`, scopes: {} } };
  const options = {
    target: `${api.url}/v2`,
    folder: await folderOf({}, { type: 'oauth2', flows }),
    credentials: { username: 'ada', password: 'environment-secret' },
    headers: [{ name: 'x-key', value: 'configured secret', token: true, secret: true }],
  };
  const { host } = new URL(issuer.url);
  await expect(verify(options)).rejects.toMatchObject({
    code: 'config',
    hint: expect.stringContaining(`${host} under tokenAllowedOn`),
  });
  expect(seen).toEqual([]);
  const folder = await folderOf(SMALL, { type: 'oauth2', flows });
  const report = await verify({ ...options, folder, tokenAllowedOn: [host] });
  expect([report.verdict, report.findings]).toEqual(['agrees', []]);
  const { host: own } = new URL(api.url);
  expect([...new Set(seen)].sort()).toEqual(
    [
      `/oauth/token ${host} Basic `,
      `/v2/things ${own} Bearer configured secret`,
      `/v2/things ${own} undefined configured secret`,
    ].sort(),
  );
});

test('verify finds a record of each kind although the folder has no seed, and tokens although it has no x-token', async () => {
  const book = object({ required: ['bookNo'], properties: { bookNo: text({}), shelfNo: text({}), title: text({}) } });
  const own = { ...answers(book), parameters: [{ name: 'bookNo', in: 'path', required: true, schema: text({}) }] };
  const paths = {
    '/books/{bookNo}': {
      get: { operationId: 'readBook', ...own },
      patch: { operationId: 'changeBook', requestBody: json(object({ properties: { title: text({}) } })), ...own },
      delete: { operationId: 'removeBook', 'x-removes': 'bookNo', ...own },
    },
  };
  const kinds = {
    shelf: { id: { shelfNo: 'shelf-{hex 4}' }, fields: {} },
    book: { id: { bookNo: 'book-{hex 6}' }, fields: { shelfNo: { of: 'shelf' }, title: 'A title' } },
  };
  const operations = { readBook: { read: 'book' }, changeBook: { set: 'book' }, removeBook: { remove: 'book' } };
  const folder = await folderOf(paths, OAUTH, { entities: { kinds, operations } });
  const { verdict, findings } = await verify({ target: 'mock', folder });
  expect([verdict, findings]).toEqual(['agrees', []]);
  const problems = await lintContract(await loadContract({ folder }));
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('ids may be numbers, a path may call the id of a parent `id`, and writeOnly fields are never shown', async () => {
  const number = { type: 'integer' };
  const owner = object({ required: ['id', 'name'], properties: { id: number, name: text({}) } });
  const properties = { id: number, ownerId: number, name: text({}), hint: text({ writeOnly: true }) };
  const pet = object({ required: ['id', 'ownerId'], properties });
  const id = { parameters: [{ name: 'id', in: 'path', required: true, schema: number }] };
  const list = answers({ type: 'array', items: pet });
  const paths = {
    '/owners/{id}': { ...id, delete: { operationId: 'deleteOwner', ...answers(owner) } },
    '/owners/{id}/pets': { ...id, get: { operationId: 'listPets', ...list } },
    '/pets': { post: { operationId: 'createPet', requestBody: json(object({ properties })), ...answers(pet) } },
    '/pets/{id}': { ...id, get: { operationId: 'readPet', ...answers(pet) } },
  };
  const kinds = {
    owner: { id: { id: '{digits 4}' }, fields: { name: 'Ann' } },
    pet: { id: { id: '{digits 4}' }, fields: { ownerId: { of: 'owner' }, name: 'Rex', hint: null } },
  };
  const operations = {
    ...{ deleteOwner: { remove: 'owner' }, listPets: { list: 'pet' } },
    ...{ createPet: { create: 'pet' }, readPet: { read: 'pet' } },
  };
  const seed = { owners: [1, 2].map((each) => ({ id: each, pets: [{ id: 10 + each }] })) };
  const folder = await folderOf(paths, { type: 'http', scheme: 'basic' }, { entities: { kinds, operations }, seed });
  await using mock = await startMock({ listen: false, anyToken: true, folder });
  const told = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await ask(mock, method, path, body, { authorization: basic('a', 'b') });
    return answer.status < 300 ? answer.body : answer.status;
  };
  expect(await told('GET', '/owners/2/pets')).toEqual([{ id: 12, ownerId: 2, name: 'Rex' }]);
  expect(await told('GET', '/owners/3/pets')).toBe(404);
  const made = (await told('POST', '/pets', { hint: 'a secret', ownerId: 1 })) as JsonObject;
  expect(made).toEqual({ id: expect.any(Number), ownerId: 1, name: 'Rex' });
  expect(await told('POST', '/pets', { ownerId: 3 })).toBe(422);
  expect(await told('GET', `/pets/${String(made.id)}`)).toEqual(made);
  expect(await told('GET', '/owners/1/pets')).toEqual([{ id: 11, ownerId: 1, name: 'Rex' }, made]);
  await told('DELETE', '/owners/1');
  expect([await told('GET', '/pets/11'), await told('GET', '/pets/12')]).toEqual([404, expect.anything()]);
});

test('a merge patch changes the members that it names, and null removes one', async () => {
  const home = object({ properties: { city: text({}), street: text({}) } });
  const user = object({ required: ['userId'], properties: { userId: text({}), nick: text({}), home } });
  const patch = object({ properties: { nick: { type: ['string', 'null'] }, home } });
  const requestBody = { content: { 'application/merge-patch+json': { schema: patch } } };
  const userId = { parameters: [{ name: 'userId', in: 'path', required: true, schema: text({}) }] };
  const change = { operationId: 'changeUser', requestBody, ...answers(user) };
  const kinds = { user: { id: { userId: 'u-{hex 4}' }, fields: { nick: 'Ada', home: null } } };
  const entities = { kinds, operations: { changeUser: { set: 'user' } } };
  const seed = { users: [{ userId: 'u-1', home: { city: 'Bonn', street: 'A' } }] };
  const paths = { '/users/{userId}': { ...userId, patch: change } };
  const folder = await folderOf(paths, { type: 'http', scheme: 'basic' }, { entities, seed });
  await using mock = await startMock({ listen: false, anyToken: true, folder });
  const headers = { authorization: basic('a', 'b'), 'content-type': 'application/merge-patch+json' };
  const body = JSON.stringify({ nick: null, home: { city: 'Ulm' } });
  const answer = await mock.fetch('/users/u-1', { method: 'PATCH', headers, body });
  expect(await answer.json()).toEqual({ userId: 'u-1', home: { city: 'Ulm', street: 'A' } });
});
