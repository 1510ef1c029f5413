import { _ } from 'ajv/dist/compile/codegen/index.js';
import standalone from 'ajv/dist/standalone/index.js';
import { createAjv, type Refer } from '../schema/ajv.ts';
import type { Schema } from '../schema/schema-document.ts';
import { patternIn } from '../validators/pattern.ts';
import { tools } from './tools.ts';

/** Modules of the run time that standalone code may use, by the name that it calls. */
const RUNTIME = {
  isMultipleOf: 'multiple-of',
  equalItems: 'unique-items',
  isIsoDateTime: 'date-time',
  patternIn: 'pattern',
  FORMATS: 'formats',
} as const;

/** The formats that need no package. */
const OWN_FORMATS = "const FORMATS = { 'date-time': isIsoDateTime };\n";

/**
 * An ES module of Ajv's functions, one for each schema, under its name. It imports only the run time.
 *
 * @param schemas may grow while they are compiled
 * @param refer names the function that it calls for a reference
 */
export async function standaloneModule(
  schemas: ReadonlyMap<string, Schema>,
  refer: Refer,
  options: { readonly unevaluated: boolean; readonly messages: boolean },
): Promise<string> {
  const regExp = Object.assign(patternIn, { code: 'patternIn' });
  const code = { source: true, esm: true, lines: true, formats: _`FORMATS`, regExp };
  const ajv = createAjv(refer, { ...options, code });
  for (const [name, schema] of schemas) {
    ajv.addSchema(schema, name);
    ajv.getSchema(name);
  }
  const made = standalone.default(ajv, Object.fromEntries([...schemas.keys()].map((name) => [name, name])));
  const used = [...made.matchAll(/\bFORMATS(?:\.(\w+)|\["([^"]+)"\])/g)].map(([, word, text]) => word ?? text);
  const isOwn = used.length > 0 && used.every((name) => name === 'date-time');
  return bundled(isOwn ? OWN_FORMATS + made : made);
}

/** With Ajv's own helpers, without `require`. */
async function bundled(source: string): Promise<string> {
  const isDefined = source.startsWith(OWN_FORMATS);
  const imports = Object.entries(RUNTIME)
    .filter(([name]) => new RegExp(`\\b${name}\\b`).test(source) && !(isDefined && name === 'FORMATS'))
    .map(([name, file]) => `import { ${name} } from '../../src/validators/${file}.ts';\n`);
  const { outputFiles } = await tools().build({
    stdin: { contents: imports.join('') + source, resolveDir: import.meta.dirname, loader: 'js' },
    bundle: true,
    write: false,
    external: ['../../src/validators/*'],
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    minifySyntax: true,
    mainFields: ['main'],
    logLevel: 'error',
  });
  const plain = (outputFiles[0]?.text ?? '')
    // Ajv would call its helpers like this in unbundled code
    .replaceAll(/\b\w+\.code = ['"]require\([^\n]*?\)\.default['"];?/g, '')
    // esbuild writes `var`, but V8 calls only constants without a check
    .replaceAll(/^var (?=(?:func|formats|pattern|schema)\d+ = )/gm, 'const ');
  return plain.replaceAll(/^\/\/ .*\n/gm, '').trim();
}
