import { createRequire } from 'node:module';
import type { IHttpConfig, IHttpRequest, PrismHttpComponents } from '@stoplight/prism-http';
import type { Json, JsonObject } from '../../contract/contract.ts';
import { missingEngine } from '../../files/missing-engine.ts';
import { joinPointer } from '../../text/pointer.ts';
import type { AcceptedRequest, Preference } from '../compile/request.ts';
import type { Answer } from '../message/answer.ts';
import { encodePath, FORM_TYPE, field, mediaTypeOf, type ReceivedRequest } from '../message/call.ts';
import { type ProblemKind, problem, type Wrong } from '../message/problem.ts';
import { safeAccept } from './negotiation.ts';
import { boundTexts } from './prism-texts.ts';

export interface PrismAnswer {
  readonly code: number;
  readonly fields: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Answers a request that was judged as far as the mock itself judges, or refuses it. */
export type Prism = (request: AcceptedRequest, preference: Preference, judge: boolean) => Promise<PrismAnswer | Answer>;

/** The results of fp-ts are plain objects; the library itself cannot be imported from ESM. */
type Either<L, R> = { readonly _tag: 'Left'; readonly left: L } | { readonly _tag: 'Right'; readonly right: R };
type IHttpOperation = Awaited<ReturnType<typeof import('@stoplight/prism-http').getHttpOperationsFromSpec>>[number];
type Result<O> = Either<Refusal, { readonly output: O }>;

interface Output {
  readonly statusCode: number;
  readonly headers?: Record<string, unknown>;
  readonly body?: unknown;
}

interface Refusal {
  readonly status?: number;
  readonly detail?: string;
  readonly message?: string;
  readonly additional?: {
    readonly validation?: readonly { readonly location?: readonly string[]; readonly message?: string }[];
  };
}

/**
 * Loads Prism and reads a document with it; the only importer of Prism, since loading it costs more than all else at a start.
 * Tokens are judged elsewhere, callbacks are never called, and nothing is logged.
 * @param seed Seed of what `Prefer: dynamic=true` generates.
 * @throws ToolError `engine-missing` where Prism is not installed.
 */
export async function createPrism(document: JsonObject, seed: number): Promise<Prism> {
  const prismRequire = findPrism(import.meta.url);
  const { createInstance, getHttpOperationsFromSpec } = prismRequire(NAME) as typeof import('@stoplight/prism-http');
  boundTexts(prismRequire);
  // it writes into what it is given
  const operations = await getHttpOperationsFromSpec(withoutForeignReferences(structuredClone(document)) as object);
  // Prism would call any address that a request names
  for (const operation of operations) delete operation.callbacks;
  const byRoute = new Map(
    operations.map((operation) => [`${operation.method.toUpperCase()} ${operation.path}`, operation]),
  );
  const config: IHttpConfig = {
    isProxy: false,
    checkSecurity: false,
    validateRequest: false,
    validateResponse: false,
    errors: false,
    upstreamProxy: undefined,
    mock: { dynamic: false },
  };
  const prism = createInstance(config, {
    // the mock's own router found the operation, which is the only one that Prism is given
    route: ({ resources }: { readonly resources: readonly IHttpOperation[] }): unknown => right(resources[0]),
    logger: SILENT,
  } as unknown as PrismHttpComponents);
  return async (request, { code, exampleKey, dynamic = false, seed: own = String(seed) }, judge) => {
    const { operationId, method, path } = request.operation;
    const operation = byRoute.get(`${method} ${path}`);
    if (!operation) throw new Error(`Prism did not read ${operationId}`);
    const wishes = {
      dynamic,
      seed: own,
      ...(code !== undefined && { code }),
      ...(exampleKey !== undefined && { exampleKey }),
    };
    // a fresh `mock` per call: Prism keeps the Accept of a request in it
    const asked = { ...config, validateRequest: judge, mock: wishes } as IHttpConfig;
    try {
      const result = (await prism.request(inputOf(request, operation), [operation], asked)()) as Result<Output>;
      if (result._tag === 'Left') return refusalOf(result.left);
      const { statusCode, headers = {}, body } = result.right.output;
      return { code: statusCode, fields: headerText(headers), body };
    } catch {
      // it throws of a body that it cannot split into parts, where its own server would die
      return refusalOf({ status: 400, detail: 'Prism cannot read the request' });
    }
  };
}

function inputOf({ operation, parameters, call, body }: AcceptedRequest, { method }: IHttpOperation): IHttpRequest {
  // Prism reads a form by itself
  const given = mediaTypeOf(call) === FORM_TYPE ? call.body?.toString('utf8') : body;
  return {
    method: method as IHttpRequest['method'],
    // with its values percent-encoded in full: Prism misreads some marks, such as a comma
    url: { path: encodePath(operation.path, parameters), query: queryOf(call.query) },
    headers: headersFor(call),
    // Prism takes null for no body
    body: given === undefined ? null : given,
  };
}

/**
 * Prism follows whatever looks like a reference, in an example too, into files and over the network. Every reference of a bundle is
 * internal; what is not is data, and goes without its `$ref`.
 */
function withoutForeignReferences(node: Json): Json {
  if (Array.isArray(node)) return node.map(withoutForeignReferences);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => key !== '$ref' || (typeof value === 'string' && value.startsWith('#')))
      .map(([key, value]) => [key, withoutForeignReferences(value)]),
  );
}

