import { type AgentOptions, type ClientRequest, Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { TransportFailure } from '../model/exchange.ts';
import { DIRECT, type Network } from '../net/network.ts';
import { codeOf, failureKind } from '../net/response.ts';
import { networkFailure, type ProxyRoute, proxyRoute } from '../net/route.ts';
import type { Timeouts } from '../net/settings.ts';

/** Where requests go: one origin with the connections to it. */
export interface Upstream {
  /** Host field of the target. */
  readonly host: string;
  /** Milliseconds until a connection stands. */
  readonly connectTimeout: number;
  /** Milliseconds from the end of a request to the head of its answer. */
  readonly firstByteTimeout: number;
  /**
   * Begins a request. `headers` go out as they are.
   *
   * @param fresh on a connection of its own
   */
  open(method: string, target: string, headers: readonly string[], fresh: boolean): ClientRequest;
  /** What an error on the way to the target means. */
  failureFrom(error: unknown): Failure;
  /** Why an answer is none of the target's, or null. */
  refusal(status: number): Failure | null;
  close(): void;
}

/** @param baseUrl `https://host[:port][/prefix]`, without a trailing slash */
export function createUpstream(
  baseUrl: string,
  timeouts: Pick<Timeouts, 'connect' | 'firstByte'>,
  network: Network = DIRECT,
): Upstream {
  const base = new URL(baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  const secure = base.protocol === 'https:';
  const settings = { keepAlive: true, noDelay: true };
  const route = proxyRoute(base.origin, network, timeouts.connect * 1000);
  const tls = { ...settings, ...(network.target && { secureContext: network.target }) };
  const agent = route !== null ? agentBy(route, settings) : secure ? new HttpsAgent(tls) : new HttpAgent(settings);
  const freshAgent = (): HttpAgent | false => {
    if (route !== null) return agentBy(route, { ...settings, keepAlive: false });
    return secure && network.target ? new HttpsAgent({ ...tls, keepAlive: false }) : false;
  };
  const hostname = base.hostname.replace(/^\[|\]$/g, '');
  const port = base.port === '' ? (secure ? 443 : 80) : Number(base.port);
  return {
    host: base.host,
    connectTimeout: timeouts.connect * 1000,
    firstByteTimeout: timeouts.firstByte * 1000,
    open(method, target, headers, fresh) {
      const wanted = {
        hostname,
        port,
        method,
        path: route?.requestTarget(`${prefix}${target}`) ?? `${prefix}${target}`,
        headers: [...headers, ...(route?.fields ?? []).flat()],
        setHost: false,
        agent: fresh ? freshAgent() : agent,
        // beyond any header that a server of this API may send
        maxHeaderSize: 64 * 1024,
      };
      // what a proxy's connection carries is TLS already where it is to be
      return secure && route === null ? httpsRequest(wanted) : httpRequest(wanted);
    },
    failureFrom: (error) => networkFailure(error, network) ?? failureOf(failureKind(error), error),
    refusal: (status) => route?.refusal(status) ?? null,
    close: () => agent.destroy(),
  };
}

/** Why there is no answer to pass on. */
export interface Failure {
  readonly kind: TransportFailure;
  readonly message: string;
}

const MESSAGES: Readonly<Record<TransportFailure, string>> = {
  refused: 'the target refused the connection',
  dns: 'the host name of the target could not be resolved',
  proxy: 'the proxy did not let it through',
  tls: 'the TLS handshake with the target failed',
  reset: 'the target closed the connection before an answer',
  'connect-timeout': 'no connection to the target in time',
  'first-byte-timeout': 'no answer of the target in time',
  'call-timeout': 'the answer of the target did not end in time',
  malformed: 'the answer of the target was no HTTP',
  'too-large': 'the header of the answer of the target is too large',
  aborted: 'the caller went away',
};

export function failureOf(kind: TransportFailure, error?: unknown): Failure {
  const code = codeOf(error);
  return { kind, message: code === '' ? MESSAGES[kind] : `${MESSAGES[kind]} (${code})` };
}

/** Connections by a proxy. */
function agentBy(route: ProxyRoute, settings: AgentOptions): HttpAgent {
  const agent = new HttpAgent(settings);
  agent.createConnection = (_, opened) => {
    route.open().then(
      (socket) => opened?.(null, socket),
      (error: Error) => opened?.(error, undefined as never),
    );
    return undefined;
  };
  return agent;
}
