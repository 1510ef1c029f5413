import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { api } from '../support/api.ts';
import { bank, folderWith, loadBank, pointersOf } from './support.ts';

describe('the bundle', () => {
  test('references to components in other files become internal, for every spelling', async () => {
    const { document, at } = await loadBank();
    expect(at('/paths/~1users~1{userId}~1old/get/responses/2XX/content/application~1json/schema')).toEqual({
      $ref: '#/components/schemas/User',
    });
    expect(at('/paths/~1users~1{userId}~1old/parameters/0')).toEqual({ $ref: '#/components/parameters/userId' });
    const references = [...pointersOf(document)].filter(
      ([pointer]) => pointer.endsWith('/$ref') && !pointer.includes('/example/'),
    );
    expect(references.length).toBeGreaterThan(5);
    for (const [, reference] of references) expect(reference).toMatch(/^#\//);
  });

  test('a referenced part that is not a component is inlined', async () => {
    const { at } = await loadBank();
    expect(at('/components/schemas/User/properties/address')).toEqual({
      type: 'object',
      properties: { street: { type: 'string' } },
    });
    expect(at('/paths/~1token/post/operationId')).toBe('getToken');
  });

  test('a $ref in an example stays data', async () => {
    const { at } = await loadBank();
    expect(at('/paths/~1users~1{userId}/get/responses/2XX/content/application~1json/example')).toEqual({
      $ref: './nothing.yaml',
      'x-provenance': 'not a stamp',
    });
  });

  test('a schema may refer to itself through its properties', async () => {
    const { at } = await loadBank();
    expect(at('/components/schemas/Node/properties/next')).toEqual({ $ref: '#/components/schemas/Node' });
  });

  describe('a schema of another file that contains itself becomes a component', () => {
    const load = async (reference: string, files: Readonly<Record<string, unknown>>) => {
      const schema = { type: 'object', properties: { first: { $ref: reference }, second: { $ref: reference } } };
      const document = api({}, { components: { schemas: { A: schema } } });
      const texts = Object.entries({ 'openapi.json': document, ...files }).map(([name, value]) => [
        name,
        JSON.stringify(value),
      ]);
      return loadContract({ root: `${await folderWith(Object.fromEntries(texts))}/openapi.json` });
    };
    const node = ($ref: string) => ({ type: 'object', properties: { kids: { type: 'array', items: { $ref } } } });

    test.each([
      ['a file', 'tree.yaml', { 'tree.yaml': node('tree.yaml') }, 'tree'],
      ['the root of its file', 'tree.yaml', { 'tree.yaml': node('#') }, 'tree'],
      ['a definition', 'defs.yaml#/$defs/n', { 'defs.yaml': { $defs: { n: node('#/$defs/n') } } }, 'n'],
      ['a name of a component', 'a.yaml#/A', { 'a.yaml': { A: node('#/A') } }, 'A2'],
      ['two files', 'a.yaml', { 'a.yaml': node('b.yaml'), 'b.yaml': node('a.yaml') }, 'a'],
    ])('%s', async (_, reference, files, name) => {
      const { at } = await load(reference, files);
      const $ref = `#/components/schemas/${name}`;
      expect(JSON.stringify(at(`/components/schemas/${name}`))).toContain(JSON.stringify($ref));
      expect(JSON.stringify(at('/components/schemas/A/properties/first'))).toContain(JSON.stringify($ref));
      expect(at('/components/schemas/A/properties/second')).toEqual({ $ref });
    });
  });

  test('each node keeps its source line', async () => {
    const { placeOf } = await loadBank();
    const file = (name: string): string => `test/fixtures/spec/bank/${name}`;
    expect(placeOf('/components/schemas/User/properties/default')).toEqual({
      file: file('schemas/user.yaml'),
      line: 7,
      column: 3,
      pointer: '/properties/default',
    });
    expect(placeOf('/components/schemas/User/properties/address/properties/street')).toMatchObject({
      file: file('schemas/address.yaml'),
      line: 3,
    });
    expect(placeOf('/paths/~1token/post')).toMatchObject({ file: file('paths/token.yaml'), line: 1, column: 1 });
    expect(placeOf('/info/title')).toMatchObject({ file: file('openapi.yaml'), line: 3, column: 3 });
    expect(placeOf('/info/nothing/here')).toMatchObject({ file: file('openapi.yaml'), line: 2 });
  });

  test('the document is deeply frozen', async () => {
    const { document } = await loadBank();
    for (const [, value] of pointersOf(document)) expect(Object.isFrozen(value)).toBe(true);
  });

  test('JSON is read as well, even with tabs', async () => {
    const { document } = await loadBank();
    const folder = await folderWith({ 'openapi.json': JSON.stringify(document, null, '\t') });
    const again = await loadContract({ root: `${folder}/openapi.json` });
    expect(again.document).toEqual(document);
    expect(again.placeOf('/openapi')).toMatchObject({ line: 2, column: 2 });
  });

  test('a byte order mark is ignored', async () => {
    const folder = await folderWith({ 'openapi.yaml': "\uFEFFopenapi: 3.1.1\ninfo: { title: T, version: '1' }\n" });
    await expect(loadContract({ root: `${folder}/openapi.yaml` })).resolves.toMatchObject({ operations: [] });
  });
});

describe('the index of operations', () => {
  test('operations with a path come before operations known by name only', async () => {
    const { operations } = await loadBank();
    expect(operations.map(({ operationId, located }) => `${operationId} ${located}`)).toEqual([
      'getToken documented',
      'getUser documented',
      'getUserOld documented',
      'listUsers null',
      'renameUser null',
    ]);
  });

  test('a deprecated operation and its successor refer to each other', async () => {
    const contract = await loadBank();
    expect(contract.operation('getUserOld')).toMatchObject({
      deprecated: true,
      successor: 'getUser',
      predecessor: null,
    });
    expect(contract.operation('getUser')).toMatchObject({
      deprecated: false,
      successor: null,
      predecessor: 'getUserOld',
    });
  });

  test('only the operation with basic credentials needs no token', async () => {
    const { operations } = await loadBank();
    expect(operations.filter(({ auth }) => auth === 'issues').map(({ operationId }) => operationId)).toEqual([
      'getToken',
    ]);
  });

  test('parameters of path and operation are merged, and references are resolved', async () => {
    const contract = await loadBank();
    expect(contract.operation('getUserOld')?.parameters).toMatchObject([
      { name: 'userId', in: 'path', required: true, schema: {}, pointer: '/components/parameters/userId' },
      {
        name: 'verbose',
        in: 'query',
        required: true,
        schema: { type: 'string' },
        pointer: '/paths/~1users~1{userId}~1old/get/parameters/0',
      },
    ]);
  });

  test('an operation known by name only has the facts of the reference', async () => {
    const contract = await loadBank();
    expect(contract.operation('listUsers')).toMatchObject({
      summary: 'List users',
      tag: 'Users',
      method: null,
      path: null,
      effect: 'read',
      itemSchema: { $ref: '#/components/schemas/User' },
      since: '1.10.0',
      reference: 'Users 2',
      notShown: ['method', 'path'],
      pointer: '/components/pathItems/listUsers',
    });
  });
});

test('an interruption is reported as such, even if a referenced file is being read', async () => {
  const members = Array.from({ length: 10_000 }, (_, number) => `    p${number}: { type: string }`);
  const document = api({}, { components: { schemas: { A: { $ref: './big.yaml#/Thing' } } } });
  const files = {
    'openapi.json': JSON.stringify(document),
    'big.yaml': `Thing:\n  properties:\n${members.join('\n')}\n`,
  };
  const root = `${await folderWith(files)}/openapi.json`;
  await expect(loadContract({ root, signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'interrupted' });
});

describe('the package’s own contract', () => {
  test('the packaged contract loads operations with a path and operations known by name only', async () => {
    const { operations, notices, document } = await loadContract();
    expect(new Set(operations.map(({ located }) => located))).toEqual(new Set(['documented', null]));
    expect(notices).toEqual([]);
    expect(JSON.stringify(document)).not.toContain('x-provenance');
  });

  test('with the assumptions every operation has a path, and its facts are at most assumed', async () => {
    const { operations, notices } = await loadContract({ overlays: ['mocks/assumptions.overlay.yaml'] });
    const documented = (await loadContract()).operations;
    for (const { operationId, located } of documented)
      expect([operationId, operations.find((one) => one.operationId === operationId)?.located]).toEqual([
        operationId,
        located ?? 'assumed',
      ]);
    expect(operations).toHaveLength(documented.length);
    expect(notices).toEqual([]);
  });

  test('loading twice gives equal contracts that share nothing', async () => {
    const [one, two] = await Promise.all([loadContract({ root: bank }), loadContract({ root: bank })]);
    expect(one.document).toEqual(two.document);
    expect(one.document.info).not.toBe(two.document.info);
  });
});
