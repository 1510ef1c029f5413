import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { parsingTree } from '../../src/contract/parse-tree.ts';
import { atOnce } from '../../src/contract/time-slices.ts';
import { failure, folderWith } from './support.ts';

const head = "openapi: 3.1.1\ninfo: { title: T, version: '1' }\n";
const schemas = `${head}components:\n  schemas:\n`;
const parameters = `${head}components:\n  parameters:\n`;

async function loading(text: string | Uint8Array, more: Record<string, string> = {}): ReturnType<typeof failure> {
  const folder = await folderWith({ 'openapi.yaml': text, ...more });
  return failure(loadContract({ root: `${folder}/openapi.yaml` }));
}

const bomb = [
  'a: &a [x, x, x, x, x, x, x, x, x, x]',
  ...'bcdefgh'.split('').map((name, i) => {
    const before = 'abcdefgh'[i];
    return `${name}: &${name} [${Array(10).fill(`*${before}`).join(', ')}]`;
  }),
].join('\n');

test.each([
  ['a flow list', `[${'a,'.repeat(20_000)}]`],
  ['a flow list of lists', `[${'[],'.repeat(20_000)}]`],
  ['JSON', `{"a":[${'{"b":1},'.repeat(20_000)}1]}`],
  ['a block list', '- a\n'.repeat(20_000)],
  ['a block map', Array.from({ length: 20_000 }, (_, n) => `k${n}:\n`).join('')],
  ['explicit keys', '? a\n'.repeat(20_000)],
])('%s with too many values is rejected while it is lexed', (_, text) => {
  const words = parsingTree('big.yaml', text, 'overlay-invalid', 1000);
  let steps = 0;
  const walk = (): void => {
    while (!words.next().done) steps += 1;
  };
  expect(walk).toThrow('The document is too large');
  expect(steps).toBeLessThan(12_000);
});

test('a document with as many values as the limit is parsed', () => {
  for (const item of ['a', '[]', '{}', '{ b: [] }', '{ "b": 1, "c": [ 2, ], }', '']) {
    const text = `all: [${`${item || 'null'},`.repeat(50)}]\nmore:\n${`  - ${item}\n`.repeat(50)}`;
    const tree = atOnce(parsingTree('small.yaml', text, 'overlay-invalid'));
    const count = (value: unknown): number =>
      1 +
      (typeof value === 'object' && value !== null
        ? Object.values(value).reduce((sum: number, one) => sum + count(one), 0)
        : 0);
    const values = count(tree.root);
    expect(atOnce(parsingTree('small.yaml', text, 'overlay-invalid', values)).root).toEqual(tree.root);
  }
});

