import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { ajvPatterns } from '../patterns/pattern.ts';
import { formatFragment, joinPointer, parsePointer } from '../text/pointer.ts';
import type { Json, JsonObject, Schema } from './contract.ts';
import { addFormats } from './formats.ts';

/** How schemas of a contract are read: strictly, own members only, all errors collected. */
export const AJV_OPTIONS = {
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allErrors: true,
  ownProperties: true,
} as const;

/** Ajv for the schemas of a document. No text keeps its formats and patterns busy. */
export function documentAjv(document: JsonObject, options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ ...AJV_OPTIONS, code: { regExp: ajvPatterns }, ...options });
  formats.default(ajv);
  addFormats(ajv, { ...fullFormats, ...options.formats });
  addAnnotations(ajv, document);
  return ajv;
}

/** A check of the schema at a pointer of the document. The errors of the last call stay on the function. */
export interface SchemaCheck {
  (value: unknown): boolean;
  /** In each, `schemaPath` is the pointer in the document of the keyword that was broken. */
  errors?: readonly ErrorObject[] | null | undefined;
}

/** Compiles the schema at a pointer of a document. @throws Error if it is no schema */
export type SchemaCompiler = (pointer: string) => SchemaCheck;

const compilers = new WeakMap<JsonObject, SchemaCompiler>();

/** The compiler of a document, with the default options. */
export function compilerOf(document: JsonObject): SchemaCompiler {
  const compiler = compilers.get(document) ?? schemaCompiler(document);
  compilers.set(document, compiler);
  return compiler;
}

const ROOT = 'contract:bundle';

/** Each schema is compiled once, with the document as the root of its references, when it is first asked for. */
export function schemaCompiler(document: JsonObject, options: Options = {}): SchemaCompiler {
  const ajv = documentAjv(document, { verbose: true, ...options }).addSchema(document, ROOT, undefined, false);
  // the document itself is no schema, and is not compiled
  Object.assign(ajv.schemas[ROOT] ?? {}, { validate: () => true });
  const checks = new Map<string, SchemaCheck>();
  let pointers: ReadonlyMap<unknown, string> | undefined;
  const compile = (pointer: string): SchemaCheck => {
    const segments = parsePointer(pointer) ?? [];
    const schema = segments.reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document);
    if (options.validateSchema !== false) ajv.validateSchema(schema as Schema, true);
    const validate: ValidateFunction = ajv.compile({ $ref: `${ROOT}${formatFragment(segments)}` });
    const check: SchemaCheck = (value) => {
      const holds = validate(value);
      pointers ??= holds ? undefined : pointersIn(document);
      check.errors = validate.errors?.map((error) => {
        return { ...error, schemaPath: joinPointer(pointers?.get(error.parentSchema) ?? '', error.keyword) };
      });
      return holds;
    };
    return check;
  };
  return (pointer) => {
    const check = checks.get(pointer) ?? compile(pointer);
    checks.set(pointer, check);
    return check;
  };
}

/** Pointer of every object and array of a document: Ajv hands back the very objects that it was given. */
export function pointersIn(document: JsonObject): ReadonlyMap<unknown, string> {
  const pointers = new Map<unknown, string>();
  const visit = (node: Json, pointer: string): void => {
    if (typeof node !== 'object' || node === null || pointers.has(node)) return;
    pointers.set(node, pointer);
    for (const [key, child] of Object.entries(node)) visit(child as Json, joinPointer(pointer, key));
  };
  visit(document, '');
  return pointers;
}

/** Tells Ajv the keywords that OpenAPI and this project add to a schema. Any other unknown keyword is a mistake. */
export function addAnnotations(ajv: Ajv2020, document: JsonObject): void {
  const found = new Set(['example', 'discriminator', 'xml', 'externalDocs', 'components']);
  collectExtensions(document, found);
  for (const keyword of found) if (!ajv.getKeyword(keyword)) ajv.addKeyword(keyword);
}

function collectExtensions(node: Json, found: Set<string>): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key.startsWith('x-')) found.add(key);
    collectExtensions(value, found);
  }
}
