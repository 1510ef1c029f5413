import { createRequire } from 'node:module';
import type { IHttpConfig, IHttpRequest, PrismHttpComponents, PrismHttpInstance } from '@stoplight/prism-http';
import type { Json, JsonObject } from '../../contract/contract.ts';
import { missingEngine } from '../../files/missing-engine.ts';
import { joinPointer } from '../../text/pointer.ts';
import type { PlannedOperation } from '../compile/plan.ts';
import type { Preference } from '../compile/request.ts';
import type { Wrong } from '../message/problem.ts';
import { boundTexts } from './prism-texts.ts';

/** A request that was judged as far as the mock itself judges, for Prism to answer. */
export interface PrismRequest {
  readonly operation: PlannedOperation;
  /** Path with its values percent-encoded in full: Prism misreads some marks, such as a comma. */
  readonly path: string;
  readonly query: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed where it is JSON. */
  readonly body: unknown;
  readonly preference: Preference;
  readonly judge: boolean;
}

export type PrismReply = PrismAnswer | PrismRefusal;

export interface PrismAnswer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface PrismRefusal {
  readonly kind: 'refused';
  readonly status: number;
  readonly detail: string;
  readonly wrong: readonly Wrong[];
}

export interface Prism {
  respond(request: PrismRequest): Promise<PrismReply>;
}

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
  return {
    async respond(request) {
      const operation = byRoute.get(`${request.operation.method} ${request.operation.path}`);
      if (!operation) throw new Error(`Prism did not read ${request.operation.operationId}`);
      return run(prism, operation, request, { ...config, validateRequest: request.judge }, seed);
    },
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
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major < 24 || (major === 24 && minor < 18);
}

async function run(
  prism: PrismHttpInstance,
  operation: IHttpOperation,
  request: PrismRequest,
  config: IHttpConfig,
  seed: number,
): Promise<PrismReply> {
  const { code, exampleKey, dynamic = false } = request.preference;
  const mock = {
    dynamic,
    seed: request.preference.seed ?? String(seed),
    ...(code === undefined ? {} : { code }),
    ...(exampleKey === undefined ? {} : { exampleKey }),
  };
  const input: IHttpRequest = {
    method: operation.method as IHttpRequest['method'],
    url: { path: request.path, query: queryOf(request.query) },
    headers: { ...request.headers },
    // Prism takes null for no body
    body: request.body === undefined ? null : request.body,
  };
  // a fresh `mock` per call: Prism keeps the Accept of a request in it
  let result: Result<Output>;
  try {
    result = (await prism.request(input, [operation], { ...config, mock } as IHttpConfig)()) as Result<Output>;
  } catch {
    // it throws of a body that it cannot split into parts, where its own server would die
    return { kind: 'refused', status: 400, detail: 'Prism cannot read the request', wrong: [] };
  }
  if (result._tag === 'Left') return refused(result.left);
  const { statusCode, headers = {}, body } = result.right.output;
  return { kind: 'answer', status: statusCode, headers: headerText(headers), body };
}

function right<T>(value: T): Either<never, T> {
  return { _tag: 'Right', right: value };
}

function refused(error: Refusal): PrismRefusal {
  const wrong = (error.additional?.validation ?? []).map(({ location = [], message = '' }) =>
    wrongAt(location, message),
  );
  return { kind: 'refused', status: error.status ?? 500, detail: error.detail ?? error.message ?? '', wrong };
}

/** Prism's location is `body` or `query`, `header`, `path`, and the steps into it. */
function wrongAt(location: readonly string[], message: string): Wrong {
  const [part, ...steps] = location;
  if (part === 'query' || part === 'header' || part === 'path') return { in: part, name: steps.join('.'), message };
  return { in: 'body', pointer: joinPointer('', ...steps), message };
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
