import { describe, expect, test } from 'vitest';
import type { Contract, Style } from '../../src/contract/contract.ts';
import { serviceOf } from '../../src/contract/services.ts';
import { styleOf, writePairs, writeText } from '../../src/contract/styles.ts';
import type { Json } from '../../src/schema/json.ts';
import { api } from '../support/api.ts';
import { contractOf } from './support.ts';

const responses = { 200: { description: 'D' } };

function contractWith(paths: object, securitySchemes: object = {}, rest: object = {}): Promise<Contract> {
  return contractOf(api(paths, { components: { securitySchemes }, ...rest }));
}

describe('what a call is authorised by', () => {
  const flows = (tokenUrl: string) => ({ type: 'oauth2', flows: { clientCredentials: { tokenUrl, scopes: {} } } });
  const schemes = {
    ...{ basic: { type: 'http', scheme: 'Basic' }, bearer: { type: 'http', scheme: 'bearer' } },
    ...{ query: { type: 'apiKey', in: 'query', name: 'Key' }, field: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    ...{ cookie: { type: 'apiKey', in: 'cookie', name: 'Key' }, mutual: { type: 'mutualTLS' } },
  };

  test.each<[security: Json | undefined, auth: string, keys: string, issued?: true]>([
    [undefined, 'none', ''],
    [[{ basic: [] }], 'none', 'basic header authorization'],
    [[{ query: [], field: [] }, { cookie: [] }], 'none', 'apiKey query Key + apiKey header x-key, apiKey cookie Key'],
    [[{ bearer: [] }], 'none', 'bearer header authorization'],
    [[{ bearer: [] }], 'bearer', '', true],
    [[{ bearer: [] }, { query: [] }], 'bearer', 'apiKey query Key', true],
    [[{ mutual: [], basic: [] }], 'none', 'basic header authorization'],
    [[{ bearer: [] }, {}], 'none', ''],
    [[{ mutual: [] }], 'none', ''],
  ])('%j is %s with the keys "%s"', async (security, auth, keys, issued) => {
    const tokens = issued && { tokens: flows('/token') };
    const paths = { '/a': { get: { operationId: 'a', responses } } };
    const operation = (await contractWith(paths, { ...schemes, ...tokens }, { security })).operation('a');
    const shown = operation?.keys.map((all) => all.map((key) => `${key.kind} ${key.in} ${key.name}`).join(' + '));
    expect([operation?.auth, shown?.join(', ')]).toEqual([auth, keys]);
  });

  test.each([
    ['/token', 'https://a.test/v1', '/token', '/token'],
    ['token', 'https://a.test/v1/', '/token', null],
    ['https://a.test/v1/oauth', 'https://a.test/v1', '/oauth', null],
    ['https://b.test/v1/oauth', 'https://a.test/v1', '/v1/oauth', 'https://b.test/v1/oauth'],
    ['/v1x/oauth', '/v1', '/v1x/oauth', '/v1x/oauth'],
  ])('the token endpoint %s of the server %s has the path %s', async (tokenUrl, server, path, url) => {
    const contract = await contractWith({}, { tokens: flows(tokenUrl) }, { servers: [{ url: server }] });
    expect(contract.operation('issueToken')).toMatchObject({ path, method: 'POST', auth: 'issues', keys: [] });
    expect(contract.token).toMatchObject({ operationId: 'issueToken', url, clientAuthentication: 'basic' });
  });

  test('a scheme may state the facts of its tokens, and the form of the request may name the client', async () => {
    const schema = { $ref: '#/components/schemas/Form' };
    const schemas = { Form: { properties: { client_id: {}, client_secret: {} } } };
    const requestBody = { content: { 'application/x-www-form-urlencoded': { schema } } };
    const token = { lifetime: { defaultSeconds: 60 }, reuse: { suggestedMarginSeconds: [5, 9] } };
    const grant = { operationId: 'issue', value: 'own' };
    const scheme = { type: 'http', scheme: 'bearer', bearerFormat: 'jwt', 'x-token': { grant, ...token } };
    const components = { schemas, securitySchemes: { scheme, basic: schemes.basic } };
    const tokens = [[], [{ basic: [] }]].map(async (security) => {
      const post = { operationId: 'issue', security, requestBody, responses };
      return (await contractOf(api({ '/t': { post } }, { components }))).token;
    });
    const pointer = '/components/securitySchemes/scheme';
    const facts = { operationId: 'issue', pointer, grant: 'own', url: null, isJwt: true, lifetime: 60, margin: [5, 9] };
    expect(await Promise.all(tokens)).toEqual([
      { ...facts, clientAuthentication: 'form' },
      { ...facts, clientAuthentication: 'basic' },
    ]);
  });
});

test.each([
  [{ '/a/x': {}, '/b/x': {} }, ['/a', '/b']],
  [{ '/v1/a': { tags: ['A'] }, '/v1/b': { tags: ['B'] } }, ['A', 'B']],
  [{ '/v1/a': {}, '/v1/b': {} }, ['', '']],
  [{ '/a': { servers: [{ url: 'https://a.test' }] }, '/b': {} }, ['https://a.test', '/b']],
])('the operations of %j belong to the services %j', async (operations, services) => {
  const paths = Object.entries(operations).map(([path, own]) => [
    path,
    { get: { operationId: path, ...own, responses } },
  ]);
  const contract = await contractWith(Object.fromEntries(paths));
  expect(Object.keys(operations).map((id) => serviceOf(contract, id))).toEqual(services);
  expect(serviceOf(contract, 'none')).toBe('');
});

describe('the style of a parameter', () => {
  const list = ['a', 1];
  const object = { x: 'a', y: 1 };
  test.each<[style: object, place: string, listed: string, named: string]>([
    [{}, 'query', 'p=a p=1', 'x=a y=1'],
    [{ explode: false }, 'cookie', 'p=a,1', 'p=x,a,y,1'],
    [{ style: 'spaceDelimited', explode: false }, 'query', 'p=a 1', 'p=x a y 1'],
    [{ style: 'pipeDelimited' }, 'query', 'p=a|1', 'p=x|a|y|1'],
    [{ style: 'deepObject' }, 'query', 'p=a,1', 'p[x]=a p[y]=1'],
    [{ style: 'other' }, 'query', 'p=a p=1', 'x=a y=1'],
    [{ content: {} }, 'query', 'p=["a",1]', 'p={"x":"a","y":1}'],
    [{}, 'path', 'a,1', 'x,a,y,1'],
    [{ explode: true }, 'header', 'a,1', 'x=a,y=1'],
    [{ style: 'label' }, 'path', '.a,1', '.x,a,y,1'],
    [{ style: 'label', explode: true }, 'path', '.a.1', '.x=a.y=1'],
    [{ style: 'matrix' }, 'path', ';p=a,1', ';p=x,a,y,1'],
    [{ style: 'matrix', explode: true }, 'path', ';p=a;p=1', ';x=a;y=1'],
    [{ content: {} }, 'path', '["a",1]', '{"x":"a","y":1}'],
  ])('%j in the %s writes %s and %s', (stated, place, listed, named) => {
    const style: Style = styleOf({ ...stated }, place);
    const isText = place === 'path' || place === 'header';
    const written = (value: Json) =>
      isText
        ? writeText('p', value, style)
        : writePairs('p', value, style)
            .map((pair) => pair.join('='))
            .join(' ');
    expect([list, object].map(written)).toEqual([listed, named]);
  });

  test('names and values are encoded, and the delimiters between them are not', () => {
    const write = writeText.bind(null, 'ü', ['a,b', 'c;']);
    expect(write({ name: 'matrix', explode: true }, encodeURIComponent)).toBe(';%C3%BC=a%2Cb;%C3%BC=c%3B');
    expect(write({ name: 'label', explode: false }, encodeURIComponent)).toBe('.a%2Cb,c%3B');
    const pairs = writePairs.bind(null, 'ü', ['a,b', 'c;']);
    expect(pairs({ name: 'form', explode: false }, encodeURIComponent)).toEqual([['%C3%BC', 'a%2Cb,c%3B']]);
    expect(pairs({ name: 'pipeDelimited', explode: false }, encodeURIComponent)[0]?.[1]).toBe('a%2Cb%7Cc%3B');
  });
});
