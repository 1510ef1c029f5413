import { spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { VALIDATORS } from '../../generated/validators/by-name.ts';
import { IssueNewCardRequest } from '../../generated/validators/issue-new-card-request.ts';
import { IssueNewCardRequest as Light } from '../../generated/validators/issue-new-card-request-light.ts';
import { loadContract } from '../../src/contract/load.ts';
import { staleFiles, withMark, writeFiles } from '../../src/generate/files.ts';
import { generateValidators, jsonSchemas } from '../../src/generate/validators.ts';
import { packageRoot } from '../../src/package-root.ts';
import { gzippedSize } from '../support/gzipped-size.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const FOLDER = join(packageRoot, 'generated/validators');
const RUNTIME = join(packageRoot, 'src/validators');
const contract = await loadContract();
const files = withMark('scripts/generate.ts', await generateValidators(contract));
const modules = Object.keys(files).filter((name) => !['types.ts', 'all.ts', 'by-name.ts'].includes(name));

const scratch = await temporaryFolder();

describe('the generated validators', () => {
  it('the generated validators match the current contract', async () => {
    expect(await staleFiles(FOLDER, files)).toEqual([]);
  });

  it('the generated validators are byte-for-byte reproducible', async () => {
    expect(withMark('scripts/generate.ts', await generateValidators(contract))).toEqual(files);
  });

  it('the generated validators make no code at run time and import only their neighbours', async () => {
    const names = (await readdir(RUNTIME)).filter((name) => name.endsWith('.ts') && name !== 'formats.ts');
    const texts = await Promise.all(names.map((name) => readFile(join(RUNTIME, name), 'utf8')));
    for (const text of [...Object.values(files), ...texts]) {
      expect(text).not.toMatch(/\beval\b|new Function|\brequire\(|\bprocess\b|\bimport\(/);
      for (const [, specifier] of text.matchAll(/\bfrom ['"]([^'"]+)['"]/g))
        expect(specifier).toMatch(
          /^(?:(?:\.|\.\.\/\.\.\/src\/validators)\/[\w-]+|\.\.\/text\/(?:plain|pointer|sorted-text))\.ts$/,
        );
    }
  });

  it('the generated validators work where code generation is forbidden', () => {
    const program = `import { Token } from ${JSON.stringify(pathToFileURL(join(FOLDER, 'token.ts')))};
      process.stdout.write(JSON.stringify([Token.is({}), Token.check({}).problems.length, Token.exact.is({})]));`;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', program],
      { encoding: 'utf8' },
    );
    expect(stdout, stderr).toBe('[false,5,false]');
  });

  it.each(modules)('%s costs less than 6 kB, minified and gzipped', async (file) => {
    expect(await gzippedSize(`export * from ${JSON.stringify(join(FOLDER, file))}`)).toBeLessThan(6000);
  });

  it('the light form of Card costs at most 3 kB', async () => {
    const size = await gzippedSize(`export { Card } from ${JSON.stringify(join(FOLDER, 'card-light.ts'))}`);
    expect(size).toBeLessThanOrEqual(3000);
  });

  it('the light form has no schemas and gives the same results', () => {
    expect([Object.keys(Light), Object.keys(Light['~standard'])]).toEqual([
      ['is', 'assert', 'check', '~standard', 'name', 'exact', 'forCurrency'],
      ['version', 'vendor', 'validate'],
    ]);
    const limited = { clientId: 'c', cardLimitDaily: 100_001, unknown: 1 };
    for (const value of [limited, { clientId: 1 }, {}, null]) {
      expect(Light.check(value)).toEqual(IssueNewCardRequest.check(value));
      expect(Light.forCurrency('gbp').exact.check(value)).toEqual(
        IssueNewCardRequest.forCurrency('gbp').exact.check(value),
      );
    }
  });

  it('an import of all validators costs only the used ones', async () => {
    const one = await gzippedSize(`export { Client } from ${JSON.stringify(join(FOLDER, 'client.ts'))}`);
    const all = await gzippedSize(`export { Client } from ${JSON.stringify(join(FOLDER, 'all.ts'))}`);
    expect(all).toBeLessThan(one * 1.5 + 500);
  });
});

it('there is one JSON Schema file per schema; a strict validator accepts it and agrees with ours', async () => {
  const folder = join(scratch, 'schemas');
  const schemas = jsonSchemas(contract);
  await writeFiles(folder, schemas, Object.keys(schemas));
  const names = await readdir(folder);
  expect(names).toHaveLength(Object.keys(VALIDATORS).length);
  for (const name of names) {
    const schema = JSON.parse(await readFile(join(folder, name), 'utf8'));
    expect(schema.$id).toBe(`urn:banking-api-contract:schemas:${name.replace('.json', '')}`);
    const ajv = new Ajv2020({ strict: true });
    formats.default(ajv);
    const validate = ajv.compile(schema);
    const validator = VALIDATORS[schema.title];
    expect(validator?.schema).toEqual(schema);
    for (const value of [{}, [], { token: 1 }, { visible: 'true' }, { paymentProvider: null }]) {
      expect(validator?.is(value)).toBe(validate(value));
    }
  }
});
