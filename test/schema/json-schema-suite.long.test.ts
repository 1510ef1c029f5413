import { globSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { generateCode } from '../../src/generate/code.ts';
import { writeFiles } from '../../src/generate/files.ts';
import { createSchemas } from '../../src/judge/schemas.ts';
import { compileContract } from '../../src/mock/compile/compile.ts';
import { packageRoot } from '../../src/package-root.ts';
import type { Json, JsonObject } from '../../src/schema/json.ts';
import type { Validator } from '../../src/validators/validator.ts';
import { contractOf, folderWith } from '../contract/support.ts';

interface Group {
  readonly description: string;
  readonly schema: Json;
  readonly tests: readonly { readonly description: string; readonly data: Json; readonly valid: boolean }[];
}

/** How many tests Ajv alone passes with all formats (8.20). */
const PLAIN_AJV = 1226;
/** Tests with another verdict than the suite, as `docs/openapi.md` lists them. */
const DIFFERENCES: readonly (readonly [file: string, count: number, reason: string])[] = [
  ['defs', 1, 'The metaschema has a `$dynamicRef` with several anchors.'],
  ['dynamicRef', 17, 'A `$dynamicRef` with several anchors is not judged.'],
  ['format', 15, 'Formats are judged. The suite takes them as annotations.'],
  ['properties', 3, 'No document may have the key `__proto__`.'],
  ['required', 4, 'No document may have the key `__proto__`.'],
  ['unevaluatedItems', 11, 'Ajv sees items of `contains` and of an `if` alone otherwise. One has a `$dynamicRef`.'],
  ['unevaluatedProperties', 4, 'Ajv does not see members of an `if` alone. One has a `$dynamicRef`.'],
  ['vocabulary', 1, 'A metaschema cannot switch keywords off.'],
];

const SUITE = join(import.meta.dirname, '../suites/json-schema');
const META = createRequire(import.meta.url).resolve('ajv/dist/refs/json-schema-2020-12/schema.json');

const read = (file: string): Json => JSON.parse(readFileSync(file, 'utf8'));
const filesIn = (folder: string): string[] => globSync('**/*.json', { cwd: folder }).sort();

const groups = filesIn(join(SUITE, 'draft2020-12')).flatMap((file) =>
  (read(join(SUITE, 'draft2020-12', file)) as unknown as Group[]).map((group) => ({
    ...group,
    file: basename(file, '.json'),
  })),
);
/** No document may have this name. */
const isReadable = ({ schema }: Group): boolean => !JSON.stringify(schema).includes('"__proto__"');

/** A schema as a resource of its own: `#` is its root. */
function resource(schema: Json, $id: string): Json {
  return typeof schema === 'object' && schema !== null ? { $id, ...(schema as JsonObject) } : schema;
}

/** The documents at `http://localhost:1234`, and the metaschemas, embedded. */
function others(): JsonObject {
  const folder = join(SUITE, 'remotes');
  const remotes = filesIn(folder).flatMap((file): [string, Json][] => {
    const at = `http://localhost:1234/draft2020-12/${file}`;
    const schema = resource(read(join(folder, file)), at) as JsonObject;
    const alias: [string, Json][] = schema.$id === at ? [] : [[`${file} alias`, { $id: at, $ref: String(schema.$id) }]];
    return [[file, schema], ...alias];
  });
  const metas = ['schema.json', ...filesIn(join(META, '../meta')).map((file) => `meta/${file}`)];
  const schemas = [...remotes, ...metas.map((file): [string, Json] => [file, read(join(META, '..', file))])];
  return Object.fromEntries(schemas.map(([name, schema]) => [name.replaceAll(/[^\w]/g, '_'), schema]));
}

test('mock, verify and generated validators judge the official suite alike', { timeout: 300_000 }, async () => {
  const named = groups.map((group, index) => ({ ...group, name: `Group${index}` }));
  const schemas = named.map(
    (group) =>
      [group.name, isReadable(group) ? resource(group.schema, `https://suite.example/${group.name}`) : true] as const,
  );
  const content = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } });
  const paths = named.map(({ name }) => {
    const post = { operationId: name, requestBody: { content: content(name) }, responses: {} };
    return [`/${name}`, { post }] as const;
  });
  const contract = await contractOf({
    ...{ openapi: '3.1.1', info: { title: 'Suite', version: '1' }, paths: Object.fromEntries(paths) },
    components: { schemas: { ...Object.fromEntries(schemas), ...others() } },
  });
  const { validators: mock } = await compileContract(contract);
  const verify = createSchemas(contract);
  const files = await generateCode(contract);
  const folder = await folderWith({ 'package.json': '{ "type": "module" }' });
  await mkdir(join(folder, 'validators'));
  const scripts = Object.keys(files).filter((file) => file.endsWith('.js'));
  await writeFiles(folder, files, scripts);
  const generated: Readonly<Record<string, Validator<unknown>>> = await import(
    pathToFileURL(join(folder, 'validators/index.js')).href
  );
  const different: string[] = [];
  const wrong: Record<string, number> = {};
  let right = 0;
  for (const { file, name, description, tests } of named)
    for (const { data, valid, description: what } of tests) {
      const verdicts = new Set([
        mock[`${name} application/json`]?.(data) ?? true,
        verify.problems(`/components/schemas/${name}`, data).length === 0,
        generated[name]?.is(data),
      ]);
      if (verdicts.size > 1) different.push(`${file}: ${description}, ${what}`);
      else if (verdicts.has(valid)) right += 1;
      else wrong[file] = (wrong[file] ?? 0) + 1;
    }
  expect(different).toEqual([]);
  expect(wrong).toEqual(Object.fromEntries(DIFFERENCES.map(([file, count]) => [file, count])));
  expect(right).toBeGreaterThan(PLAIN_AJV);
  const table = DIFFERENCES.map(([file, count, reason]) => `| \`${file}\` | ${count} | ${reason} |`);
  const total = right + DIFFERENCES.reduce((sum, [, count]) => sum + count, 0);
  const page = readFileSync(join(packageRoot, 'docs/openapi.md'), 'utf8');
  expect(page).toContain(`${right.toLocaleString('en')} of its ${total.toLocaleString('en')} tests`);
  expect(page).toContain(table.join('\n'));
});
