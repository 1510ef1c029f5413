import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { packageRoot } from '../package-root.ts';
import { joinPointer } from '../text/pointer.ts';

export type PublishedSchema =
  | 'baseline'
  | 'config'
  | 'contract'
  | 'entities'
  | 'journal'
  | 'policy'
  | 'profile'
  | 'report'
  | 'scenario'
  | 'seed';

export interface FileSchema {
  readonly properties?: Readonly<Record<string, FileSchema>>;
  readonly [keyword: string]: unknown;
}

export interface FileProblem {
  readonly pointer: string;
  readonly message: string;
  /** Set if the key is not in the schema: the key, and the valid keys at that place. */
  readonly unknownKey?: { readonly key: string; readonly known: readonly string[] };
}

export type SchemaCheck = (value: unknown) => readonly FileProblem[];

export async function schemaCheck(name: PublishedSchema): Promise<SchemaCheck> {
  return compileSchema(await publishedSchema(name));
}

export function schemaPaths(schema: FileSchema, prefix = ''): readonly string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => [
    prefix + key,
    ...schemaPaths(inner, `${prefix}${key}.`),
  ]);
}

export async function publishedSchema(name: PublishedSchema): Promise<FileSchema> {
  return JSON.parse(await readFile(join(packageRoot, 'schemas', `${name}.schema.json`), 'utf8')) as FileSchema;
}

/** Number of values up to which all errors are reported. Beyond it, only the first error is. */
const MANY = 20_000;

/** Compiled schemas by their text: Ajv takes longer for one than a check does. */
const compiled = new Map<string, Promise<SchemaCheck>>();

export function compileSchema(schema: FileSchema): Promise<SchemaCheck> {
  const text = JSON.stringify(schema);
  const check = compiled.get(text) ?? compileNew(schema);
  compiled.set(text, check);
  return check;
}

async function compileNew(schema: FileSchema): Promise<SchemaCheck> {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const compile = (allErrors: boolean): ValidateFunction =>
    new Ajv2020({
      allErrors,
      validateFormats: false,
      verbose: true,
      strict: true,
      strictRequired: false,
      strictTypes: false,
    }).compile(schema);
  const first = compile(false);
  let every: ValidateFunction | undefined;
  return (value) => {
    if (first(value)) return [];
    let told = first.errors;
    if (!hasMany(value)) {
      every ??= compile(true);
      every(value);
      told = every.errors;
    }
    return (told ?? []).map((error) => {
      if (error.keyword !== 'additionalProperties') return { pointer: error.instancePath, message: sentence(error) };
      const key = String(error.params.additionalProperty);
      const known = Object.keys((error.parentSchema?.properties as object | undefined) ?? {});
      return {
        pointer: joinPointer(error.instancePath, key),
        message: `There is no key ${JSON.stringify(key)} here.`,
        unknownKey: { key, known },
      };
    });
  };
}

function hasMany(value: unknown): boolean {
  let count = 0;
  const open = [value];
  for (let next = open.pop(); next !== undefined && count <= MANY; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    for (const child of Object.values(next)) {
      count += 1;
      if (count > MANY) break;
      open.push(child);
    }
  }
  return count > MANY;
}

export function sentence(error: {
  readonly keyword: string;
  readonly message?: string | undefined;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly parentSchema?: unknown;
}): string {
  if (error.keyword === 'enum') {
    const words = (error.params?.allowedValues ?? []) as readonly unknown[];
    return `It must be one of ${words.map((word) => JSON.stringify(word)).join(', ')}.`;
  }
  if (error.keyword === 'const') return `It must be ${JSON.stringify(error.params?.allowedValue)}.`;
  if (error.keyword === 'pattern') {
    const { description } = (error.parentSchema ?? {}) as { readonly description?: unknown };
    const form = typeof description === 'string' ? description : `${String(error.params?.pattern)}.`;
    return `It does not have the form that is wanted here: ${form}`;
  }
  if (error.keyword === 'type') return `It ${(error.message ?? '').replaceAll(',', ' or ')}.`;
  return `It ${error.message ?? 'is not valid'}.`;
}
