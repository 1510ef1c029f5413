import { isIPv6 } from 'node:net';
import { type Exchange, header } from '../http/exchange.ts';
import { learnFromBody, readBody } from '../http/journal/body.ts';
import { createRedactor } from '../http/redact.ts';
import { DEFAULT_LIMITS, DEFAULT_TIMEOUTS } from '../runner/settings.ts';
import { assumedOf } from '../spec/assumed.ts';
import { circumstancesOf } from '../spec/circumstances.ts';
import { secretNames } from '../spec/secrets.ts';
import { callOf } from './call-of.ts';
import { createBudget } from './capture.ts';
import { createDoor } from './door.ts';
import { createRecorder } from './exchanges.ts';
import { createFront } from './front.ts';
import { createGate } from './gate.ts';
import { createHandler } from './handler.ts';
import { createJudging } from './judging.ts';
import { type MissingMock, startMissingMock } from './missing.ts';
import type { ProxyEvent, ProxyOptions, RunningProxy } from './options.ts';
import { reportOf } from './report.ts';
import { openTarget } from './target.ts';
import { createUpstream } from './upstream.ts';

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
  const bodyLimit = options.bodyBytes ?? DEFAULT_LIMITS.bodyBytes;
  const redactor = options.redactor ?? createRedactor();
  const redact = (text: string): string => redactor.text(text);
  const emit = (event: ProxyEvent): void => options.onEvent?.(event);

  const target = await openTarget(options);
  redactor.learnNames(secretNames(target.places.contract));
  let missing: MissingMock | null = null;
  let known: Promise<void> = Promise.resolve();
  const close = once(async () => {
    await front?.close();
    await judging.settled();
    upstream.close();
    await missing?.close();
    await target.close();
  });
  const upstream = createUpstream({
    baseUrl: target.baseUrl,
    connect: timeouts.connect,
    firstByte: timeouts.firstByte,
  });
  const judging = createJudging({
    places: async () => {
      await known;
      return target.places;
    },
    assumptions: async () =>
      target.kind === 'mock'
        ? null
        : await target.assumed().then(
            ({ contract }) => contract,
            () => null,
          ),
    circumstances: () => {
      const { folder } = target.places.contract;
      const { facts, parameters } = options;
      return circumstancesOf({
        groups: folder.facts,
        facts,
        parameters,
        assumed: assumedOf(folder.assumed, target.kind),
      });
    },
    redact,
    onFinding: (finding) => emit({ kind: 'finding', finding }),
    onFault: (error) => emit({ kind: 'fault', message: redact(error instanceof Error ? error.message : 'unknown') }),
  });
  const gate = createGate(() => target.places.contract, {
    allow: options.allow ?? 'read',
    host: target.host,
    writesAllowedOn: options.writesAllowedOn ?? [],
    expendable: options.expendable ?? [],
    probe: false,
    embedded: target.embedded,
    get mock() {
      return target.kind === 'mock';
    },
  });

  let front: ReturnType<typeof createFront> | undefined;
  try {
    if (options.mockMissing === true && !target.embedded) {
      missing = await startMissingMock(options, await target.assumed());
    }
    front = createFront(
      createHandler({
        enter: createDoor({
          host,
          allowedHosts: options.allowedHosts ?? [],
          allowedOrigins: options.allowedOrigins ?? [],
        }),
        gate,
        upstream,
        missing,
        recorder: createRecorder(clock),
        budget: createBudget(COPIES),
        bodyLimit,
        howToAllow: `Without being told, the proxy sends only what reads: start it with --allow write (or destructive) and list ${target.host} under writesAllowedOn in the configuration.`,
        spotOf: (method, path) => target.places.spotOf(method, path),
        judge(exchange, spot) {
          if (saysMock(exchange)) known = target.becomeMock();
          if (spot !== null) redactor.learnFrom(spot.parameters);
          if (spot !== null) gate.note(callOf(exchange, spot, target.places.contract), spot.operation);
          if (exchange.failure?.kind !== 'aborted') judging.add(exchange);
        },
        tell(exchange) {
          learn(exchange);
          options.onExchange?.(exchange);
        },
        event: (event) => emit('path' in event ? { ...event, path: redactor.target(event.path) } : event),
      }),
    );
    const { port } = await front.listen(options.port ?? 0, host);
    return {
      url: `http://${shownHost(host)}:${port}`,
      port,
      target: target.baseUrl,
      notices: target.places.contract.notices,
      report: () =>
        reportOf({
          judging,
          target: { kind: target.kind, baseUrl: target.baseUrl },
          startedAt,
          now: clock(),
          failOn,
          redact,
        }),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    front = undefined;
    await close();
    throw error;
  }

  /** What must not be shown where it comes back in an answer or an error. */
  function learn(exchange: Exchange): void {
    if (exchange.token !== null) redactor.learn(exchange.token.value);
    learnFromBody(readBody(exchange.request.body, 'complete', exchange.request.headers, LARGEST_LESSON), redactor);
    if (exchange.response !== null) {
      const { body, headers } = exchange.response;
      learnFromBody(readBody(body.bytes, body.state, headers, LARGEST_LESSON), redactor);
    }
    const basic = /^basic +(\S+)/i.exec(header(exchange.request.headers, 'authorization') ?? '')?.[1];
    if (basic === undefined) return;
    redactor.learn(basic);
    const pair = Buffer.from(basic, 'base64').toString('utf8');
    const colon = pair.indexOf(':');
    if (colon >= 0) redactor.learn(pair.slice(colon + 1));
  }
}

function saysMock({ response }: Exchange): boolean {
  return header(response?.headers ?? [], 'x-mock-provenance') !== undefined;
}

function once<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= run();
    return running;
  };
}

/** The address that a client on this machine calls; a wildcard is no address to call. */
function shownHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIPv6(host) ? `[${host}]` : host;
}
