import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Contract } from '../../src/contract/contract.ts';
import { generateCode } from '../../src/generate/code.ts';
import { changedFiles, type Files, staleFiles, withMark, writeFiles } from '../../src/generate/files.ts';
import { emitTypes } from '../../src/generate/types.ts';
import { schemasOf } from '../../src/generate/validators.ts';
import type { CurrencyValidator, Validator } from '../../src/validators/validator.ts';
import { contractOf, folderWith } from '../contract/support.ts';
import { api } from '../support/api.ts';

const json = (schema: object) => ({ description: 'D', content: { 'application/json': { schema } } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function contractWith(schemas: object, paths: object = {}): Promise<Contract> {
  return contractOf(api(paths, { components: { schemas } }));
}

async function modulesOf(schemas: object): Promise<Readonly<Record<string, Validator<unknown>>>> {
  return imported(await generateCode(await contractWith(schemas)));
}

async function imported(files: Files) {
  const folder = await folderWith({ 'package.json': '{ "type": "module" }' });
  await mkdir(join(folder, 'validators'));
  const scripts = Object.keys(files).filter((file) => file.endsWith('.js'));
  await writeFiles(folder, files, scripts);
  return import(pathToFileURL(join(folder, 'validators/index.js')).href);
}

test('the types of operations name what a call sends and receives', async () => {
  const parameters = [
    { name: 'id', in: 'path', required: true },
    { name: 'part', in: 'path', required: true, schema: { type: 'integer' } },
    { name: 'page-size', in: 'query', schema: { type: ['integer', 'string'] } },
    { name: 'all', in: 'query', required: true },
    { name: 'token', in: 'header', schema: { type: 'string' } },
  ];
  const old = { summary: 'Read.', deprecated: true, 'x-successor': { operationId: 'add' }, parameters };
  const responses = {
    ...{ 200: json(ref('Tree')), 202: json({ type: 'string' }), 404: { description: 'D' } },
    ...{ '5XX': json({ type: 'null' }), default: json(ref('Tree')) },
  };
  const listed = { 'x-item-schema': ref('Tree'), 'x-response-schema': ref('Tree'), 'x-not-shown': ['requestBody'] };
  const paths = {
    '/trees/{id}/{part}': { get: { operationId: 'read-tree', ...old, responses } },
    '/trees': {
      post: { operationId: 'add', requestBody: json(ref('Tree')), responses: { 204: { description: 'D' } } },
      get: { operationId: 'list', ...listed, responses: { 200: json({}) } },
    },
  };
  const contract = await contractWith({ Tree: { type: 'string' } }, paths);
  const text = emitTypes(contract, schemasOf(contract), 'Trees.');
  expect(text.split('\n')[0]).toBe('/** Trees. */');
  expect(text.slice(text.indexOf('Operations {'), text.indexOf('/** operationId'))).toBe(`Operations {
  /**
   * Read.
   * @deprecated Use add.
   */
  'read-tree': {
    method: 'GET';
    path: '/trees/{id}/{part}';
    pathParameters: { id: string; part: number };
    queryParameters: { 'page-size'?: number | string; all: string | number | boolean };
    request: never;
    response: Tree | string;
    errors: {
      404: Json;
      '5XX': null;
      default: Tree;
    };
  };
  /** add */
  add: {
    method: 'POST';
    path: '/trees';
    pathParameters: Record<string, never>;
    queryParameters: Record<string, never>;
    request: Tree;
    response: Json;
  };
  /** list */
  list: {
    method: 'GET';
    path: '/trees';
    pathParameters: Record<string, never>;
    queryParameters: Record<string, never>;
    request: Json;
    response: Tree;
    /** One item of a list whose envelope is not shown. */
    item: Tree;
  };
}

`);
});

describe('generated code', () => {
  const cents = { type: 'integer', 'x-maximum-by-currency': { SEK: 90 } };
  const at = { type: 'string', format: 'date-time' };
  const Fine = { description: 'A\n fine. */', type: 'object', properties: { 'in-cents': cents, at } };

  test('of `User` and `UserLight` has a module for each form of each', async () => {
    const files = await generateCode(await contractWith({ User: Fine, UserLight: Fine }));
    const made = Object.keys(files).filter((file) => /validators\/user.*\.js$/.test(file));
    expect(made.sort()).toEqual(
      ['user', 'user-light', 'user-light_2', 'user-light_2-light'].map((name) => `validators/${name}.js`).sort(),
    );
    expect(files['validators/user-light_2.js']).toContain('tolerant');
  });

  test('judges every keyword as the mock does', async () => {
    const base = { type: 'object', properties: { id: { type: 'string', pattern: String.raw`^[\w-.]+$` } } };
    const made = await modulesOf({
      Base: base,
      Child: { ...ref('Base'), properties: { cents: { multipleOf: 0.01 } }, unevaluatedProperties: false },
      Odd: { type: 'string', if: {} },
      Nothing: { enum: [] },
      Unique: { uniqueItems: true, items: { format: 'email' } },
      Illegal: { pattern: '([' },
    });
    const judged = (name: string, ...values: unknown[]) => values.map((value) => made[name]?.is(value));
    expect(judged('Child', { id: 'a.b', cents: 19.99 }, { id: 'a b' }, { cents: 0.001 }, { more: 1 })).toEqual([
      true,
      ...[false, false, false],
    ]);
    expect([judged('Odd', 'x', 1), judged('Nothing', null, 1)]).toEqual([
      [true, false],
      [false, false],
    ]);
    expect(judged('Unique', ['a@b.de'], ['a@b.de', 'a@b.de'], ['a'])).toEqual([true, false, false]);
    expect(judged('Illegal', 'x')).toEqual([true]);
    expect(made.Child?.exact.is({ id: 'a', cents: 1 })).toBe(true);
  });

  test('is complete: modules that run alone, their types, schemas and the document', async () => {
    const contract = await contractWith({ Fine, 'tree.node': { items: ref('tree.node'), minItems: 1 } });
    const files = await generateCode(contract);
    const modules = ['fine', 'tree-node'].flatMap((name) => [name, `${name}-light`]);
    expect(Object.keys(files).sort()).toEqual(
      [
        ...['openapi.json', 'openapi.yaml', 'schemas/fine.json', 'schemas/tree-node.json', 'types.d.ts'],
        ...['_runtime', 'index', ...modules].map((name) => `validators/${name}.js`),
        ...['_runtime', 'index', ...modules].map((name) => `validators/${name}.d.ts`),
      ].sort(),
    );
    expect(files['validators/fine-light.d.ts']).toBe(`// Generated by banking-api generate. Do not edit.
import type { LightCurrencyValidator } from './_runtime.js';
import type { Fine as Shape } from '../types.js';

export type Fine = Shape;
export declare const Fine: LightCurrencyValidator<Shape>;
`);
    expect(files['validators/tree-node.d.ts']).toContain('export declare const TreeNode: Validator<Shape>;');
    expect(files['validators/index.d.ts']).toContain("\nexport { TreeNode } from './tree-node.js';\n");
    expect(files['schemas/fine.json']).toContain('"$id": "urn:banking-api-contract:schemas:fine"');
    for (const [file, text] of Object.entries(files))
      expect(text, file).not.toMatch(/(?:from|import\() ?['"]banking-api-contract/);
    expect(files['validators/_runtime.d.ts']).toContain('export declare class ValidationError extends Error {');
    const made = await imported(files);
    const fine = made.Fine as CurrencyValidator<unknown>;
    const sek = fine.forCurrency('SEK');
    expect([fine, sek, sek.exact].map((one) => one.is({ 'in-cents': 91 }))).toEqual([true, false, false]);
    expect([fine, sek, sek.exact].map((one) => one.is({ 'in-cents': 1, other: 1 }))).toEqual([true, true, false]);
    expect(fine.is({ at: '2030-02-30T00:00:00Z' })).toBe(false);
    expect(sek.exact.schema.$id).toBe('urn:banking-api-contract:schemas:fine:sek:exact');
    expect([[[[]]], [[]], 1, [[1]]].map(made.TreeNode.is)).toEqual([false, false, true, true]);
  });
});

test('files are written only if they changed, and removed without a text', async () => {
  const files = withMark('a test', { 'a.ts': 'a', 'b.json': '{}', 'new.ts': '' });
  expect(files).toEqual({
    ...{ 'a.ts': '// Generated by a test. Do not edit.\na', 'b.json': '{}' },
    'new.ts': '// Generated by a test. Do not edit.\n',
  });
  const folder = await folderWith({ 'a.ts': 'a', 'b.json': '{}', 'old.ts': '' });
  await mkdir(join(folder, 'below'));
  expect(await changedFiles(folder, files)).toEqual(['a.ts', 'new.ts']);
  const stale = await staleFiles(folder, files);
  expect(stale).toEqual(['a.ts', 'new.ts', 'old.ts']);
  await writeFiles(folder, files, stale);
  expect((await readdir(folder)).sort()).toEqual(['a.ts', 'b.json', 'below', 'new.ts']);
  expect(await readFile(join(folder, 'a.ts'), 'utf8')).toBe(files['a.ts']);
  expect(await staleFiles(join(folder, 'none'), { c: '' })).toEqual(['c']);
});
