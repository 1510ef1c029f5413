/** Compiles schemas into plain ESM functions without dependencies: Ajv's standalone collectors of problems, and ours. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { _ } from 'ajv/dist/compile/codegen/index.js';
import standalone from 'ajv/dist/standalone/index.js';
import { AJV_OPTIONS, META } from '../contract/ajv.ts';
import type { JsonObject } from '../contract/contract.ts';
import { regExpOf } from '../patterns/pattern.ts';
import { isIsoDateTime } from '../validators/date-time.ts';
import { compiledSchemas } from './predicates.ts';
import { tools } from './tools.ts';

/** Source of {@link regExpOf}, for patterns that are only valid without the flag `u`. */
const EITHER_WAY = `(source) => { try { return new RegExp(source, 'u'); } catch { return new RegExp(source); } }`;

function strictAjv(code: string): Ajv2020 {
  const ajv = new Ajv2020({
    ...AJV_OPTIONS,
    messages: false,
    code: { source: true, esm: true, lines: true, formats: _`FORMATS`, regExp: Object.assign(regExpOf, { code }) },
  });
  ajv.addFormat('date-time', isIsoDateTime);
  return ajv;
}

function hasOlderPattern(schemas: object): boolean {
  let found = false;
  JSON.stringify(schemas, (key, value) => {
    if (key === 'pattern' && typeof value === 'string' && !regExpOf(value).unicode) found = true;
    return value;
  });
  return found;
}

/**
 * One `Compiled` per schema, under the given names. `FORMATS` must be in scope.
 *
 * @param tell called for each schema that does not compile and thus accepts everything; without it, that schema throws
 */
export async function compileSchemas(
  schemas: Readonly<Record<string, JsonObject>>,
  tell?: (name: string, cause: unknown) => void,
): Promise<string> {
  const ajv = strictAjv(hasOlderPattern(schemas) ? EITHER_WAY : 'new RegExp');
  // a bundler can drop an unused validator if no schema needs these
  const unevaluated = JSON.stringify(schemas).includes('"unevaluated');
  Object.assign(ajv.opts, { unevaluated, dynamicRef: false, inlineRefs: tell === undefined });
  for (const [name, schema] of Object.entries(schemas)) addNamed(ajv, name, schema);
  const judged = { ...schemas };
  for (const [name, schema] of Object.entries(schemas)) {
    try {
      // generated code has no messages, so an error in a schema is found with another instance
      META.validateSchema(schema, true);
      ajv.getSchema(name);
    } catch (cause) {
      if (tell === undefined) throw cause;
      tell(name, cause);
      Object.assign(ajv.schemas[name] ?? {}, { schema: {} });
      ajv.getSchema(name);
      judged[name] = {};
    }
  }
  const names = Object.fromEntries(Object.keys(schemas).map((name) => [`collect_${name}`, name]));
  const collectors = tell === undefined ? standalone.default(ajv, names) : moduleOf(ajv, Object.keys(schemas));
  const bundled = await bundledModule(`${collectors}\n${compiledSchemas(judged)}`);
  // Ajv would call its helpers like this in unbundled code
  const text = bundled.replaceAll(/\b\w+\.code = ['"]require\([^\n]*?\)\.default['"];?/g, '');
  const exported = /export \{[^}]*\};\s*$/;
  if (!exported.test(text) || /\brequire\b|\beval\b|new Function/.test(text)) {
    throw new Error('esbuild returned something other than a self-contained module');
  }
  return text
    .replace(exported, '')
    .replaceAll(/^\/\/ .*\n/gm, '')
    .trim();
}

/** A name is known before its schema is compiled: nested schemas would need more room than a program has. */
function addNamed(ajv: Ajv2020, name: string, schema: JsonObject): void {
  // not judged here, so that an error tells its schema
  ajv.addSchema(schema, name, undefined, false);
  Object.setPrototypeOf(ajv.schemas[name]?.refs, ajv.schemas);
}

/** How many schemas one function may call. Ajv passes all parts of its code as arguments, and the stack has an end. */
const MOST_CALLS = 200;

/** All functions, through one that calls each. By name, Ajv would write mutually recursive schemas twice. */
function moduleOf(ajv: Ajv2020, names: readonly string[]): string {
  const groups = Array.from({ length: Math.ceil(names.length / MOST_CALLS) }, (_, group) => {
    const $ref = `called_by_${group}`;
    addNamed(ajv, $ref, { allOf: names.slice(group * MOST_CALLS, (group + 1) * MOST_CALLS).map(($ref) => ({ $ref })) });
    ajv.getSchema($ref);
    return { $ref };
  });
  const all = standalone.default(ajv, ajv.compile({ allOf: groups }));
  const collectors = names.map((name) => `const collect_${name} = ${ajv.schemas[name]?.validateName};`);
  return `${all.replace(/export const validate = \w+;\s*export default \w+;/, '')}\n${collectors.join('\n')}`;
}

export async function bundledModule(source: string): Promise<string> {
  const { outputFiles } = await tools().build({
    stdin: { contents: source, resolveDir: import.meta.dirname, loader: 'js' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    minifySyntax: true,
    mainFields: ['main'],
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}
