import type { Contract, Json, JsonObject, Media, Operation, Schema } from '../../contract/contract.ts';
import { addFormats } from '../../contract/formats.ts';
import { weakest } from '../../contract/provenance.ts';
import { isObject } from '../../contract/schema-facts.ts';
import { secretNames } from '../../contract/secrets.ts';
import { ToolError } from '../../errors.ts';
import { ajvPatterns } from '../../patterns/pattern.ts';
import { joinPointer } from '../../pointer.ts';
import { isJson } from '../http/call.ts';
import { membersAt } from './members.ts';
import type {
  Plan,
  PlannedExample,
  PlannedMedia,
  PlannedOperation,
  PlannedRequest,
  PlannedResponse,
  Validator,
  Validators,
} from './plan.ts';
import { namedExamples, provenanceShown, successesOf } from './provenance.ts';

/** A contract, ready to be served. */
export interface Compiled {
  readonly plan: Plan;
  readonly validators: Validators;
}

/** The part of Ajv that a compilation needs. */
export interface SchemaCompiler {
  compile(schema: object): Validator;
}

/** How request bodies are read: strictly, own members only, every fault told. The generated validators are made with the same. */
export const AJV_OPTIONS = {
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allErrors: true,
  ownProperties: true,
} as const;

/** Words that OpenAPI and this project add to a schema; Ajv takes them as annotations. */
export function annotationsOf(document: JsonObject): readonly string[] {
  const found = new Set(['example', 'discriminator', 'xml', 'externalDocs', 'components']);
  collectExtensions(document, found);
  return [...found];
}

function collectExtensions(node: Json, found: Set<string>): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key.startsWith('x-')) found.add(key);
    collectExtensions(value, found);
  }
}

/** A schema with the components to which it refers: the references of the bundle are `#/components/…`. */
export function selfContained(schema: Schema, document: JsonObject): object {
  return schema === true
    ? {}
    : schema === false
      ? { not: {} }
      : { ...schema, components: { schemas: schemasOf(document) } };
}

function schemasOf(document: JsonObject): Json {
  const components = document.components as JsonObject | undefined;
  return components?.schemas ?? {};
}

/**
 * Compiles a contract at start, with Ajv, which is loaded here and nowhere else.
 * @throws ToolError `spec-invalid` naming the place of a schema that does not compile.
 */
export async function compileContract(contract: Contract): Promise<Compiled> {
  const ajv = await createAjv(contract.document);
  const validators: Record<string, Validator> = {};
  const plan = planContract(contract, ajv, ({ name, schema, pointer }) => {
    validators[name] = compileSchema(contract, ajv, schema, pointer);
  });
  return { plan, validators };
}

/** A schema that a body must satisfy. */
interface NamedSchema {
  readonly name: string;
  readonly schema: Schema;
  readonly pointer: string;
}

/** The plan of a contract; its body schemas are handed on. */
export function planContract(contract: Contract, ajv: SchemaCompiler, compile: (schema: NamedSchema) => void): Plan {
  const checks = new Map<string, Validator>();
  const satisfies = (value: Json, schema: Schema, pointer: string): boolean => {
    const check = checks.get(pointer) ?? compileSchema(contract, ajv, schema, pointer);
    checks.set(pointer, check);
    return check(value);
  };
  const operations = contract.operations.map((operation) => planOperation(contract, operation, compile, satisfies));
  const { token, tenant } = contract;
  return {
    token,
    tenant,
    secrets: secretNames(contract),
    operations: operations.filter((operation) => operation !== null),
  };
}

function compileSchema(contract: Contract, ajv: SchemaCompiler, schema: Schema, pointer: string): Validator {
  try {
    return ajv.compile(selfContained(schema, contract.document));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError('spec-invalid', `The schema does not compile: ${reason}.`, {
      place: contract.placeOf(pointer),
      cause,
    });
  }
}

/** An Ajv that knows the words of a document. */
export async function createAjv(document: JsonObject): Promise<SchemaCompiler> {
  const [{ Ajv2020 }, formats, table] = await Promise.all([
    import('ajv/dist/2020.js'),
    import('ajv-formats'),
    import('ajv-formats/dist/formats.js'),
  ]);
  const ajv = new Ajv2020({ ...AJV_OPTIONS, code: { regExp: ajvPatterns } });
  formats.default.default(ajv);
  addFormats(ajv, table.default.fullFormats);
  for (const word of annotationsOf(document)) {
    if (!ajv.getKeyword(word)) ajv.addKeyword(word);
  }
  return ajv;
}

/** Says whether a value satisfies the schema at a pointer. */
type Satisfies = (value: Json, schema: Schema, pointer: string) => boolean;

