import type { Contract, Json, JsonObject, Schema } from '../../contract/contract.ts';
import { secretNames } from '../../contract/secrets.ts';
import { ToolError } from '../../errors.ts';
import type { Plan, Validator, Validators } from './plan.ts';
import { type NamedSchema, planOperation } from './plan-operation.ts';

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
  const [{ Ajv2020 }, formats] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')]);
  const ajv = new Ajv2020(AJV_OPTIONS);
  formats.default.default(ajv);
  for (const word of annotationsOf(document)) {
    if (!ajv.getKeyword(word)) ajv.addKeyword(word);
  }
  return ajv;
}
