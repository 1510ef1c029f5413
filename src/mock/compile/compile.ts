import { basePaths, ownBasePaths } from '../../contract/base-path.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import { headersWithoutEffect } from '../../contract/effect-headers.ts';
import { secretNames } from '../../contract/secrets.ts';
import type { SchemaCompiler } from '../../schema/ajv.ts';
import { documentFor } from '../../schema/direction.ts';
import { isObject, type JsonObject } from '../../schema/json.ts';
import { describe, type SchemaFacts } from '../../schema/schema-facts.ts';
import { joinPointer } from '../../text/pointer.ts';
import { FORM_TYPE, isJsonMedia, MULTIPART_TYPE } from '../message/call.ts';
import type { Members, Plan, PlannedOperation, PlannedRequest, PlannedValidator } from './plan.ts';
import { formFields, planParameters, queryNames } from './plan-parameters.ts';
import { planResponse } from './plan-response.ts';
import { isTelling, type TakeSchema } from './schemas.ts';

/** Plans a contract at start. A schema is compiled when a request first needs it. */
export async function compileContract(contract: Contract, seed = 1) {
  const { compilerOf } = await import('../../schema/ajv.ts');
  const compile = compilerOf(documentFor(contract.document, 'request'));
  const validators: Record<string, PlannedValidator> = {};
  const take: TakeSchema = ({ name, pointer }) => {
    validators[name] = whenAsked(() => compile(pointer));
  };
  const plan = planContract(contract, compilerOf(documentFor(contract.document, 'response')), take, seed);
  return { plan, validators };
}

/** @param compile compiles response schemas */
export function planContract(contract: Contract, compile: SchemaCompiler, take: TakeSchema, seed = 1): Plan {
  const operations = contract.operations.map((operation) => planOperation(contract, operation, take, compile, seed));
  const { token, tenant } = contract;
  const bases = basePaths(contract);
  return {
    token,
    tenant,
    secrets: secretNames(contract),
    ...(bases.length > 0 && { basePaths: bases }),
    operations: operations.filter((operation) => operation !== null),
  };
}

/** A validator compiled on its first call: a contract has thousands of parameters. */
function whenAsked(compile: () => PlannedValidator): PlannedValidator {
  let compiled: PlannedValidator | undefined;
  const check: PlannedValidator = (value) => {
    compiled ??= compile();
    const good = compiled(value);
    check.errors = compiled.errors ?? null;
    return good;
  };
  return check;
}

function planOperation(
  contract: Contract,
  operation: Operation,
  take: TakeSchema,
  compile: SchemaCompiler,
  seed: number,
): PlannedOperation | null {
  const { method, path, located } = operation;
  if (method === null || path === null || located === null) return null;
  const bases = ownBasePaths(contract, operation);
  const successor = operation.successor === null ? undefined : contract.operation(operation.successor);
  return {
    operationId: operation.operationId,
    method,
    path,
    ...(bases.length > 0 && { basePaths: bases }),
    located,
    auth: operation.auth,
    keys: operation.keys,
    deprecated: operation.deprecated,
    successor: successor?.method && successor.path ? { method: successor.method, path: successor.path } : null,
    query: queryNames(contract, operation),
    withoutEffect: headersWithoutEffect(operation),
    parameters: operation.auth === 'issues' ? [] : planParameters(contract, operation, take),
    statuses: operation.responses.map(({ status }) => status),
    request: planRequest(contract, operation, take),
    response: planResponse(contract, operation, located, compile, seed),
  };
}

/** JSON, form fields, or text if the schema allows a string. The encoding of values in other types is unknown. */
function isReadable(contract: Contract, type: string, schema: string): boolean {
  if (isJsonMedia(type) || FORM_TYPES.includes(type)) return true;
  const { types } = describe(contract, [schema]);
  return types.length === 0 || types.includes('string');
}

function planRequest(contract: Contract, operation: Operation, compile: TakeSchema): PlannedRequest | null {
  const { requestBody, operationId } = operation;
  if (!requestBody) return null;
  const media = requestBody.content.map(({ type, schema, pointer: at }) => {
    const pointer = joinPointer(at, 'schema');
    const taken = operation.auth === 'issues' ? isJsonMedia(type) : isReadable(contract, type, pointer);
    // a text is always a string, but JSON may be any type
    const isTyped = isJsonMedia(type) && isObject(schema) && schema.type !== undefined;
    if (!taken || schema === undefined || !(isTyped || isTelling(schema)))
      return { type, validator: null, members: null, fields: null };
    const name = `${operationId} ${type}`;
    compile({ name, schema, pointer });
    const fields = FORM_TYPES.includes(type) ? formFields(contract, at) : null;
    return {
      type,
      validator: name,
      get members() {
        return membersOf(describe(contract, [pointer]));
      },
      fields,
    };
  });
  const requiredBy = contract.provenanceOf(joinPointer(requestBody.pointer, 'required'));
  return { required: requestBody.required, requiredBy, media };
}

const FORM_TYPES: readonly string[] = [FORM_TYPE, MULTIPART_TYPE];
const DEEPEST = 8;

/**
 * The member names in the schemas, nested. A list has the members of its items. Null if the schemas name no members, or
 * allow others. Found when a body has them, because schemas that refer to each other name members without end.
 */
function membersOf(node: SchemaFacts, depth = 0): Members | null {
  const known = knownMembers.get(node) ?? [];
  knownMembers.set(node, known);
  known[depth] ??= depth > DEEPEST ? null : findMembers(node, depth);
  return known[depth];
}

const knownMembers = new WeakMap<SchemaFacts, (Members | null)[]>();

function findMembers(node: SchemaFacts, depth: number): Members | null {
  if (node.items.length > 0) return membersOf(node.at(node.items), depth + 1);
  if (node.properties.size === 0 || node.parts.some(({ schema }) => isOpenTo(schema))) return null;
  const members = {};
  for (const name of node.properties.keys())
    Object.defineProperty(members, name, { enumerable: true, get: () => membersOf(node.member(name), depth + 1) });
  return members;
}

function isOpenTo({ additionalProperties: others, patternProperties }: JsonObject): boolean {
  return patternProperties !== undefined || others === true || (typeof others === 'object' && others !== null);
}
