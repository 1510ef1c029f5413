/**
 * The default contract with the mock's assumptions, compiled for pages that forbid `new Function`: the plan and the
 * parts as data, and the validators of request bodies as standalone code.
 */
import { join } from 'node:path';
import { type KeywordCxt, Name, nil, stringify } from 'ajv/dist/core.js';
import { loadContract } from '../../src/contract/load.ts';
import { assertionsIn } from '../../src/generate/schemas.ts';
import { standaloneModule } from '../../src/generate/standalone.ts';
import { planContract } from '../../src/mock/compile/compile.ts';
import { hookFiles } from '../../src/mock/tenant/read-hooks.ts';
import { partsOfContract } from '../../src/mock/tenant/read-parts.ts';
import { packageRoot } from '../../src/package-root.ts';
import { compilerOf, type Refer, usesUnevaluated } from '../../src/schema/ajv.ts';
import { documentFor } from '../../src/schema/direction.ts';
import { type JsonObject, nodeAt } from '../../src/schema/json.ts';
import type { Schema } from '../../src/schema/schema-document.ts';
import { formatFragment, parsePointer, pointerOfReference } from '../../src/text/pointer.ts';

/** A module that exports `plan`, `validators`, `parts` and `hooks`. */
export async function compiledModule(): Promise<string> {
  const contract = await loadContract({ assumed: true });
  const pointers = new Map<string, string>();
  const { document, folder } = contract;
  const plan = planContract(contract, compilerOf(documentFor(document, 'response')), ({ name, pointer }) => {
    pointers.set(name, pointer);
  });
  const { entities, seed, profile } = await partsOfContract(contract);
  const files = (await hookFiles(folder.hooks)).sort();
  const imports = files.map((file, index) => `import * as hooks${index} from ${JSON.stringify(file)};\n`);
  return `${imports.join('')}import { ownFolder } from ${JSON.stringify(join(packageRoot, 'src/contract/folder.ts'))};
${await validatorsCode(documentFor(document, 'request'), pointers)}
export const plan = ${JSON.stringify(plan)};
export const hooks = { ${files.map((_, index) => `...hooks${index}`).join(', ')} };
export const parts = {
  ...${JSON.stringify({ entities, seed, profile })},
  folder: ownFolder,
  hooks,
};
`;
}

/** Ajv's standalone code, so that Ajv is not loaded. */
async function validatorsCode(document: JsonObject, pointers: ReadonlyMap<string, string>): Promise<string> {
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
  return `${code}\nexport const validators = {\n${map.join('')}};\n`;
}

/** The code of a target in place of its reference, so that its errors have the pointers of the document. */
function writeHere(cxt: KeywordCxt, schema: Schema): void {
  const valid = cxt.gen.name('valid');
  const topSchemaRef = cxt.gen.scopeValue('schema', { ref: schema, code: stringify(schema) });
  const at = { schemaPath: nil, errSchemaPath: String(cxt.schema), topSchemaRef };
  cxt.mergeEvaluated(cxt.subschema({ schema, dataTypes: [], ...at }, valid));
  cxt.ok(valid);
}
