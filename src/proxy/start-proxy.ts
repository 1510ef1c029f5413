import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { circumstancesOf } from '../contract/conditions.ts';
import { assumedOf } from '../contract/contract-file.ts';
import { createUpstream } from '../egress/connect.ts';
import { learnFromExchange } from '../journal/entry.ts';
import { type Exchange, header } from '../model/exchange.ts';
import { hostInYaml } from '../model/reason.ts';
import { DIRECT } from '../net/network.ts';
import { namesOfRequests, ownFields } from '../net/own-headers.ts';
import { close as closeServer, createServer, endRaw, listen, urlOf } from '../net/serving.ts';
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS } from '../net/settings.ts';
import { guardsOf, isOfMock, openTarget } from '../run/target.ts';
import { createEffectsGate, createEntryCheck } from './admission.ts';
import { createBodyCopies } from './body-copies.ts';
import { locate } from './calls.ts';
import { createProxyHandler, type ProxyHandler } from './handler.ts';
import { createJudging } from './judging.ts';
import { type MissingMock, startMissingMock } from './mock-missing.ts';
import type { ProxyEvent, ProxyOptions, RunningProxy } from './options.ts';
import { problem, sendProblem } from './problem.ts';

/** Bytes of a body from which secrets are learned; what is longer is masked by names and looks only. */
const LARGEST_LESSON = 1024 * 1024;
/** Bytes of all copies of bodies that are made at once. */
const COPIES = 96 * 1024 * 1024;

/**
 * Starts a proxy between a caller and the API: it passes everything on byte for byte and judges each exchange, after it has ended, by
 * the rules of a run. Resolves when it listens.
 *
 * @throws ToolError `config` for a bad target, `port-busy` or `usage` where it cannot listen, `spec-invalid` or `overlay-invalid`.
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const clock = options.clock ?? Date.now;
  const startedAt = clock();
  const host = options.host ?? '127.0.0.1';
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const failOn = options.failOn ?? 'error';
  const emit = (event: ProxyEvent): void => options.onEvent?.(event);

  const target = await openTarget({ ...options, parameters: {} });
  const { baseUrl, embedded, assumptions } = target;
  let kind = target.kind;
  let contract = target.contract;
  const { own, redactor, settings } = guardsOf(target, options, () => kind === 'mock');
  const redact = (text: string): string => redactor.text(text);
  let missing: MissingMock | null = null;
  let known: Promise<void> = Promise.resolve();
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= end());
  const upstream = createUpstream(baseUrl, timeouts.connect, (!embedded && options.network) || DIRECT);
  const judging = createJudging({
    contract: () => known.then(() => contract),
    assumptions: async () => (kind === 'mock' ? null : await (assumptions?.catch(() => null) ?? null)),
    circumstances: () => {
      const { facts: groups, assumed } = contract.folder;
      const { facts, parameters } = options;
      return circumstancesOf({ groups, facts, parameters, assumed: assumedOf(assumed, kind) });
    },
    severities: options.severity ?? {},
    tickets: {
      baseUrl,
      parameters: options.parameters ?? {},
      requestIds: options.requestIds,
      sentIds: namesOfRequests(own),
    },
    redact,
    clock,
    onFinding: (finding) => emit({ kind: 'finding', finding }),
    onFault: (error) => emit({ kind: 'fault', message: redact(error instanceof Error ? error.message : 'unknown') }),
  });
  const gate = createEffectsGate(() => contract, settings);

  let server: Server | undefined;
  try {
    if (options.mockMissing === true && !embedded)
      missing = await startMissingMock(options, (await assumptions) ?? contract);
    server = createProxyServer(
      createProxyHandler({
        enter: createEntryCheck(host),
        gate,
        upstream,
        firstByte: timeouts.firstByte * 1000,
        ownFields: (path) => ownFields(own, isTokenPath(path)),
        missing,
        clock,
        numberAfter: options.numberAfter,
        capture: createBodyCopies(COPIES, options.bodyBytes ?? DEFAULT_LIMITS.bodyBytes),
        howToAllow: `By default, the proxy sends only reads. Start it with --allow write (or destructive) and list ${hostInYaml(target.host)} under writesAllowedOn in the configuration.`,
        locate: (method, path) => locate(contract, method, path),
        judge(exchange, reached) {
          if (kind !== 'mock' && isOfMock(exchange)) known = becomeMock();
          if (reached !== null) redactor.learnFrom(reached.pathParameters);
          gate.note(exchange, reached);
          const isAbandoned = exchange.failure?.kind === 'aborted' || exchange.response?.delivered === false;
          if (!isAbandoned) judging.add(exchange);
        },
        tell(exchange) {
          learn(exchange);
          options.onExchange?.(exchange);
        },
        event: (event) => emit('path' in event ? { ...event, path: redactor.target(event.path) } : event),
      }),
    );
    const { port } = await listen(server, options.port ?? 0, host);
    return {
      url: urlOf(host, port),
      port,
      target: baseUrl,
      notices: contract.notices,
      lowered: contract.operations.filter((one) => one.lowered).map(({ operationId }) => operationId),
      report: () => judging.report({ target: { kind, baseUrl }, startedAt, failOn }),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    server = undefined;
    await close();
    throw error;
  }

  function isTokenPath(path: string): boolean {
    return path === contract.operation(contract.token?.operationId ?? '')?.path;
  }

  async function end(): Promise<void> {
    if (server !== undefined) await closeServer(server);
    await judging.settled();
    upstream.close();
    await missing?.close();
    await target[Symbol.asyncDispose]();
  }

  /** The target has turned out to be a mock: from now on its assumptions count, too. */
  async function becomeMock(): Promise<void> {
    kind = 'mock';
    contract = (await assumptions) ?? contract;
  }

  /** What must not be shown where it comes back in an answer or an error. */
  function learn(exchange: Exchange): void {
    learnFromExchange(exchange, redactor, LARGEST_LESSON);
    const basic = /^basic +(\S+)/i.exec(header(exchange.request.headers, 'authorization') ?? '')?.[1];
    if (basic === undefined) return;
    redactor.learn(basic);
    const pair = Buffer.from(basic, 'base64').toString('utf8');
    const colon = pair.indexOf(':');
    if (colon >= 0) redactor.learn(pair.slice(colon + 1));
  }
}

/** The proxy's own HTTP server. It limits heads, not bodies: those are the target's business. */
function createProxyServer(handle: ProxyHandler): Server {
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch(() => {
      sendProblem(request, response, problem(500, 'fault', 'the proxy failed; please report it with what led to this'));
    });
  };
  const server = createServer(
    {
      maxHeaderSize: 64 * 1024,
      headersTimeout: 10_000,
      requestTimeout: 0,
      keepAliveTimeout: 5_000,
      requireHostHeader: false,
      noDelay: true,
    },
    serve,
  );
  // the target decides: its 100 is passed on, and so is its refusal
  server.on('checkContinue', serve);
  server.on('checkExpectation', serve);
  server.on('connect', (_request, socket) => {
    endRaw(socket, problem(405, 'bad-request', 'the proxy has one target and opens no tunnels'));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
    endRaw(socket, problem(status, 'bad-request', 'the bytes are no HTTP/1.1 request that can be passed on'));
  });
  return server;
}
