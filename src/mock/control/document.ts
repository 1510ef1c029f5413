import { type ControlOperations, document } from '../../../generated/mock/control.ts';
import { compileSchema, type FileSchema, type SchemaCheck } from '../../files/schema.ts';
import { parseJson } from '../../text/decode.ts';
import { mediaTypeOf, type ReceivedRequest } from '../message/call.ts';
import { problem } from '../message/problem.ts';
import { InputError, Rejected, type Reply } from './input.ts';
import { type ControlOperation as Described, operationsOf } from './operations.ts';

/** Base path of the control API. No path of an API should start with it. */
export const PREFIX = '/__mock';

export type OperationName = keyof ControlOperations;

type ControlOperation = Described<OperationName>;

const { operations, schemas } = operationsOf(document) as {
  readonly operations: readonly ControlOperation[];
  readonly schemas: FileSchema;
};

export interface ControlRequest<Name extends OperationName = OperationName> {
  readonly call: ReceivedRequest;
  readonly parameters: ControlOperations[Name]['parameters'];
  /** An empty object if the request has no body. */
  readonly body: ControlOperations[Name]['body'];
}

type Given<T> = T | Reply;

/** Handlers by operation. A mock omits the operations that it does not offer. */
export type Handlers = {
  readonly [Name in OperationName]?: (
    asked: ControlRequest<Name>,
  ) => Given<ControlOperations[Name]['answer']> | Promise<Given<ControlOperations[Name]['answer']>>;
};

export function servedOperations(handlers: Handlers): readonly ControlOperation[] {
  return operations.filter(({ operationId }) => Object.hasOwn(handlers, operationId));
}

export function controlDocument(handlers: Handlers, url: string): object {
  const paths = new Set(['/__mock/', ...servedOperations(handlers).map(({ path }) => path)]);
  const shown = Object.entries(document.paths).filter(([path]) => paths.has(path));
  return { ...document, servers: [{ url }], paths: Object.fromEntries(shown) };
}

/** Reads and checks the input of an operation. @throws InputError */
export async function readInput(
  operation: ControlOperation,
  call: ReceivedRequest,
  pathParameters: Readonly<Record<string, string>>,
): Promise<ControlRequest> {
  const query = new URLSearchParams(call.query);
  const given = Object.entries(operation.parameters.properties ?? {}).flatMap(([name, { type }]) => {
    const text = pathParameters[name] ?? query.get(name);
    if (text === null) return [];
    return [[name, type === 'integer' && /^\d+$/.test(text) ? Number(text) : text] as const];
  });
  const parameters = Object.fromEntries(given);
  if (given.length > 0) await check(operation.parameters, parameters);
  const body = bodyOf(call);
  if (operation.body) await check(operation.body, body);
  return { call, parameters: parameters as never, body };
}

/** Compiled once per process, for all mocks. */
const checks = new Map<FileSchema, Promise<SchemaCheck>>();

async function check(schema: FileSchema, value: unknown): Promise<void> {
  const compiled = checks.get(schema) ?? compileSchema({ ...schema, $defs: schemas });
  checks.set(schema, compiled);
  const faults = (await compiled)(value);
  if (faults.length > 0) throw new InputError(...faults);
}

function bodyOf(call: ReceivedRequest): unknown {
  if (!call.body) return {};
  // a form on a foreign page cannot send this type
  if (mediaTypeOf(call) !== 'application/json')
    throw new Rejected(problem('unsupported-type', 'the control API takes application/json'));
  const body = parseJson(call.body.toString());
  if (body === undefined) throw new Rejected(problem('bad-body', 'the body is no JSON'));
  return body;
}
