/**
 * The package's own contract with the mock's assumptions, compiled ahead of time. It consists of the plan as a module,
 * the validators of request bodies as standalone code, and the types of the mock's files.
 */
import { readdirSync } from 'node:fs';
import { type KeywordCxt, Name, nil, stringify } from 'ajv/dist/core.js';
import type { Contract } from '../../src/contract/contract.ts';
import { ownFolder } from '../../src/contract/folder.ts';
import { loadContract } from '../../src/contract/load.ts';
import { publishedSchema } from '../../src/files/schema.ts';
import type { Made } from '../../src/generate/files.ts';
import { assertionsIn, componentSchemas } from '../../src/generate/schemas.ts';
import { standaloneModule } from '../../src/generate/standalone.ts';
import { emitTypes } from '../../src/generate/types.ts';
import { planContract } from '../../src/mock/compile/compile.ts';
import type { Plan } from '../../src/mock/compile/plan.ts';
import { publishedDocument } from '../../src/mock/document/published-document.ts';
import type { Parts } from '../../src/mock/tenant/parts.ts';
import { readHooks, readParts } from '../../src/mock/tenant/read-parts.ts';
import { compilerOf, type Refer, usesUnevaluated } from '../../src/schema/ajv.ts';
import { documentFor } from '../../src/schema/direction.ts';
import { type JsonObject, nodeAt } from '../../src/schema/json.ts';
import type { Schema } from '../../src/schema/schema-document.ts';
import { formatFragment, parsePointer, pointerOfReference } from '../../src/text/pointer.ts';
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
  const pointers = new Map<string, string>();
  const made = planContract(from, compilerOf(documentFor(from.document, 'response')), ({ name, pointer }) => {
    pointers.set(name, pointer);
  });
  return {
    plan: planModule(made),
    validators: await validatorsModule(documentFor(from.document, 'request'), pointers),
  };
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

/** Ajv's standalone code, so that Ajv is not loaded. */
async function validatorsModule(document: JsonObject, pointers: ReadonlyMap<string, string>): Promise<string> {
  const names = new Map<string, string>();
  const schemas = new Map<string, Schema>();
  const at = (reference: string): Schema =>
    assertionsIn(nodeAt(document, pointerOfReference(reference) ?? '') ?? true) as Schema;
  const nameOf = (reference: string): string => {
    const { $ref = '', ...others } = at(reference) as JsonObject;
    if ($ref !== '' && Object.keys(others).length === 0) return nameOf(String($ref));
    const known = names.get(reference);
    if (known !== undefined) return known;
    const name = `judge${names.size}`;
    names.set(reference, name);
    schemas.set(name, { $ref: reference });
    return name;
  };
  const refer: Refer = (reference, cxt) => {
    if (cxt.it.errSchemaPath !== '#') return new Name(nameOf(reference));
    writeHere(cxt, at(reference));
    return undefined;
  };
  const map = [...pointers].map(([name, pointer]) => {
    return `  ${JSON.stringify(name)}: ${nameOf(formatFragment(parsePointer(pointer) ?? []))},\n`;
  });
  const code = await standaloneModule(schemas, refer, { unevaluated: usesUnevaluated(document), messages: true });
  const typed = `\nexport const validators: Validators = {\n${map.join('')}} as unknown as Validators;\n`;
  return `// @ts-nocheck\nimport type { Validators } from '../../src/mock/compile/plan.ts';\n\n${code}\n${typed}`;
}

/** The code of a target in place of its reference, so that its errors have the pointers of the document. */
function writeHere(cxt: KeywordCxt, schema: Schema): void {
  const valid = cxt.gen.name('valid');
  const topSchemaRef = cxt.gen.scopeValue('schema', { ref: schema, code: stringify(schema) });
  const at = { schemaPath: nil, errSchemaPath: String(cxt.schema), topSchemaRef };
  cxt.mergeEvaluated(cxt.subschema({ schema, dataTypes: [], ...at }, valid));
  cxt.ok(valid);
}
