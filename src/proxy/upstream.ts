import { type ClientRequest, Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { TransportFailure } from '../model/exchange.ts';
import { codeOf, failureKind } from '../net/response.ts';
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
  close(): void;
}

/** @param baseUrl `https://host[:port][/prefix]`, without a trailing slash */
export function createUpstream(baseUrl: string, timeouts: Pick<Timeouts, 'connect' | 'firstByte'>): Upstream {
  const base = new URL(baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  const secure = base.protocol === 'https:';
  const settings = { keepAlive: true, noDelay: true };
  const agent = secure ? new HttpsAgent(settings) : new HttpAgent(settings);
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
        path: `${prefix}${target}`,
        headers: headers as string[],
        setHost: false,
        agent: fresh ? false : agent,
        // beyond any header that a server of this API may send
        maxHeaderSize: 64 * 1024,
      };
      return secure ? httpsRequest(wanted) : httpRequest(wanted);
    },
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

/** What an error of `node:http` on the way to the target means. */
export function failureFrom(error: unknown): Failure {
  return failureOf(failureKind(error), error);
}
