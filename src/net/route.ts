import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, connect as netConnect, type Socket } from 'node:net';
import { type SecureContext, connect as tlsConnect } from 'node:tls';
import type { HeaderFields, TransportFailure } from '../model/exchange.ts';
import type { Network, ProxyServer } from './network.ts';
import { codeOf, failureKind } from './response.ts';

/** The proxy is why there is no connection, and not the target. */
class ProxyTrouble extends Error {
  override readonly name: string = 'ProxyTrouble';
}

/** The way by a proxy: a tunnel to an https target, or requests that it forwards to an http one. */
export interface ProxyRoute {
  /** Opens a connection: TLS with the target included. Rejects where there is none in time. */
  open(): Promise<Socket>;
  /** The target of a request as it stands in its first line. */
  requestTarget(path: string): string;
  /** Field lines that the proxy needs of each request. */
  readonly fields: HeaderFields;
  /** Why an answer is that of the proxy and not of the target, or null. */
  refusal(status: number): { readonly kind: TransportFailure; readonly message: string } | null;
}

/** @param origin of the target; @param timeout milliseconds until a connection stands */
export function proxyRoute(origin: string, network: Network, timeout: number): ProxyRoute | null {
  const { proxy } = network;
  if (proxy === null) return null;
  const target = new URL(origin);
  const authorized: HeaderFields = proxy.authorization === null ? [] : [['proxy-authorization', proxy.authorization]];
  if (target.protocol === 'https:') {
    return {
      open: () => openTunnel(target, { proxy, network, timeout, authorized }),
      requestTarget: (path) => path,
      fields: [],
      refusal: () => null,
    };
  }
  return {
    open: () => openToProxy(proxy, network, timeout),
    requestTarget: (path) => `${target.origin}${path}`,
    fields: authorized,
    refusal: (status) => (status === 407 ? { kind: 'proxy', message: unauthorized(proxy) } : null),
  };
}

const named = ({ url, from }: ProxyServer): string => `the proxy ${url} (${from})`;

function unauthorized(proxy: ProxyServer): string {
  return proxy.authorization === null
    ? `${named(proxy)} asks for credentials (407); its URL may hold them where it comes from the environment`
    : `${named(proxy)} does not accept its credentials (407)`;
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function serverName(url: URL): { servername?: string } {
  return isIP(hostOf(url)) === 0 ? { servername: hostOf(url) } : {};
}

interface Tunnel {
  readonly proxy: ProxyServer;
  readonly network: Network;
  readonly timeout: number;
  readonly authorized: HeaderFields;
}

async function openTunnel(target: URL, { proxy, network, timeout, authorized }: Tunnel): Promise<Socket> {
  const port = target.port || '443';
  const until = Date.now() + timeout;
  const socket = await connectBy(`${target.hostname}:${port}`, { proxy, network, timeout, authorized });
  return secure(socket, target, network.target, Math.max(1, until - Date.now()));
}

/** Asks the proxy for a tunnel (RFC 9110, 9.3.6). */
function connectBy(authority: string, { proxy, network, timeout, authorized }: Tunnel): Promise<Socket> {
  const url = new URL(proxy.url);
  const isSecure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const request = (isSecure ? httpsRequest : httpRequest)({
      host: hostOf(url),
      port: url.port || (isSecure ? 443 : 80),
      method: 'CONNECT',
      path: authority,
      headers: [...authorized, ['host', authority] as const].flat(),
      setHost: false,
      agent: false,
      ...(isSecure && { ...serverName(url), ...(network.toProxy && { secureContext: network.toProxy }) }),
    });
    const timer = setTimeout(() => {
      request.destroy(new ProxyTrouble(`${named(proxy)} did not open a connection in time`));
    }, timeout);
    const refused = ({ statusCode }: IncomingMessage): void => {
      clearTimeout(timer);
      request.destroy();
      const said =
        statusCode === 407 ? unauthorized(proxy) : `${named(proxy)} answers ${statusCode} to CONNECT ${authority}`;
      reject(new ProxyTrouble(said));
    };
    request.on('error', (error) => {
      clearTimeout(timer);
      reject(error instanceof ProxyTrouble ? error : unreachable(proxy, error));
    });
    request.on('response', refused);
    request.on('connect', (answer, socket, head) => {
      if (answer.statusCode === undefined || answer.statusCode < 200 || answer.statusCode > 299) {
        socket.destroy();
        refused(answer);
        return;
      }
      clearTimeout(timer);
      if (head.length > 0) socket.unshift(head);
      resolve(socket as Socket);
    });
    request.end();
  });
}

