/**
 * Updates all generated files: `npm run generate`. `node scripts/generate.ts STEP…` runs only some steps. `--check`
 * writes nothing and exits with 1 if a file is stale.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { getCountrySpecifications } from 'ibantools';
import { parse } from 'yaml';
import type { EntitiesFile } from '../generated/mock/entities.ts';
import { assumedIn, type ContractFile, PARTS } from '../src/contract/contract-file.ts';
import { changedFiles, type Made, staleFiles, withMark, writeFiles } from '../src/generate/files.ts';
import { packageRoot } from '../src/package-root.ts';

/** In this order, each loaded at its turn: a step may load output of earlier steps. */
const STEPS: Readonly<Record<string, () => Promise<Made>>> = {
  contract: async () => {
    const read = async (file: string): Promise<unknown> => parse(await readFile(join(packageRoot, file), 'utf8'));
    const own = (await read('contract.yaml')) as ContractFile;
    const entities = (await read(own.entities ?? PARTS.entities)) as EntitiesFile;
    const assumed = assumedIn(entities);
    const text = `import type { Assumed, ContractFile } from '../src/contract/contract-file.ts';
import type { Roles } from './mock/entities.ts';

export const own: ContractFile = ${JSON.stringify(own, null, 2)};

export const assumed: Assumed = ${JSON.stringify(assumed, null, 2)};

export const roles: Roles = ${JSON.stringify(entities.roles ?? {}, null, 2)};
`;
    return { folder: 'generated', files: { 'contract.ts': text } };
  },
  token: async () => {
    const { token, operation } = await ownContract();
    const path = operation(token?.operationId ?? '')?.path;
    if (token === null || path == null) throw new Error('the contract has no token endpoint');
    const own = { path, clientAuthentication: token.clientAuthentication };
    const text = `/** How tokens are had by the own contract of the package. */
export const own = ${JSON.stringify(own, null, 2)} as const;
`;
    return { folder: 'generated', files: { 'token.ts': text } };
  },
  ibans: async () => {
    const lengths = Object.entries(getCountrySpecifications()).flatMap(([country, { chars }]) =>
      chars === null ? [] : [`  ${country}: ${chars},\n`],
    );
    const text = `/** Length of an IBAN by country, as the package ibantools knows it. */
export const IBAN_LENGTHS: Readonly<Record<string, number>> = {\n${lengths.join('')}};\n`;
    return { folder: 'generated', files: { 'iban-lengths.ts': text } };
  },
  currencies: async () => {
    const { default: currencies } = await import('currency-codes');
    const rows = currencies.codes().map((code) => `  ${code}: ${currencies.code(code)?.digits ?? 0},\n`);
    const text = `/** How many decimals the amounts of a currency have (ISO 4217), as the package currency-codes knows it. */
export const CURRENCY_DECIMALS: Readonly<Record<string, number>> = {\n${rows.join('')}};\n`;
    return { folder: 'generated', files: { 'currencies.ts': text } };
  },
  validators: async () => {
    const { generateValidators } = await import('../src/generate/validators.ts');
    return {
      folder: 'generated/validators',
      files: await generateValidators(await ownContract()),
      whole: true,
    };
  },
  examples: async () => (await import('./generate/examples.ts')).examples(),
  mock: async () => (await import('./generate/mock.ts')).mock(),
  engines: async () => (await import('./generate/engines.ts')).engines(),
  rules: async () => (await import('./generate/rules.ts')).rules(),
  repository: async () => (await import('./generate/repository.ts')).repository(),
  index: async () => (await import('./generate/index-of-docs.ts')).indexOfDocs(),
};

async function ownContract() {
  const { loadContract } = await import('../src/contract/load.ts');
  return loadContract();
}

const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true });
for (const [step, make] of Object.entries(STEPS)) {
  if (positionals.length > 0 && !positionals.includes(step)) continue;
  const { folder, files, whole } = await make();
  const made = folder.startsWith('generated') ? withMark('scripts/generate.ts', files) : files;
  const path = join(packageRoot, folder);
  const stale = await (whole ? staleFiles : changedFiles)(path, made);
  const names = stale.map((file) => `${folder}/${file}`).join(', ');
  if (stale.length === 0) console.log(`${step}: up to date`);
  else if (values.check) {
    console.error(`${step}: stale (${names}); run node scripts/generate.ts ${step}`);
    process.exitCode = 1;
  } else {
    await writeFiles(path, made, stale);
    console.log(`${step}: written ${names}`);
  }
}