describe('M14: mistakes in a document are reported with file, line and column, without a stack trace', () => {
  const cases: [name: string, text: string | Uint8Array, message: RegExp, line: number | undefined][] = [
    ['an empty file', '', /empty/, 1],
    ['a file of comments', '# nothing\n', /empty/, 1],
    ['bad syntax', 'openapi: 3.1.1\ninfo: [\n', /not valid YAML/, 3],
    ['a duplicate key', `${head}openapi: 3.1.1\n`, /twice/, 3],
    ['a key that is not a string', `${head}x-map:\n  [a, b]: c\n`, /key must be a string/, 4],
    ['a tab as indent', `${head}components:\n\tschemas: {}\n`, /tab/i, 4],
    ['a key that would reach the prototype', `${head}x-it:\n  __proto__: { polluted: true }\n`, /__proto__/, 4],
    ['an alias bomb', `${head}${bomb}\n`, /too large/, undefined],
    ['an alias within its anchor', `${head}x-it: &a { b: *a }\n`, /inside the node/, 3],
    ['an alias without an anchor', `${head}x-it: *nothing\n`, /no anchor/, 3],
    ['a merge key', `${head}x-a: &a { b: 1 }\nx-c:\n  <<: *a\n`, /merge keys/, 5],
    ['an unknown tag', `${head}x-it: !!set { a }\n`, /tag/i, 3],
    ['a number outside JSON', `${head}x-it: .inf\n`, /cannot represent this number/, 3],
    ['two documents', `${head}---\n${head}`, /more than one/, undefined],
    ['deep nesting', `${head}x-it: ${'['.repeat(300)}${']'.repeat(300)}\n`, /too deeply/, 3],
    ['very deep nesting', `${head}x-it: ${'['.repeat(50_000)}${']'.repeat(50_000)}\n`, /too deeply/, undefined],
    ['a list', '- a\n', /must be an object/, 1],
    ['no version', 'info: {}\n', /3\.1/, undefined],
    ['an unknown version of OpenAPI', "openapi: 4.0.0\ninfo: { title: T, version: '1' }\n", /4\.0\.0/, 1],
    ['a number outside JSON in JSON', '{\n"x-it": 1e400}', /cannot represent this number/, 2],
    ['a duplicate key in JSON', '{"a": 1,\n"a": 2}', /twice/, 2],
    ['deep nesting in JSON', `{"x-it":\n${'['.repeat(300)}${']'.repeat(300)}}`, /too deeply/, 2],
    ['a key of JSON that would reach the prototype', '{"x-it":\n{"__proto__": {}}}', /__proto__/, 2],
    ['a version that is a number', 'openapi: 3.1\ninfo: {}\n', /3\.1/, 1],
    ['an info.version that is a list', 'openapi: 3.1.1\ninfo:\n  title: T\n  version: [1]\n', /info\.version/, 4],
    ['no info', 'openapi: 3.1.1\n', /info/, undefined],
    ['an unresolvable reference', `${parameters}    A: { $ref: '#/components/parameters/B' }\n`, /names nothing/, 5],
    ['a reference to a missing file', `${schemas}    A: { $ref: ./missing.yaml }\n`, /missing\.yaml/, 5],
    [
      'a reference to the network',
      `${parameters}    A: { $ref: 'https://example.com/a.yaml' }\n`,
      /leaves the file system/,
      5,
    ],
    ['a reference that is not a pointer', `${parameters}    A: { $ref: '#anchor' }\n`, /JSON pointer/, 5],
    [
      'a cycle of references',
      `${schemas}    A: { $ref: '#/components/schemas/B' }\n    B: { $ref: '#/components/schemas/A' }\n`,
      /back to itself/,
      undefined,
    ],
    [
      'a schema that contains itself',
      `${schemas}    A: { allOf: [{ $ref: '#/components/schemas/A' }] }\n`,
      /back to itself/,
      5,
    ],
    ['a path without a slash', `${head}paths:\n  users: {}\n`, /slash/, 4],
    ['a broken template', `${head}paths:\n  '/a/{b': {}\n`, /template/, 4],
    ['a parameter twice in a template', `${head}paths:\n  '/a/{b}/{b}': {}\n`, /template/, 4],
    [
      'two templates for the same paths',
      `${head}paths:\n  '/a/{b}': { get: {} }\n  '/a/{c}': { get: {} }\n`,
      /openapi\.yaml:4/,
      5,
    ],
    ['an unknown effect', `${head}paths:\n  /a:\n    get: { operationId: x, x-effect: harmless }\n`, /x-effect/, 5],
    ['an unknown successor', `${head}paths:\n  /a:\n    get: { operationId: x, x-successor: y }\n`, /successor/, 5],
    ['an unknown provenance stamp', `${head}x-provenance: guessed\n`, /guessed/, 3],
    ['bytes that are not UTF-8', new Uint8Array([0x6f, 0xff, 0xfe]), /UTF-8/, undefined],
    ['UTF-16', new Uint8Array(Buffer.from('\uFEFFopenapi: 3.1.1', 'utf16le')), /UTF-8/, undefined],
  ];
  test.each(cases)('%s', async (_, text, message, line) => {
    const error = await loading(text);
    expect(error.code).toBe('spec-invalid');
    expect(error.message).toMatch(message);
    expect(error.message).not.toMatch(/\n|\bat .*\.[jt]s\b/);
    expect(error.place?.file).toMatch(/openapi\.yaml$/);
    if (line !== undefined) expect(error.place).toMatchObject({ line, column: expect.any(Number) });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('a mistake in a referenced file is reported in that file', async () => {
    const error = await loading(`${schemas}    A: { $ref: ./a.yaml }\n`, { 'a.yaml': 'type: object\ntype: string\n' });
    expect(error.place).toMatchObject({ file: expect.stringMatching(/a\.yaml$/), line: 2 });
  });

  test('files that include each other in a cycle are rejected', async () => {
    const loop = await loading(`${schemas}    A: { items: { $ref: ./a.yaml } }\n`, {
      'a.yaml': '{ $ref: ./b.yaml }\n',
      'b.yaml': '{ $ref: ./a.yaml }\n',
    });
    expect(loop.message).toMatch(/back to itself/);
    expect(loop.place).toMatchObject({ file: expect.stringMatching(/b\.yaml$/), line: 1 });
  });

  test('a missing file exits with 2, an invalid file with 3', async () => {
    const missing = await failure(loadContract({ root: '/nowhere/openapi.yaml' }));
    expect(missing).toMatchObject({ code: 'file-missing', exitCode: 2 });
    const folder = await folderWith({});
    expect(await failure(loadContract({ root: folder }))).toMatchObject({ code: 'file-unreadable', exitCode: 2 });
    expect((await loading('{}')).exitCode).toBe(3);
  });
});
