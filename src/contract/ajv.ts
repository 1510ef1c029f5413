import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import { SchemaEnv } from 'ajv/dist/compile/index.js';
import formats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { ajvPatterns } from '../patterns/pattern.ts';
import { formatFragment, joinPointer, parsePointer } from '../text/pointer.ts';
import type { Json, JsonObject, Schema } from './contract.ts';
import { addFormats } from './formats.ts';
import { visitSchemas } from './structure.ts';
import { UNIQUE_ITEMS } from './unique-items.ts';

/** Ajv's reading of contract schemas: strict, only own members, with all errors. */
export const AJV_OPTIONS = {
  strict: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  allErrors: true,
  ownProperties: true,
} as const;

/** Ajv for the schemas of a document, with formats and patterns that run in bounded time. */
export function documentAjv(document: JsonObject, options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ ...AJV_OPTIONS, code: { regExp: ajvPatterns }, ...options });
  formats.default(ajv);
  addFormats(ajv, { ...fullFormats, ...options.formats });
  ajv.removeKeyword(UNIQUE_ITEMS.keyword as string).addKeyword(UNIQUE_ITEMS);
  addAnnotations(ajv, document);
  return ajv;
}

export interface CompiledSchema {
  (value: unknown): boolean;
  /** In each error, `schemaPath` is the pointer of the failed keyword in the document. */
  errors?: readonly ErrorObject[] | null | undefined;
}

export type SchemaCompiler = (pointer: string) => CompiledSchema;

const compilers = new WeakMap<JsonObject, SchemaCompiler>();

/** A schema that does not compile accepts every value. The metaschema is skipped: compiling it takes too long. */
export function compilerOf(document: JsonObject): SchemaCompiler {
  const compiler = compilers.get(document) ?? tolerant(schemaCompiler(document, { validateSchema: false }));
  compilers.set(document, compiler);
  return compiler;
}

/** Without errors: a schema that does not compile is not judged, and `lint` reports it. */
export function tolerant(compile: SchemaCompiler): SchemaCompiler {
  return (pointer) => {
    try {
      return compile(pointer);
    } catch {
      return () => true;
    }
  };
}

const ROOT = 'contract:bundle';
export const META: Ajv2020 = new Ajv2020({ validateFormats: false });

/** Compiles each schema on first use. Throws an error for a schema that Ajv rejects. */
export function schemaCompiler(document: JsonObject, options: Options = {}): SchemaCompiler {
  // This code runs only a few times, so optimising it takes longer than running it.
  const code = { regExp: ajvPatterns, optimize: false };
  const ajv = documentAjv(document, { verbose: true, code, ...options }).addSchema(document, ROOT, undefined, false);
  // the document itself is not a schema, so it is not compiled
  const validate = Object.assign(() => true, { evaluated: {} });
  const root = Object.assign(ajv.schemas[ROOT] ?? new SchemaEnv({ schema: true }), { validate });
  visitSchemas(document, ({ $ref }) => {
    if (typeof $ref === 'string')
      root.refs[`${ROOT}${$ref}`] ??= whenCalled(root, () => ajv.compile({ $ref: `${ROOT}${$ref}` }));
  });
  const checks = new Map<string, CompiledSchema>();
  let pointers: ReadonlyMap<unknown, string> | undefined;
  const compile = (pointer: string): CompiledSchema => {
    const segments = parsePointer(pointer) ?? [];
    const schema = segments.reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document);
    if (options.validateSchema !== false) META.validateSchema(schema as Schema, true);
    const validate: ValidateFunction = ajv.compile({ $ref: `${ROOT}${formatFragment(segments)}` });
    const check: CompiledSchema = (value) => {
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

/**
 * Compiles the target of a reference on first use. Ajv would compile it within the referring schema, and a few hundred
 * of those exhaust the memory. A target that does not compile accepts every value.
 */
function whenCalled(root: SchemaEnv, compile: () => ValidateFunction): SchemaEnv {
  let compiled: ValidateFunction | undefined;
  const validate = ((...given: Parameters<ValidateFunction>): boolean => {
    validate.errors = null;
    try {
      compiled ??= compile();
      const holds = compiled(...given) as boolean;
      const { errors, evaluated } = compiled;
      Object.assign(validate, { errors, evaluated });
      return holds;
    } catch {
      return true;
    }
  }) as ValidateFunction;
  // the evaluated members are read after each call
  validate.evaluated = { dynamicProps: true, dynamicItems: true };
  return Object.assign(new SchemaEnv({ schema: true, root }), { validate });
}

/** Pointer of every object and array of a document, because Ajv's errors refer to the original objects. */
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

/** Registers keywords and formats that Ajv lacks as annotations. Loading a contract reports each of them. */
export function addAnnotations(ajv: Ajv2020, document: JsonObject): void {
  // set directly, because Ajv rejects a misplaced name like `application/json` as a keyword
  const { keywords } = ajv.RULES;
  keywords.components ??= true;
  visitSchemas(document, (schema) => {
    for (const keyword of Object.keys(schema)) keywords[keyword] ??= true;
    const { format } = schema;
    if (typeof format === 'string' && !Object.hasOwn(ajv.formats, format)) ajv.addFormat(format, true);
  });
}
