import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Contract } from '../contract/contract.ts';
import { compilerOf, pointersIn } from '../schema/ajv.ts';
import { type Direction, documentFor } from '../schema/direction.ts';
import { isObject, type Json, type JsonObject, listOf, typeOf } from '../schema/json.ts';
import { describe } from '../schema/schema-facts.ts';
import { escapeSegment, joinPointer, parsePointer } from '../text/pointer.ts';
import { type Shape, shapeOf } from './shape.ts';

export interface SchemaProblem {
  readonly at: string;
  readonly keyword: string;
  readonly schema: string;
  readonly expected: string;
  /** The form of the value, never the value itself. */
  readonly actual: string;
  readonly found?: Shape;
}

export interface Schemas {
  /**
   * Every contradiction, in the order of the schema.
   *
   * @param pointer pointer to a schema in the bundle
   */
  problems(pointer: string, value: unknown): readonly SchemaProblem[];
}

/**
 * Compiles the bundle itself, so errors lead to its lines.
 *
 * @param isIgnored whether to ignore an error, except in a branch of an `anyOf` or `oneOf`
 * @param direction members of its opposite are not required
 */
export function createSchemas(
  contract: Contract,
  isIgnored: (error: ErrorObject) => boolean = () => false,
  direction: Direction = 'response',
): Schemas {
  const document = documentFor(contract.document, direction);
  const compile = compilerOf(document);
  const places = pointersIn(document);

  return {
    problems(pointer, value) {
      const check = compile(pointer);
      if (check(value)) return [];
      const all = withoutBranches(check.errors ?? []);
      const errors = withoutSecondForm(all.filter((error) => !isIgnored(error)));
      return distinct(errors, places, (instancePath) => starred(contract, pointer, instancePath, value));
    },
  };
}

function schemaPointer({ parentSchema, keyword, params }: ErrorObject, places: ReadonlyMap<unknown, string>): string {
  const parent = places.get(parentSchema);
  if (parent === undefined) return '';
  const source = joinPointer(parent, keyword);
  // A recording adds names to a documented list, so each name has its own provenance and line.
  const index = keyword === 'required' ? listOf(parentSchema?.required).indexOf(params.missingProperty) : -1;
  return index < 0 ? source : joinPointer(source, index);
}

/** Removes errors of the branches of an `anyOf` or `oneOf`, because the error of the union covers them. */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = [];
  for (let index = errors.length - 1; index >= 0; index -= 1) {
    const error = errors[index] as ErrorObject;
    if (error.keyword !== 'if') kept.push(error);
    index -= Number(error.params.inner ?? 0);
  }
  return kept.reverse();
}

function withoutSecondForm(errors: readonly ErrorObject[]): ErrorObject[] {
  const messages = new Map<unknown, Set<string>>();
  for (const { keyword, parentSchema, instancePath } of errors) {
    if (keyword !== 'format') continue;
    messages.set(parentSchema, (messages.get(parentSchema) ?? new Set()).add(instancePath));
  }
  return errors.filter(
    ({ keyword, parentSchema, instancePath }) =>
      keyword !== 'pattern' || messages.get(parentSchema)?.has(instancePath) !== true,
  );
}

const UNIONS = new Set(['type', 'anyOf', 'oneOf']);

function toProblem(error: ErrorObject, at: string, places: ReadonlyMap<unknown, string>): SchemaProblem {
  const params = error.params as Readonly<Record<string, unknown>>;
  const named = params.missingProperty ?? params.unevaluatedProperty ?? params.additionalProperty;
  return {
    at: typeof named === 'string' ? joinPointer(at, named) : at,
    keyword: error.keyword,
    schema: schemaPointer(error, places),
    expected: expectedOf(error.keyword, error.schema),
    actual: actualOf(error.keyword, typeOf(error.data)),
  };
}

function expectedOf(keyword: string, schema: unknown): string {
  switch (keyword) {
    case 'type':
      return [schema].flat().join(' or ');
    case 'required':
      return 'the field';
    case 'additionalProperties':
    case 'unevaluatedProperties':
    case 'propertyNames':
      return 'no other field';
    case 'format':
      return `string, ${String(schema)}`;
    case 'pattern':
      return `string that matches ${String(schema)}`;
    case 'const':
      return JSON.stringify(schema);
    case 'enum':
      return `one of ${(schema as readonly unknown[]).map((item) => JSON.stringify(item)).join(', ')}`;
    case 'anyOf':
    case 'oneOf':
      return unionOf(schema as readonly Json[]);
    default:
      return ['number', 'string', 'boolean'].includes(typeof schema) ? `${keyword} ${String(schema)}` : keyword;
  }
}

function unionOf(schema: readonly Json[]): string {
  const types = schema.map((branch) => (isObject(branch) && 'type' in branch ? String(branch.type) : '?'));
  return types.length > 0 && !types.includes('?') ? types.join(' or ') : 'one of the alternatives';
}

function actualOf(keyword: string, type: string): string {
  if (keyword === 'required') return 'no such field';
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') return 'a field';
  return UNIONS.has(keyword) ? type : `another ${type}`;
}

/** List indices and map keys become `*`: one problem of 1,000 items is one problem, and a key can be an id. */
function starred(contract: Contract, pointer: string, instancePath: string, value: unknown): string {
  let node = describe(contract, [pointer]);
  let part = value;
  const places = (parsePointer(instancePath) ?? []).map((token) => {
    const isKey = !node.properties.has(token) && node.unnamed(token).length > 0;
    const place = isKey || Array.isArray(part) ? '/*' : `/${escapeSegment(token)}`;
    node = node.child(part, token);
    part = typeof part === 'object' && part !== null ? (part as JsonObject)[token] : undefined;
    return place;
  });
  return places.join('');
}

function distinct(
  errors: readonly ErrorObject[],
  places: ReadonlyMap<unknown, string>,
  placeOf: (instancePath: string) => string,
): SchemaProblem[] {
  const seen = new Map<string, { problem: SchemaProblem; error: ErrorObject }>();
  for (const error of errors) {
    const problem = toProblem(error, placeOf(error.instancePath), places);
    seen.set(`${problem.schema}\n${problem.at}\n${problem.actual}`, { problem, error });
  }
  return [...seen.values()].map(({ problem, error }) =>
    UNIONS.has(error.keyword) ? { ...problem, found: shapeOf(error.data) } : problem,
  );
}
