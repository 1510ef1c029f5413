import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import type { TransportFailure } from '../model/exchange.ts';
import type { Network, ProxyServer } from '../net/network.ts';
import { codeOf, failureKind } from '../net/response.ts';

/** The proxy is why there is no connection, and not the target. */
class ProxyTrouble extends Error {
  override readonly name: string = 'ProxyTrouble';
}

/** Takes a connection, TLS with the target included, or why there is none. */
export type Opened = (error: Error | null, socket: Socket | null) => void;

/** Why there is no answer of the target. */
export interface Failure {
  readonly kind: TransportFailure;
  readonly message: string;
}

/** How connections to a target are opened: straight, by a tunnel through a proxy, or, for plain http, to a proxy that forwards requests. */
export interface Route {
  open(opened: Opened): void;
  /** The target of a request as it stands in its first line. */
  requestTarget(path: string): string;
  /** Field lines, name and value in turn, that the proxy needs of each request. */
  readonly fields: readonly string[];
  /** Why an answer is that of the proxy and not of the target, or null. */
  refusal(status: number): Failure | null;
}

/** @param origin of the target; @param timeout milliseconds until a connection stands; @param allowH2 whether the caller speaks HTTP/2 */
export function createRoute(origin: string, network: Network, timeout: number, allowH2: boolean): Route {
  const target = addressOf(origin);
  const { proxy } = network;
  const toTarget = buildConnector({ timeout, allowH2, ...(network.target && { secureContext: network.target }) });
  const direct = { requestTarget: (path: string) => path, fields: [], refusal: () => null };
  if (proxy === null) return { ...direct, open: (opened) => toTarget(target, opened as buildConnector.Callback) };

  const connector = buildConnector({
    timeout,
    allowH2: false,
    ...(network.toProxy && { secureContext: network.toProxy }),
  });
  const toProxy = (opened: Opened): void =>
    connector(addressOf(proxy.url), (error, socket) => opened(error && unreachable(proxy, error), socket));
  const fields = proxy.authorization === null ? [] : ['proxy-authorization', proxy.authorization];
  if (target.protocol === 'http:') {
    return {
      open: toProxy,
      requestTarget: (path) => `${origin}${path}`,
      fields,
      refusal: (status) => (status === 407 ? { kind: 'proxy', message: unauthorized(proxy) } : null),
    };
  }
  const authority = `${target.host.replace(/:\d+$/, '')}:${target.port || 443}`;
  return {
    ...direct,
    open: (opened) =>
      toProxy((error, socket) => {
        if (error !== null || socket === null) return opened(error, null);
        openTunnel({ socket, proxy, authority, fields, timeout }, (failure) => {
          if (failure !== null) return opened(failure, null);
          toTarget({ ...target, httpSocket: socket }, opened as buildConnector.Callback);
        });
      }),
  };
}

function addressOf(url: string): { hostname: string; host: string; protocol: string; port: string } {
  const { hostname, host, protocol, port } = new URL(url);
  return { hostname: hostname.replace(/^\[|\]$/g, ''), host, protocol, port };
}

interface Tunnel {
  readonly socket: Socket;
  readonly proxy: ProxyServer;
  /** Host and port of the target. */
  readonly authority: string;
  readonly fields: readonly string[];
  readonly timeout: number;
}

/** Asks the proxy for a tunnel (RFC 9110, 9.3.6). */
function openTunnel(
  { socket, proxy, authority, fields, timeout }: Tunnel,
  opened: (error: Error | null) => void,
): void {
  const headers = [...fields, 'host', authority];
  const request = httpRequest({
    createConnection: () => socket,
    method: 'CONNECT',
    path: authority,
    headers,
    setHost: false,
  });
  const end = (error: Error | null): void => {
    clearTimeout(timer);
    request.off('error', failed);
    request.on('error', () => {});
    if (error !== null) socket.destroy();
    opened(error);
  };
  const failed = (error: Error): void => end(unreachable(proxy, error));
  const answered = ({ statusCode = 0 }: IncomingMessage): void => {
    const said =
      statusCode === 407 ? unauthorized(proxy) : `${named(proxy)} answers ${statusCode} to CONNECT ${authority}`;
    end(statusCode >= 200 && statusCode <= 299 ? null : new ProxyTrouble(said));
  };
  const timer = setTimeout(() => end(new ProxyTrouble(`${named(proxy)} did not open a connection in time`)), timeout);
  request.on('error', failed);
  request.on('response', answered);
  request.on('connect', (answer, _, head) => {
    if (head.length > 0) socket.unshift(head);
    answered(answer);
  });
  request.end();
}

const named = ({ url, from }: ProxyServer): string => `the proxy ${url} (${from})`;

function unauthorized(proxy: ProxyServer): string {
  return proxy.authorization === null
    ? `${named(proxy)} asks for credentials (407); its URL may hold them where it comes from the environment`
    : `${named(proxy)} does not accept its credentials (407)`;
}

function unreachable(proxy: ProxyServer, error: Error): ProxyTrouble {
  const code = codeOf(error);
  const shown = code === '' ? '' : ` (${code})`;
  return new ProxyTrouble(
    failureKind(error) === 'tls'
      ? `the TLS handshake with ${named(proxy)} failed${shown}`
      : `there is no connection to ${named(proxy)}${shown}`,
  );
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
  aborted: 'the call was aborted',
};

/** Why there is no answer, with the setting that decides it where there is one. */
export function failureFrom(error: unknown, network: Network): Failure {
  if (error instanceof ProxyTrouble) return { kind: 'proxy', message: error.message };
  const kind = failureKind(error);
  const code = codeOf(error);
  const said = kind === 'tls' ? (distrust(code, network) ?? rejection(code, network)) : null;
  return said === null ? failureOf(kind, code) : { kind, message: `the TLS handshake failed: ${said} (${code})` };
}

export function failureOf(kind: TransportFailure, code = ''): Failure {
  return { kind, message: code === '' ? MESSAGES[kind] : `${MESSAGES[kind]} (${code})` };
}

const OF_ITS_CERTIFICATE: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate of the target, or of its authority, has expired',
  CERT_NOT_YET_VALID: 'the certificate of the target is not valid yet',
  CERT_REVOKED: 'the certificate of the target was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the target is of another host',
};

function distrust(code: string, { ca }: Network): string | null {
  if (!/^(?:UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|CERT_UNTRUSTED|INVALID_CA)/.test(code)) {
    return OF_ITS_CERTIFICATE[code] ?? null;
  }
  return ca === null
    ? 'the certificate of the target is of no authority that is trusted here; name one under network.ca'
    : `the certificate of the target is of no authority in ${ca}`;
}

const ALERT =
  /ALERT_(?:CERTIFICATE|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA|HANDSHAKE_FAILURE|ACCESS_DENIED)/;

/** What the target says of the certificate that it was shown, by an alert (RFC 8446, 6.2). */
function rejection(code: string, { certificate }: Network): string | null {
  if (!ALERT.test(code)) return null;
  return certificate === null
    ? 'the target asks for a client certificate; name one under network.cert and network.key, or network.pfx'
    : `the target does not accept the client certificate of ${certificate}`;
}
