/**
 * The package's own contract with the mock's assumptions, compiled ahead of time. It consists of the plan as a module,
 * the validators of request bodies as standalone code, and the types of the mock's files.
 */
import { readdirSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import formats from 'ajv-formats';
import { AJV_OPTIONS, addAnnotations, compilerOf } from '../../src/contract/ajv.ts';
import type { Contract, JsonObject, Schema } from '../../src/contract/contract.ts';
import { ownFolder } from '../../src/contract/folder.ts';
import { loadContract } from '../../src/contract/load.ts';
import { publishedSchema } from '../../src/files/schema.ts';
import { bundledModule } from '../../src/generate/collector.ts';
import type { Made } from '../../src/generate/files.ts';
import { componentSchemas } from '../../src/generate/schemas.ts';
import { emitTypes } from '../../src/generate/types.ts';
import { planContract } from '../../src/mock/compile/compile.ts';
import type { Plan } from '../../src/mock/compile/plan.ts';
import { publishedDocument } from '../../src/mock/document/published-document.ts';
import type { Parts } from '../../src/mock/tenant/parts.ts';
import { readHooks, readParts } from '../../src/mock/tenant/read-parts.ts';
import { control } from './control.ts';
import { typesOf } from './types.ts';

const ABOUT_TYPES =
  'What the mock takes and shows: fields that the API reference documents, and those that it assumes; each says which.';

export async function mock(): Promise<Made> {
  const contract = await loadContract({ assumed: true });
  for (const notice of contract.notices) console.error(`${notice.place.file}:${notice.place.line}: ${notice.message}`);
  const { plan, validators } = await generate(contract);
  const parts = await readParts(ownFolder, contract, await readHooks(ownFolder.hooks));
  const document = publishedDocument(contract, parts);
  const files = {
    'plan.ts': plan,
    'validators.ts': validators,
    'parts.ts': partsModule(parts),
    'types.ts': emitTypes(contract, componentSchemas(document), ABOUT_TYPES, document),
    'scenario.ts': await typesOf(await publishedSchema('scenario'), 'ScenarioDefinition'),
    'entities.ts': await typesOf(await publishedSchema('entities'), 'EntitiesFile'),
    'control.ts': await control(),
  };
  return { folder: 'generated/mock', files, whole: true };
}

function literal(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

async function generate(from: Contract): Promise<{ plan: string; validators: string }> {
  const ajv = new Ajv2020({ ...AJV_OPTIONS, code: { source: true, esm: true } });
  formats.default(ajv);
  addAnnotations(ajv, from.document);
  const names: string[] = [];
  const made = planContract(from, compilerOf(from.document), ({ name, schema }) => {
    ajv.addSchema(selfContained(schema, from.document), name);
    names.push(name);
  });
  return { plan: planModule(made), validators: await validatorsModule(ajv, names) };
}

/** A schema with the components that it refers to. References of the bundle are `#/components/…`. */
function selfContained(schema: Schema, document: JsonObject): object {
  if (typeof schema === 'boolean') return schema ? {} : { not: {} };
  const { schemas = {} } = (document.components ?? {}) as JsonObject;
  return { ...schema, components: { schemas } };
}

/** Hooks are code, so the module imports them. */
function partsModule({ entities, seed, profile }: Parts): string {
  const files = readdirSync(ownFolder.hooks).sort();
  const imports = files.map((file, index) => `import * as hooks${index} from '../../mocks/hooks/${file}';`);
  return `import type { Parts } from '../../src/mock/tenant/parts.ts';
import { ownFolder } from '../../src/contract/folder.ts';
${imports.join('\n')}

export const parts: Parts = {
  folder: ownFolder,
  hooks: { ${files.map((_, index) => `...hooks${index}`).join(', ')} },
  profile: ${literal(profile)},
  entities: ${literal(entities)},
  seed: ${literal(seed)},
};
`;
}

function planModule(made: Plan): string {
  return `import type { Plan } from '../../src/mock/compile/plan.ts';\n\nexport const plan: Plan = ${literal(made)};\n`;
}

/** esbuild bundles the run-time helpers of Ajv's standalone code, so that Ajv is not loaded. */
async function validatorsModule(ajv: Ajv2020, names: readonly string[]): Promise<string> {
  const exported = Object.fromEntries(names.map((name, index) => [`validate${index}`, name]));
  const code = standalone.default(ajv, exported);
  const map = names.map((name, index) => `  ${JSON.stringify(name)}: validate${index},`).join('\n');
  const text = await bundledModule(`${code}\nexport const validators = {\n${map}\n};\n`);
  const cut = text.lastIndexOf('export {');
  const typed = '\nconst typed: Validators = validators as unknown as Validators;\nexport { typed as validators };\n';
  return `// @ts-nocheck\nimport type { Validators } from '../../src/mock/compile/plan.ts';\n\n${text.slice(0, cut)}${typed}`;
}