/** Works out what of an operation is constant. The schemas of its bodies are handed to `compile`. */
function planOperation(
  contract: Contract,
  operation: Operation,
  compile: (schema: NamedSchema) => void,
  satisfies: Satisfies,
): PlannedOperation | null {
  const { method, path, located } = operation;
  if (method === null || path === null || located === null) return null;
  const successor = operation.successor === null ? undefined : contract.operation(operation.successor);
  return {
    operationId: operation.operationId,
    method,
    path,
    located,
    auth: operation.auth,
    deprecated: operation.deprecated,
    successor: successor?.method && successor.path ? { method: successor.method, path: successor.path } : null,
    query: operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
    statuses: operation.responses.map(({ status }) => status),
    prismJudges: operation.auth !== 'issues' && needsPrism(operation),
    request: planRequest(contract, operation, compile),
    response: planResponse(contract, operation, located, satisfies),
  };
}

/** Parameters with a schema that says something, and bodies that are no JSON, are Prism's to judge. */
function needsPrism(operation: Operation): boolean {
  const parameters = operation.parameters.some((parameter) => {
    return isTelling(parameter.schema) || (parameter.required && parameter.in !== 'path');
  });
  return (
    parameters || (operation.requestBody?.content ?? []).some((media) => !isJson(media.type) && isTelling(media.schema))
  );
}

/** A schema that some value does not satisfy, as far as one can see; every path parameter is a string anyway. */
function isTelling(schema: Schema | undefined): boolean {
  if (schema === undefined || schema === true) return false;
  if (schema === false) return true;
  const words = Object.keys(schema).filter((word) => !word.startsWith('x-') && !ANNOTATIONS.has(word));
  return words.some((word) => !(word === 'type' && schema.type === 'string'));
}

const ANNOTATIONS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
]);

function planRequest(
  contract: Contract,
  operation: Operation,
  compile: (schema: NamedSchema) => void,
): PlannedRequest | null {
  const { requestBody, operationId } = operation;
  if (!requestBody) return null;
  const media = requestBody.content.map((one) => {
    if (!isJson(one.type) || one.schema === undefined || !isTelling(one.schema))
      return { type: one.type, validator: null, members: null };
    const name = `${operationId} ${one.type}`;
    const pointer = joinPointer(one.pointer, 'schema');
    compile({ name, schema: one.schema, pointer });
    return { type: one.type, validator: name, members: membersAt(contract, [pointer]) };
  });
  const requiredBy = contract.provenanceOf(joinPointer(requestBody.pointer, 'required'));
  return { required: requestBody.required, requiredBy, media };
}

/** Prism's choice of a success response: the lowest of those that are named, a range after its codes. */
function planResponse(
  contract: Contract,
  operation: Operation,
  located: PlannedOperation['located'],
  satisfies: Satisfies,
): PlannedResponse {
  const chosen =
    successesOf(operation)[0] ??
    operation.responses.find((response) => response.status === 'default') ??
    operation.responses[0];
  if (!chosen) return { status: 200, media: [], prismMakes: false };
  const status = chosen.status === 'default' ? 200 : Number(chosen.status.replace('XX', '00'));
  const headers = contract.at(joinPointer(chosen.pointer, 'headers'));
  const base = weakest(located, contract.provenanceOf(chosen.pointer));
  const media = chosen.content.map(
    (one): PlannedMedia => ({ type: one.type, examples: examplesOf(contract, one, base, satisfies) }),
  );
  const [first] = media;
  const plain = media.length === 0 || (media.length === 1 && first !== undefined && first.examples.length > 0);
  return { status, media, prismMakes: !plain || (isObject(headers) && Object.keys(headers).length > 0) };
}

/**
 * The examples of a media type. One that its schema contradicts is left out, as happens when a recording has taught the mock
 * another shape than was assumed: then Prism makes the payload from the schema.
 */
function examplesOf(
  contract: Contract,
  media: Media,
  base: PlannedOperation['located'],
  satisfies: Satisfies,
): PlannedExample[] {
  const schemaPointer = media.schema === undefined ? null : joinPointer(media.pointer, 'schema');
  const found: PlannedExample[] = [];
  const add = (key: string, value: Json, when: PlannedExample['when']): void => {
    if (media.schema !== undefined && !satisfies(value, media.schema, joinPointer(media.pointer, 'schema'))) return;
    const body = isJson(media.type) || typeof value !== 'string' ? JSON.stringify(value) : value;
    found.push({ key, when, body, provenance: weakest(base, provenanceShown(contract, value, schemaPointer)) });
  };
  const node = contract.at(media.pointer);
  const example = isObject(node) ? node.example : undefined;
  if (example !== undefined) add('default', example, null);
  for (const [key, { value, 'x-mock-when': when }] of namedExamples(contract, media)) {
    if (value !== undefined) add(key, value, whenOf(when));
  }
  return found;
}

function whenOf(value: Json | undefined): Readonly<Record<string, string>> | null {
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)])) : null;
}