const NAME = '@stoplight/prism-http';

/**
 * Finds Prism, which may be installed on its own or have come with its command, and resolves what Prism resolves.
 * @param from URL of the file from which it is looked up
 * @throws ToolError `engine-missing`
 */
export function findPrism(from: string): NodeJS.Require {
  try {
    return findFrom(createRequire(from));
  } catch (cause) {
    const [version, floor] = olderNode() ? [OLDER_PRISM, ` Its newest versions need Node ${PRISM_FLOOR}.`] : ['', ''];
    throw missingEngine(`Prism is not installed.${floor}`, [NAME + version], cause);
  }
}

function findFrom(require: NodeJS.Require): NodeJS.Require {
  try {
    return createRequire(require.resolve(NAME));
  } catch {
    const cli = require.resolve('@stoplight/prism-cli/package.json');
    return createRequire(createRequire(cli).resolve(NAME));
  }
}

/** What the newest versions of Prism ask for, and the last one that asks for less. */
const PRISM_FLOOR = '24.18';
const OLDER_PRISM = '@5.12.0';

function olderNode(): boolean {
  return process.versions.node.localeCompare(PRISM_FLOOR, 'en', { numeric: true }) < 0;
}

function right<T>(value: T): Either<never, T> {
  return { _tag: 'Right', right: value };
}

const KINDS: Readonly<Record<number, ProblemKind>> = { 406: 'not-acceptable', 415: 'unsupported-type' };

function refusalOf({ status: given = 500, additional, message = '', detail = message }: Refusal): Answer {
  const errors = (additional?.validation ?? []).map((fault) => wrongAt(fault.location ?? [], fault.message ?? ''));
  const [first] = errors;
  if (first)
    return problem(first.in === 'body' ? 'invalid-body' : 'invalid-query', first.message, { members: { errors } });
  const status = given >= 400 && given < 500 ? given : 400;
  return problem(KINDS[status] ?? 'preference-unmet', detail, { status });
}

/** Prism's location is `body` or `query`, `header`, `path`, and the steps into it. */
function wrongAt(location: readonly string[], message: string): Wrong {
  const [part, ...steps] = location;
  if (part === 'query' || part === 'header' || part === 'path') return { in: part, name: steps.join('.'), message };
  return { in: 'body', pointer: joinPointer('', ...steps), message };
}

function headersFor(call: ReceivedRequest): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of Object.keys(call.headers)) {
    const value = field(call, name);
    if (value !== undefined && name !== 'accept' && name !== 'authorization') headers[name] = value;
  }
  const accept = safeAccept(field(call, 'accept'));
  if (accept !== undefined) headers.accept = accept;
  if (call.body) headers['content-length'] = String(call.body.length);
  return headers;
}

function queryOf(query: string): Record<string, string | string[]> {
  const asked = new URLSearchParams(query);
  return Object.fromEntries(
    [...new Set(asked.keys())].map((name) => {
      const values = asked.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}

function headerText(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(headers).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
}

const LEVELS = ['trace', 'debug', 'info', 'success', 'warn', 'error', 'fatal'];
const SILENT = { ...Object.fromEntries(LEVELS.map((level) => [level, () => {}])), child: (): unknown => SILENT };
