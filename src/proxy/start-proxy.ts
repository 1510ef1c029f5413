import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Reached } from '../contract/paths.ts';
import { createUpstream } from '../egress/connect.ts';
import { createEgressRecorder } from '../egress/recorder.ts';
import { fieldsOf } from '../model/exchange.ts';
import { hostInYaml } from '../model/reason.ts';
import { numberConnections } from '../net/connections.ts';
import { DIRECT } from '../net/network.ts';
import { ownFields } from '../net/own-headers.ts';
import { close as closeServer, createServer, endRaw, listen, urlOf } from '../net/serving.ts';
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS } from '../net/settings.ts';
import { guardsOf, openTarget } from '../run/target.ts';
import { createEffectsGate, createEntryCheck } from './admission.ts';
import { createBodyCopies } from './body-copies.ts';
import { locate } from './calls.ts';
import { followTarget } from './follow.ts';
import { createJudging, type Passed } from './judging.ts';
import { type MissingMock, startMissingMock } from './mock-missing.ts';
import type { ProxyOptions, RunningProxy } from './options.ts';
import { PROXY_HEADER, proxyProblem, sendProblem } from './problem.ts';
import { carry, requestOf } from './relay.ts';

/** Bytes of all body copies that exist at once. */
const COPIES = 96 * 1024 * 1024;

/**
 * Starts a proxy between a caller and the API. It relays every exchange byte for byte and judges it afterwards by the
 * rules of a run. Resolves when it listens.
 *
 * @throws ToolError `config`, `spec-invalid` or `overlay-invalid`; `port-busy` or `usage` if it cannot listen
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { clock = Date.now, host = '127.0.0.1' } = options;
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };

  const opened = await openTarget({ ...options, parameters: {} });
  const { baseUrl, contract, embedded } = opened;
  const target = followTarget(opened, options);
  const guards = guardsOf(opened, options, target.isMock);
  const upstream = createUpstream(baseUrl, timeouts.connect, (!embedded && options.network) || DIRECT);
  const judging = createJudging(target, options, guards);
  const gate = createEffectsGate(target.contract, guards.settings);
  const howToAllow = `By default, the proxy sends only reads. Start it with --allow write (or destructive) and list ${hostInYaml(opened.host)} under writesAllowedOn in the configuration.`;
  const enter = createEntryCheck(host);
  const capture = createBodyCopies(COPIES, options.bodyBytes ?? DEFAULT_LIMITS.bodyBytes);
  const record = createEgressRecorder(clock, options.numberAfter);
  // There are never more connections than exchanges.
  const connectionOf = numberConnections(options.numberAfter);
  let missing: MissingMock | null = null;
  let server: Server | undefined;
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= end());

  try {
    if (options.mockMissing === true && !embedded)
      missing = await startMissingMock(options, (await opened.assumptions?.()) ?? contract);
    server = createProxyServer(handle);
    const { port } = await listen(server, options.port ?? 0, host);
    return {
      url: urlOf(host, port),
      port,
      target: baseUrl,
      notices: contract.notices,
      lowered: contract.operations.filter((one) => one.lowered).map(({ operationId }) => operationId),
      report: judging.report,
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    server = undefined;
    await close();
    throw error;
  }

  /** Handles one request: entry check, effects gate, then target or mock. Never rejects for errors of either side. */
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The end of the response shows that a side has disconnected.
    request.on('error', () => {});
    response.on('error', () => {});
    const asked = enter(request);
    if (typeof asked !== 'string') return sendProblem(request, response, asked);
    const method = request.method ?? 'GET';
    await judging.room();
    const ended = record(connectionOf(request.socket));
    const reached = locate(target.contract(), method, asked);
    const operationId = reached?.operation.operationId ?? null;
    const job = { request, response, target: asked, firstByte: timeouts.firstByte * 1000 };

    const mock = async (by: MissingMock, known: Reached): Promise<void> => {
      const { isWithheld: _, ...carried } = await carry({ ...job, upstream: by.upstream, mark: MOCKED }, capture);
      tell({ exchange: ended({ operationId: known.operation.operationId, ...carried }), by: 'mock' });
    };

    const instead = reached === null ? missing?.locate(method, asked) : undefined;
    if (missing && instead) return mock(missing, instead);

    const { refusal, requestBody } = await gate.admit(request, response, asked, reached);
    if (refusal !== null) {
      const wrong = proxyProblem(403, 'not-allowed', `${refusal}. ${howToAllow}`);
      sendProblem(request, response, wrong);
      const { status, headers, body } = wrong;
      const answer = { status, headers: fieldsOf(headers), body: { bytes: body, state: 'complete' } } as const;
      const exchange = ended({ operationId, request: requestOf(request, asked), response: answer, failure: null });
      tell({ exchange, by: 'proxy', refusal });
      return;
    }

    const withheld = missing?.withheld(reached, request);
    const fields = ownFields(guards.own, isTokenPath(asked));
    const { isWithheld, ...carried } = await carry(
      { ...job, upstream, ownFields: fields, requestBody, withheld },
      capture,
    );
    const exchange = ended({ operationId, ...carried });
    target.note(exchange);
    gate.note(exchange, reached);
    tell({ exchange, by: isWithheld ? 'withheld' : 'target' });
    if (isWithheld && missing && reached) await mock(missing, reached);
  }

  function isTokenPath(asked: string): boolean {
    const contract = target.contract();
    return asked.split('?', 1)[0] === contract.operation(contract.token?.operationId ?? '')?.path;
  }

  async function end(): Promise<void> {
    if (server !== undefined) await closeServer(server);
    await judging.close();
    upstream.close();
    await missing?.close();
    await opened[Symbol.asyncDispose]();
  }

  function tell(passed: Passed): void {
    judging.add(passed);
    if (passed.by !== 'withheld') options.onExchange?.(passed.exchange);
  }
}

const MOCKED = [PROXY_HEADER, 'mock'] as const;

/** The proxy's own HTTP server. It limits heads but not bodies, which are up to the target. */
function createProxyServer(handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Server {
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch(() => {
      sendProblem(
        request,
        response,
        proxyProblem(500, 'fault', 'the proxy failed; please report it with what led to this'),
      );
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
  // the target decides: its 100 or its rejection is passed on
  server.on('checkContinue', serve);
  server.on('checkExpectation', serve);
  server.on('connect', (_request, socket) => {
    endRaw(socket, proxyProblem(405, 'bad-request', 'the proxy has one target and opens no tunnels'));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
    endRaw(socket, proxyProblem(status, 'bad-request', 'the bytes are no HTTP/1.1 request that can be passed on'));
  });
  return server;
}
