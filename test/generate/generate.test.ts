import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { requireTools } from '../../src/generate/tools.ts';
import { packageRoot } from '../../src/package-root.ts';
import { fakeIo } from '../cli/io.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/**
 * Features missing from the packaged contract: lists, alternatives, enums, recursive schemas, names that are not
 * identifiers.
 */
const SPEC = `openapi: 3.1.1
info: { title: Trees, version: '1' }
paths:
  /trees/{tree-id}:
    get:
      operationId: read-tree
      tags: [Trees]
      x-effect: read
      security: []
      parameters: [{ name: tree-id, in: path, required: true, schema: { type: string } }]
      responses:
        '200': { description: D, content: { application/json: { schema: { $ref: '#/components/schemas/tree.node' } } } }
components:
  schemas:
    tree.node:
      type: object
      required: [name]
      properties:
        name: { type: string, minLength: 2, maxLength: 5 }
        kind: { type: string, enum: [LEAF, BRANCH] }
        id: { type: string, format: uuid, example: no uuid }
        nodes: { type: array, items: { $ref: '#/components/schemas/tree.node' } }
        owner: { anyOf: [{ $ref: '#/components/schemas/Owner' }, { type: 'null' }] }
    Owner:
      allOf:
        - { type: object, required: [first], properties: { first: { type: string } } }
        - { type: object, properties: { last: { type: [string, 'null'] } } }
    Fine:
      type: object
      properties:
        'in-cents': { type: integer, x-maximum-by-currency: { SEK: 90 } }
    # names that are taken, and what else makes a compiler complain
    tree_node: { title: TreeNode, type: string, enum: ["it's", '"'] }
    Rate1_0: { title: Rate, type: number }
    Rate1_1: { title: Rate, description: 'Ends */ early.', type: [number, 'null'] }
    Rate11: { title: Rate }
    Object: { type: object, properties: { 'a-b': {} }, additionalProperties: { type: integer } }
    never: false
    Dynamic: { $dynamicAnchor: node, type: object, properties: { c: { $dynamicRef: '#node' }, v: { type: integer } } }
    Self: { type: object, properties: { next: { type: array, items: { $ref: '#/components/schemas/Self' } } } }
    Answer: { $ref: '#/paths/~1trees~1%7Btree-id%7D/get/responses/200/content/application~1json/schema' }
`;

async function generate(...flags: string[]) {
  const io = fakeIo();
  return { code: await run(['generate', ...flags], io), out: io.out(), err: io.err() };
}

async function folderOf(spec: string): Promise<string> {
  const dir = await temporaryFolder();
  await mkdir(join(dir, 'spec'));
  await writeFile(join(dir, 'contract.yaml'), 'contract: 1\nname: trees\n');
  await writeFile(join(dir, 'spec/openapi.yaml'), spec);
  return dir;
}

