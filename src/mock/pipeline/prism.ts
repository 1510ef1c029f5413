import { createRequire } from 'node:module';
import type { IHttpConfig, IHttpRequest, PrismHttpComponents, PrismHttpInstance } from '@stoplight/prism-http';
import type { Json, JsonObject } from '../../contract/contract.ts';
import { missingEngine } from '../../files/missing-engine.ts';
import { joinPointer } from '../../pointer.ts';
import type { PlannedOperation } from '../compile/plan.ts';
import type { Wrong } from '../http/problem.ts';
import type { Preference } from './negotiation.ts';
import { boundTexts } from './prism-texts.ts';

/** A request that was judged as far as the mock itself judges, for Prism to answer. */
export interface EngineRequest {
  readonly operation: PlannedOperation;
  /** Path with its values percent-encoded in full: Prism misreads some marks, such as a comma. */
  readonly path: string;
  readonly query: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed where it is JSON. */
  readonly body: unknown;
  readonly preference: Preference;
  /** Whether Prism is to judge the request too. */
  readonly judge: boolean;
  /** Whether the payload is to be made from the schema, whatever examples there are. */
  readonly ignoreExamples?: boolean;
}

/** What Prism made of it: an answer, or a refusal. */
export type EngineReply =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: unknown;
    }
  | { readonly kind: 'refused'; readonly status: number; readonly detail: string; readonly wrong: readonly Wrong[] };

/** The part of Prism that the mock uses. */
export interface Engine {
  respond(request: EngineRequest): Promise<EngineReply>;
}

/** The results of fp-ts are plain objects; the library itself cannot be imported from ESM. */
type Either<L, R> = { readonly _tag: 'Left'; readonly left: L } | { readonly _tag: 'Right'; readonly right: R };
type IHttpOperation = Awaited<ReturnType<typeof import('@stoplight/prism-http').getHttpOperationsFromSpec>>[number];
type Result = Either<Refusal, { readonly output: Output }>;

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
 * The route is known when a request comes here, tokens were judged, and nothing is logged.
 * @param seed Seed of what `Prefer: dynamic=true` generates.
 * @throws ToolError `engine-missing` where Prism is not installed.
 */
export async function createPrismEngine(document: JsonObject, seed: number): Promise<Engine> {
  const { createInstance, getHttpOperationsFromSpec } = await loadPrism();
  boundTexts(prismFound());
  // it writes into what it is given
  const operations = await getHttpOperationsFromSpec(withoutForeignReferences(structuredClone(document)) as object);
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
  const route = ({ resources }: { readonly resources: readonly IHttpOperation[] }): Either<never, unknown> => ({
    _tag: 'Right',
    right: resources[0],
  });
  const prism = createInstance(config, { route, logger: SILENT } as unknown as PrismHttpComponents);
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

/** Prism is used on its own, and where it came with its command. */
async function loadPrism(): Promise<typeof import('@stoplight/prism-http')> {
  try {
    return await import('@stoplight/prism-http');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    return loadFromCli(cause);
  }
}

async function loadFromCli(missing: unknown): Promise<typeof import('@stoplight/prism-http')> {
  try {
    return prismFound()('@stoplight/prism-http') as typeof import('@stoplight/prism-http');
  } catch {
    const [older, which] = olderNode() ? [OLDER_PRISM, ` Its newest versions ask for Node ${PRISM_FLOOR}.`] : ['', ''];
    const message = `Prism is not installed, and this answer needs it.${which}`;
    throw missingEngine(message, [`@stoplight/prism-http${older}`], missing);
  }
}

/** Finds what Prism finds. */
function prismFound(): NodeJS.Require {
  const require = createRequire(import.meta.url);
  try {
    return createRequire(require.resolve('@stoplight/prism-http'));
  } catch {
    const cli = require.resolve('@stoplight/prism-cli/package.json');
    return createRequire(createRequire(cli).resolve('@stoplight/prism-http'));
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
  request: EngineRequest,
  config: IHttpConfig,
  seed: number,
): Promise<EngineReply> {
  const { code, exampleKey, dynamic = false } = request.preference;
  const mock = {
    dynamic,
    ignoreExamples: request.ignoreExamples ?? false,
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
  let result: Result;
  try {
    result = (await prism.request(input, [operation], { ...config, mock } as IHttpConfig)()) as Result;
  } catch {
    // it throws of a body that it cannot split into parts, where its own server would die
    return { kind: 'refused', status: 400, detail: 'Prism cannot read the request', wrong: [] };
  }
  if (result._tag === 'Left') return refused(result.left);
  const { statusCode, headers = {}, body } = result.right.output;
  return { kind: 'answer', status: statusCode, headers: headerText(headers), body };
}

function refused(error: Refusal): EngineReply {
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
