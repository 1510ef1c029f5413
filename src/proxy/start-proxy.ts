import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Reached } from '../contract/paths.ts';
import { createUpstream } from '../egress/connect.ts';
import { createEgressRecorder } from '../egress/recorder.ts';
import { type Exchange, fieldsOf } from '../model/exchange.ts';
import { hostInYaml } from '../model/reason.ts';
import { numberConnections } from '../net/connections.ts';
import { DIRECT } from '../net/network.ts';
import { namesOfRequests, type OwnHeader, ownFields, secretsOfHeaders } from '../net/own-headers.ts';
import { close as closeServer, createServer, endRaw, listen, urlOf } from '../net/serving.ts';
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS } from '../net/settings.ts';
import type { Redactor } from '../redact/redact.ts';
import { asMock, guardsOf, isOfMock, openTarget, type Target } from '../run/target.ts';
import { createEffectsGate, createEntryCheck } from './admission.ts';
import { createBodyCopies } from './body-copies.ts';
import { locate } from './calls.ts';
import { aboutRequest, carry } from './carry.ts';
import { type Beginning, createJudgingQueue } from './judging-queue.ts';
import { type MissingMock, startMissingMock } from './mock-missing.ts';
import type { ProxyEvent, ProxyOptions, RunningProxy } from './options.ts';
import { PROXY_HEADER, proxyProblem, sendProblem } from './problem.ts';
import { learnSecrets } from './secrets.ts';

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
  const emit = (event: ProxyEvent): void => options.onEvent?.(event);

  const opened = await openTarget({ ...options, parameters: {} });
  const { baseUrl, embedded } = opened;
  let target: Target = { ...opened, parameters: options.parameters ?? {} };
  /** If the target turns out to be a mock, the mock's assumptions also apply. */
  let known: Promise<Target> | undefined;
  const { own, redactor, settings } = guardsOf(opened, options, () => known !== undefined || embedded);
  const upstream = createUpstream(baseUrl, timeouts.connect, (!embedded && options.network) || DIRECT);
  const startedAt = clock();
  const judging = createJudgingQueue(options, () => beginningOf(opened, options, { startedAt, own, redactor }));
  const gate = createEffectsGate(() => target.contract, settings);
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
      missing = await startMissingMock(options, (await target.assumptions) ?? target.contract);
    server = createProxyServer(handle);
    const { port } = await listen(server, options.port ?? 0, host);
    const { contract } = target;
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
    const path = asked.split('?', 1)[0] ?? '';
    const place = (): { method: string; path: string } => ({ method, path: redactor.target(path) });
    await judging.room();
    const ended = record(connectionOf(request.socket));
    const reached = locate(target.contract, method, asked);
    const job = { request, response, target: asked, firstByte: timeouts.firstByte * 1000 };

    const mock = async (by: MissingMock, known: Reached): Promise<void> => {
      const passed = await carry({ ...job, upstream: by.upstream, mark: MOCKED }, capture, known);
      emit({ kind: 'mocked', ...place(), operationId: known.operation.operationId });
      tell(ended(passed.ended));
    };

    const instead = reached === null ? missing?.locate(method, asked) : undefined;
    if (missing && instead) return mock(missing, instead);

    const admission = await gate.admit(request, response, asked, reached);
    const { refusal } = admission;
    if (refusal !== null) {
      const wrong = proxyProblem(403, 'not-allowed', `${refusal}. ${howToAllow}`);
      sendProblem(request, response, wrong);
      emit({ kind: 'refused', ...place(), reason: refusal });
      const { status, headers, body } = wrong;
      const answer = { status, headers: fieldsOf(headers), body: { bytes: body, state: 'complete' } } as const;
      tell(ended({ ...aboutRequest(request, asked, reached), response: answer, failure: null }));
      return;
    }

    const passed = await carry(
      {
        ...job,
        upstream,
        ownFields: ownFields(own, isTokenPath(path)),
        requestBody: admission.requestBody,
        withhold: reached === null ? undefined : missing?.withholds(reached, request),
      },
      capture,
      reached,
    );
    const { outcome } = passed;
    const exchange = ended(passed.ended);
    if (outcome.kind === 'failed') emit({ kind: 'unanswered', ...place(), reason: outcome.failure.message });
    if (outcome.kind === 'withheld' && missing && reached) await mock(missing, reached);
    else tell(exchange, true);
    judge(exchange, reached);
  }

  function judge(exchange: Exchange, reached: Reached | null): void {
    if (target.kind !== 'mock' && isOfMock(exchange)) known ??= becomeMock();
    if (reached !== null) redactor.learnFrom(reached.pathParameters);
    gate.note(exchange, reached);
    const isAbandoned = exchange.failure?.kind === 'aborted' || exchange.response?.delivered === false;
    judging.add(exchange, !isAbandoned);
  }

  async function becomeMock(): Promise<Target> {
    target = await asMock(target, options);
    return target;
  }

  function isTokenPath(path: string): boolean {
    const { contract } = target;
    return path === contract.operation(contract.token?.operationId ?? '')?.path;
  }

  async function end(): Promise<void> {
    if (server !== undefined) await closeServer(server);
    await judging.close();
    upstream.close();
    await missing?.close();
    await opened[Symbol.asyncDispose]();
  }

  function tell(exchange: Exchange, isJudged = false): void {
    learnSecrets(exchange, redactor);
    if (!isJudged) judging.add(exchange, false);
    options.onExchange?.(exchange);
  }
}

/** Data of the target and the options for the judging thread, without functions. */
function beginningOf(
  opened: Target,
  options: ProxyOptions,
  { own, redactor, startedAt }: { own: readonly OwnHeader[]; redactor: Redactor; startedAt: number },
): Beginning {
  const { kind, embedded, baseUrl, host, credentials, roles, failing } = opened;
  const { folder, overlays, effects, parameters = {}, failOn, requestIds, facts, severity } = options;
  return {
    opened: { kind, embedded, baseUrl, host, credentials, parameters, roles, failing },
    options: {
      parameters,
      ...(folder && { folder }),
      ...(overlays && { overlays }),
      ...(effects && { effects }),
      ...(failOn && { failOn }),
      ...(requestIds && { requestIds }),
      ...(facts && { facts }),
      ...(severity && { severity }),
    },
    secrets: redactor.secrets(),
    secretNames: secretsOfHeaders(own).names,
    sentIds: namesOfRequests(own),
    startedAt,
  };
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
