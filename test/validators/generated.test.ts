import { spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gzippedSize } from '../../bench/validators-cost.ts';
import { generateValidators, staleFiles, writeSchemas } from '../../scripts/generate-validators.ts';
import { packageRoot } from '../../src/package-root.ts';
import { loadContract } from '../../src/spec/load.ts';
import { VALIDATORS } from '../../src/validators/generated/by-name.ts';

const FOLDER = join(packageRoot, 'src/validators');
const contract = await loadContract();
const files = await generateValidators(contract);
const modules = [...files.keys()].filter((name) => !['types.ts', 'all.ts', 'by-name.ts'].includes(name));

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'generated-'));
});
afterAll(() => rm(scratch, { recursive: true }));

describe('the generated validators', () => {
  it('are what the contract says today', async () => {
    expect(await staleFiles(files)).toEqual([]);
  });

  it('come out the same, byte for byte, every time', async () => {
    expect(await generateValidators(contract)).toEqual(files);
  });

  it('are marked as generated, with the command that does it', () => {
    for (const text of files.values()) {
      expect(text.split('\n').slice(0, 2).join('\n')).toContain(
        'Generated from spec/ by `node scripts/generate-validators.ts`. Do not edit.',
      );
    }
  });

  it('are found stale when one is changed, missing or left over', async () => {
    for (const name of files.keys()) await copyFile(join(FOLDER, 'generated', name), join(scratch, name));
    expect(await staleFiles(files, scratch)).toEqual([]);
    await writeFile(join(scratch, 'card.ts'), 'changed');
    await writeFile(join(scratch, 'left-over.ts'), '');
    await rm(join(scratch, 'token.ts'));
    expect(await staleFiles(files, scratch)).toEqual(['card.ts', 'left-over.ts', 'token.ts']);
  });

  it('make no code at run time and import nothing but their neighbours', async () => {
    const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.ts'));
    const texts = await Promise.all(names.map((name) => readFile(join(FOLDER, name), 'utf8')));
    for (const text of [...files.values(), ...texts]) {
      expect(text).not.toMatch(/\beval\b|new Function|\brequire\(|\bprocess\b|\bimport\(/);
      for (const [, specifier] of text.matchAll(/\bfrom '([^']+)'/g))
        expect(specifier).toMatch(/^\.\.?\/[\w./-]+\.ts$/);
    }
  });

  it('work where making code is forbidden', () => {
    const program = `import { Token } from ${JSON.stringify(join(FOLDER, 'generated/token.ts'))};
      process.stdout.write(JSON.stringify([Token.is({}), Token.check({}).problems.length, Token.exact.is({})]));`;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', program],
      { encoding: 'utf8' },
    );
    expect(stdout, stderr).toBe('[false,5,false]');
  });

  it.each(modules)('%s costs less than 6 kB, minified and gzipped', async (file) => {
    expect(await gzippedSize(`export * from ${JSON.stringify(join(FOLDER, 'generated', file))}`)).toBeLessThan(6000);
  });

  it('cost an importer of all only what is used of them', async () => {
    const one = await gzippedSize(`export { Client } from ${JSON.stringify(join(FOLDER, 'generated/client.ts'))}`);
    const all = await gzippedSize(`export { Client } from ${JSON.stringify(join(FOLDER, 'generated/all.ts'))}`);
    expect(all).toBeLessThan(one * 1.5 + 500);
  });
});

describe('the published JSON Schemas', () => {
  it('are one file per schema, which a strict validator takes as it is and judges as ours does', async () => {
    const folder = join(scratch, 'schemas');
    await writeSchemas(contract, folder);
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
});
