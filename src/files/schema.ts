import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../package-root.ts';

/** The JSON Schemas that this package publishes under `schemas/`. */
export type PublishedSchema =
  | 'baseline'
  | 'config'
  | 'contract'
  | 'journal'
  | 'profile'
  | 'report'
  | 'scenario'
  | 'seed';

export interface SchemaProblem {
  /** JSON pointer of what is wrong; of an unknown key the pointer of the key itself. */
  readonly pointer: string;
  readonly message: string;
  /** Set where the problem is a key that the schema does not know: the key, and those that it knows there. */
  readonly unknownKey?: { readonly key: string; readonly known: readonly string[] };
}

export type SchemaCheck = (value: unknown) => readonly SchemaProblem[];

const checks = new Map<PublishedSchema, Promise<SchemaCheck>>();

/** A check against a published schema, compiled once. Formats are not judged. */
export function schemaCheck(name: PublishedSchema): Promise<SchemaCheck> {
  let check = checks.get(name);
  if (check === undefined) {
    check = compile(name);
    checks.set(name, check);
  }
  return check;
}

/** Every property of a published schema by its dotted path, such as `target.baseUrl`. */
export async function schemaPaths(name: PublishedSchema): Promise<readonly string[]> {
  const walk = (schema: { properties?: Record<string, object> }, prefix: string): string[] =>
    Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => [
      prefix + key,
      ...walk(inner, `${prefix}${key}.`),
    ]);
  return walk(JSON.parse(await schemaText(name)), '');
}

function schemaText(name: PublishedSchema): Promise<string> {
  return readFile(join(packageRoot, 'schemas', `${name}.schema.json`), 'utf8');
}

async function compile(name: PublishedSchema): Promise<SchemaCheck> {
  const [{ Ajv2020 }, text] = await Promise.all([import('ajv/dist/2020.js'), schemaText(name)]);
  const ajv = new Ajv2020({
    allErrors: true,
    validateFormats: false,
    verbose: true,
    strict: true,
    strictRequired: false,
    strictTypes: false,
  });
  const validate = ajv.compile(JSON.parse(text));
  return (value) => {
    if (validate(value)) return [];
    return (validate.errors ?? []).map((error) => {
      if (error.keyword !== 'additionalProperties') return { pointer: error.instancePath, message: sentence(error) };
      const key = String(error.params.additionalProperty);
      const known = Object.keys((error.parentSchema?.properties as object | undefined) ?? {});
      const escaped = key.replaceAll('~', '~0').replaceAll('/', '~1');
      return {
        pointer: `${error.instancePath}/${escaped}`,
        message: `There is no key ${JSON.stringify(key)} here.`,
        unknownKey: { key, known },
      };
    });
  };
}

function sentence(error: { keyword: string; message?: string; params: Record<string, unknown> }): string {
  if (error.keyword === 'enum') {
    return `It must be one of ${(error.params.allowedValues as unknown[]).map((word) => JSON.stringify(word)).join(', ')}.`;
  }
  if (error.keyword === 'const') return `It must be ${JSON.stringify(error.params.allowedValue)}.`;
  if (error.keyword === 'pattern') return 'It does not have the form that is wanted here.';
  return `It ${error.message ?? 'is not valid'}.`;
}
