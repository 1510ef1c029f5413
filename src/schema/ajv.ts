import {
  Ajv2020,
  type CodeKeywordDefinition,
  type ErrorObject,
  type KeywordCxt,
  type KeywordErrorDefinition,
  type Options,
} from 'ajv/dist/2020.js';
import { _, type Code, Name } from 'ajv/dist/compile/codegen/index.js';
import { callRef } from 'ajv/dist/vocabularies/core/ref.js';
import { ajvPatterns } from '../patterns/pattern.ts';
import { joinPointer, pointerOfReference } from '../text/pointer.ts';
import { FORMATS } from '../validators/formats.ts';
import { isMultipleOf } from '../validators/multiple-of.ts';
import { equalItems } from '../validators/unique-items.ts';
import { type Json, type JsonObject, nodeAt } from './json.ts';
import type { Schema } from './schema-document.ts';
import { visitSchemas } from './structure.ts';

/** Code that calls the target of a reference. Without code, the reference accepts every value. */
export type Refer = (reference: string, cxt: KeywordCxt) => Code | undefined;

/**
 * The only configuration of Ajv: 2020-12, not strict, only own members, with all errors. Keywords must have valid
 * values, and `lint` reports odd ones. Patterns and formats take bounded time, unless the options replace them.
 */
export function createAjv(refer: Refer, { code, unevaluated = true, ...options }: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({
    ...{ strict: false, strictNumbers: true, validateSchema: false, meta: false, logger: false, allErrors: true },
    ...{ ownProperties: true, addUsedSchema: false, code: { regExp: ajvPatterns, ...code } },
    ...options,
  });
  // this class always sets them, and each makes all code larger
  Object.assign(ajv.opts, { dynamicRef: false, unevaluated });
  for (const keyword of UNREAD) ajv.removeKeyword(keyword);
  const replace = (keyword: string, change: Replacement): void => {
    const stock = ajv.getKeyword(keyword) as CodeKeywordDefinition;
    ajv.removeKeyword(keyword).addKeyword({ ...stock, $data: false, ...change(stock) });
  };
  replace('$ref', () => ({ before: 'not', code: (cxt) => callTarget(cxt, refer) }));
  replace('enum', (stock) => ({ before: 'not', code: (cxt) => allowNothing(cxt, stock) }));
  replace('multipleOf', () => ({ code: divideDecimals }));
  replace('uniqueItems', () => ({ before: 'prefixItems', code: compareItems }));
  if (options.verbose)
    for (const union of ['anyOf', 'oneOf'])
      replace(union, ({ code, error }) => ({ before: 'allOf', code, error: countInner(error) }));
  for (const [name, holds] of Object.entries(FORMATS)) ajv.addFormat(name, holds as never);
  return ajv;
}

type Replacement = (stock: CodeKeywordDefinition) => Pick<CodeKeywordDefinition, 'before' | 'code' | 'error'>;

/** Loading a contract resolves dynamic references. Ajv would throw at an `id`. */
const UNREAD = ['id', '$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor'];

/** A function of the run time. Standalone code calls it by its name. */
function helper({ gen }: KeywordCxt, ref: (...given: never[]) => unknown): Name {
  return gen.scopeValue('func', { ref, code: _`${new Name(ref.name)}` });
}

function callTarget(cxt: KeywordCxt, refer: Refer): void {
  const target = refer(cxt.schema, cxt);
  if (target !== undefined) callRef(cxt, target);
}

/** Ajv rejects an empty list, which no value matches. */
function allowNothing(cxt: KeywordCxt, stock: CodeKeywordDefinition): void {
  if (cxt.schema.length === 0) cxt.fail();
  else stock.code(cxt);
}

/** How many errors directly before the error of a union are those of its branches. */
function countInner({ params, ...error } = { message: '' } as KeywordErrorDefinition): KeywordErrorDefinition {
  return {
    ...error,
    params: (cxt) => {
      const own = typeof params === 'function' ? params(cxt) : (params ?? _`{}`);
      return _`Object.assign(${own}, { inner: ${new Name('errors')} - ${cxt.errsCount} })`;
    },
  };
}

function divideDecimals(cxt: KeywordCxt): void {
  cxt.fail(_`!${helper(cxt, isMultipleOf)}(${cxt.data}, ${cxt.schemaCode})`);
}

function compareItems(cxt: KeywordCxt): void {
  if (cxt.schema === false) return;
  const equal = cxt.gen.const('equal', _`${helper(cxt, equalItems)}(${cxt.data})`);
  cxt.setParams({ i: _`${equal}[0]`, j: _`${equal}[1]` });
  cxt.fail(_`${equal} !== undefined`);
}

export interface CompiledSchema {
  (value: unknown): boolean;
  /** In each error, `schemaPath` is the pointer of the failed keyword in the document. */
  errors?: readonly ErrorObject[] | null | undefined;
}

/** Takes the pointer of a schema. Compiles it on first use. */
export type SchemaCompiler = (pointer: string) => CompiledSchema;

const compilers = new WeakMap<JsonObject, SchemaCompiler>();

export function compilerOf(document: JsonObject): SchemaCompiler {
  const compiler = compilers.get(document) ?? schemaCompiler(document, {});
  compilers.set(document, compiler);
  return compiler;
}

export function schemaCompiler(document: JsonObject, options: Options): SchemaCompiler {
  const targets = new Map<string, Target>();
  const targetAt = (pointer: string): Target => {
    const target = targets.get(pointer) ?? whenCalled(() => ajv.compile(nodeAt(document, pointer) as Schema) as Target);
    targets.set(pointer, target);
    return target;
  };
  const refer: Refer = (reference, { gen }) => {
    return gen.scopeValue('func', { ref: targetAt(pointerOfReference(reference) ?? '') });
  };
  const unevaluated = usesUnevaluated(document);
  // This code runs only a few times, so optimising it takes longer than running it.
  const ajv = createAjv(refer, { verbose: true, unevaluated, code: { optimize: false }, ...options });
  const checks = new Map<string, CompiledSchema>();
  let pointers: ReadonlyMap<unknown, string> | undefined;
  const checkAt = (pointer: string): CompiledSchema => {
    const target = targetAt(pointer);
    const check: CompiledSchema = (value) => {
      const holds = target(value);
      pointers ??= holds ? undefined : pointersIn(document);
      check.errors = target.errors?.map((error) => {
        return { ...error, schemaPath: joinPointer(pointers?.get(error.parentSchema) ?? '', error.keyword) };
      });
      return holds;
    };
    return check;
  };
  return (pointer) => {
    const check = checks.get(pointer) ?? checkAt(pointer);
    checks.set(pointer, check);
    return check;
  };
}

/** Without these keywords, functions need not return the evaluated members. */
export function usesUnevaluated(document: JsonObject): boolean {
  let found = false;
  visitSchemas(document, ({ unevaluatedItems, unevaluatedProperties }) => {
    found ||= unevaluatedItems !== undefined || unevaluatedProperties !== undefined;
  });
  return found;
}

/** A function as Ajv makes it. `evaluated` is read after each call. */
interface Target {
  (...given: unknown[]): boolean;
  errors?: readonly ErrorObject[] | null;
  evaluated?: object;
}

/** Compiles the target of a reference on first use: thousands of schemas that refer to each other exhaust the memory. */
function whenCalled(compile: () => Target): Target {
  let compiled: Target | undefined;
  const target: Target = (...given) => {
    compiled ??= compile();
    const holds = compiled(...given);
    target.errors = compiled.errors ?? null;
    target.evaluated = compiled.evaluated ?? {};
    return holds;
  };
  return target;
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