describe('generate', () => {
  test('generate warns about a pattern that may keep a validator busy, with its place', async () => {
    const quick = "'^[A-Z]{2}[0-9]+$'";
    const slow = "'^([a-z]+)+$'";
    const texts = `    Slow: { type: object, properties: { quick: { type: string, pattern: ${quick} }, slow: { type: string, pattern: ${slow} } } }\n`;
    const folder = await folderOf(SPEC + texts);
    const { code, err } = await generate('--contract', folder, '--out', join(folder, 'out'));
    expect(code, err).toBe(0);
    const [warning, ...others] = err.split('\n').filter((line) => line.includes('warning:'));
    const line = (SPEC + texts).split('\n').findIndex((text) => text.includes('Slow:')) + 1;
    expect(warning).toMatch(new RegExp(`spec/openapi\\.yaml:${line}:\\d+.*\\^\\(\\[a-z\\]\\+\\)\\+\\$`));
    expect(others).toEqual([]);
  });

  let out: string;
  beforeAll(async () => {
    out = join(await temporaryFolder(), 'made');
    expect((await generate('--contract', await folderOf(SPEC), '--out', out)).code).toBe(0);
  });

  test("generate names files after the contract's schemas, and they refer to nothing else", async () => {
    const schema = JSON.parse(await readFile(join(out, 'schemas/tree-node.json'), 'utf8'));
    expect(schema.$id).toBe('urn:trees:schemas:tree-node');
    expect(Object.keys(schema.$defs).sort()).toEqual(['Owner', 'TreeNode']);
    expect(JSON.parse(await readFile(join(out, 'openapi.json'), 'utf8')).info.title).toBe('Trees');
  });

  test('generated code needs no eval and no package, and judges dynamic references', async () => {
    const program = `const { TreeNode, Dynamic } = await import(${JSON.stringify(pathToFileURL(join(out, 'validators/index.js')).href)});
      process.stdout.write(String([TreeNode.is({ name: 'oak' }), Dynamic.is({ c: { v: 1 } }), Dynamic.is({ c: { v: '' } })]));`;
    const argv = ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', program];
    const { stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8', cwd: out });
    expect(stdout, stderr).toBe('true,true,false');
  });

  test('generated types compile under strict', async () => {
    const use = `import { Fine, TreeNode, type Problem } from './validators/index.js';
import type { Operations } from './types.js';
const value: unknown = {};
if (TreeNode.is(value)) { const names: (string | undefined)[] = [value.name, value.owner?.last ?? undefined]; void names; }
const fine: Fine = { 'in-cents': 1 };
const path: Operations['read-tree']['pathParameters'] = { 'tree-id': 'a' };
// @ts-expect-error a name is a text
const wrong: TreeNode = { name: 1 };
const problems: readonly Problem[] = [];
void [fine, path, wrong, problems, Fine.forCurrency('SEK').is(fine)];
`;
    const paths = { 'banking-api-contract/validators': [join(packageRoot, 'generated/validators/all.ts')] };
    const options = { strict: true, noEmit: true, module: 'nodenext', target: 'es2024', types: [], paths };
    await writeFile(join(out, 'use.ts'), use);
    const compilerOptions = { ...options, allowImportingTsExtensions: true };
    await writeFile(join(out, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
    await writeFile(join(out, 'package.json'), '{ "type": "module" }');
    const tsc = join(packageRoot, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', out], { encoding: 'utf8' });
    expect(stdout).toBe('');
  });

  test('generate writes changed files and leaves foreign files alone', async () => {
    const there = join(await temporaryFolder(), 'made');
    const dir = await folderOf(SPEC);
    await generate('--contract', dir, '--out', there);
    await writeFile(join(there, 'mine.txt'), 'mine');
    await writeFile(join(there, 'types.d.ts'), 'changed');
    expect(await generate('--contract', dir, '--out', there)).toMatchObject({ code: 0, out: 'types.d.ts\n' });
    expect(await readFile(join(there, 'mine.txt'), 'utf8')).toBe('mine');
  });

  test('generate exits with 2 without an output folder, and for one that is not writable', async () => {
    expect(await generate()).toMatchObject({ code: 2, out: '', err: expect.stringContaining('--out is missing') });
    const file = join(await temporaryFolder(), 'file');
    await writeFile(file, '');
    expect(await generate('--contract', await folderOf(SPEC), '--out', file)).toMatchObject({ code: 2, out: '' });
  });

  test('generate exits with 3 for a contract that cannot be loaded; a wrong keyword is a notice with its place', async () => {
    const bad = await folderOf(SPEC.replace('minLength: 2', 'minLength: two'));
    expect(await generate('--contract', bad, '--out', out)).toMatchObject({
      code: 0,
      err: expect.stringMatching(/spec\/openapi\.yaml:19:42 .*The keyword minLength is not judged/),
    });
    const none = await folderOf('openapi: 3.1.1\n');
    expect(await generate('--contract', none, '--out', out)).toMatchObject({ code: 3 });
  });
});

test('missing tools are named with their install command', () => {
  expect(() => requireTools('file:///nowhere/at/all.js')).toThrow(
    expect.objectContaining({
      code: 'engine-missing',
      exitCode: 2,
      packages: [expect.stringMatching(/^esbuild@\d+\.\d+\.\d+$/)],
    }),
  );
});
