/** Compiles schemas with Ajv (2020-12, standalone, every error) into plain ESM functions without dependencies. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { _ } from 'ajv/dist/compile/codegen/index.js';
import standalone from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import type { JsonObject } from '../../src/spec/contract.ts';
import { isDateTime } from '../../src/validators/date-time.ts';

/** An Ajv that is set up as the exported validators promise. */
export function strictAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    allErrors: true,
    ownProperties: true,
    messages: false,
    code: { source: true, esm: true, lines: true, formats: _`FORMATS` },
  });
  ajv.addFormat('date-time', isDateTime);
  return ajv;
}

/** The source of one function per schema, under the names given; `FORMATS` must be in scope where `usesFormats` is true. */
export async function compileCollectors(schemas: Readonly<Record<string, JsonObject>>): Promise<string> {
  const ajv = strictAjv();
  // no schema of ours asks for these; without them a bundler can drop a validator that nobody uses
  Object.assign(ajv.opts, { unevaluated: false, dynamicRef: false });
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, name);
  const names = Object.fromEntries(Object.keys(schemas).map((name) => [name, name]));
  const source = standalone.default(ajv, names);
  const bundled = await build({
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
  const text = bundled.outputFiles[0]?.text ?? '';
  const exported = /export \{[^}]*\};\s*$/;
  if (!exported.test(text) || /\brequire\b|\beval\b|new Function/.test(text)) {
    throw new Error('esbuild returned something other than a self-contained module');
  }
  return text
    .replace(exported, '')
    .replaceAll(/^\/\/ .*\n/gm, '')
    .trim();
}