function unreachable(proxy: ProxyServer, error: unknown): ProxyTrouble {
  const code = codeOf(error);
  const why = failureKind(error) === 'tls' ? 'the TLS handshake with' : 'there is no connection to';
  const failed = failureKind(error) === 'tls' ? ' failed' : '';
  return new ProxyTrouble(`${why} ${named(proxy)}${failed}${code === '' ? '' : ` (${code})`}`);
}

async function openToProxy(proxy: ProxyServer, network: Network, timeout: number): Promise<Socket> {
  const url = new URL(proxy.url);
  const isSecure = url.protocol === 'https:';
  const until = Date.now() + timeout;
  try {
    const socket = netConnect({ host: hostOf(url), port: Number(url.port || (isSecure ? 443 : 80)), noDelay: true });
    await ready(socket, 'connect', timeout);
    return isSecure ? await secure(socket, url, network.toProxy, Math.max(1, until - Date.now())) : socket;
  } catch (error) {
    throw unreachable(proxy, error);
  }
}

async function secure(socket: Socket, url: URL, context: SecureContext | undefined, timeout: number): Promise<Socket> {
  const over = tlsConnect({
    socket,
    ...serverName(url),
    host: hostOf(url),
    ALPNProtocols: ['http/1.1'],
    ...(context && { secureContext: context }),
  });
  // where the proxy ends the tunnel, what runs in it ends as well
  socket.once('close', () => over.destroy());
  await ready(over, 'secureConnect', timeout);
  return over;
}

function ready(socket: Socket, event: 'connect' | 'secureConnect', timeout: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      socket.off('error', failed);
      socket.off('close', closed);
      settle();
    };
    const failed = (error: Error): void => end(() => reject(error));
    const closed = (): void => failed(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    const timer = setTimeout(() => {
      const late = Object.assign(new Error('too late'), { code: 'ETIMEDOUT' });
      end(() => reject(late));
      socket.on('error', () => {});
      socket.destroy();
    }, timeout);
    socket.once('error', failed);
    socket.once('close', closed);
    socket.once(event, () => end(resolve));
  });
}

/** Why no connection came about, in words that name the setting which decides it; null where it is no matter of the network's settings. */
export function networkFailure(
  error: unknown,
  network: Network,
): { readonly kind: TransportFailure; readonly message: string } | null {
  if (error instanceof ProxyTrouble) return { kind: 'proxy', message: error.message };
  if (failureKind(error) !== 'tls') return null;
  const code = codeOf(error);
  const said = trusted(code, network) ?? shown(code, network);
  return said === null ? null : { kind: 'tls', message: `the TLS handshake failed: ${said} (${code})` };
}

function trusted(code: string, { ca }: Network): string | null {
  if (/^(?:UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|CERT_UNTRUSTED|INVALID_CA)/.test(code)) {
    return ca === null
      ? 'the certificate of the target is of no authority that is trusted here; name one under network.ca'
      : `the certificate of the target is of no authority in ${ca}`;
  }
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return 'the certificate of the target, or of its authority, has expired';
    case 'CERT_NOT_YET_VALID':
      return 'the certificate of the target is not valid yet';
    case 'CERT_REVOKED':
      return 'the certificate of the target was revoked';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'the certificate of the target is of another host';
    default:
      return null;
  }
}

/** What the target says of the certificate that it was shown, by an alert (RFC 8446, 6.2). */
function shown(code: string, { certificate }: Network): string | null {
  if (
    !/ALERT_(?:CERTIFICATE|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA|HANDSHAKE_FAILURE|ACCESS_DENIED)/.test(
      code,
    )
  ) {
    return null;
  }
  return certificate === null
    ? 'the target asks for a client certificate; name one under network.cert and network.key, or network.pfx'
    : `the target does not accept the client certificate of ${certificate}`;
}
