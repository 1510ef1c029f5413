import { once } from 'node:events';
import type { Agent, ClientRequest } from 'node:http';
import { isIP, connect as open, type Socket } from 'node:net';
import { connect as openTls, type SecureContext } from 'node:tls';
import type { Network, ProxyServer } from '../net/network.ts';
import { http } from '../net/serving.ts';
import { asksForCredentials, type Failure, failureFrom, named, ProxyTrouble, unreachable } from './failure.ts';

/** Larger than any header that a server of this API may send. Bytes. */
const LARGEST_HEADER = 256 * 1024;
/** Milliseconds for which an idle connection is kept. */
const KEPT = 3000;

export interface Outgoing {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly target: string;
  /** Name and value in turn. */
  readonly headers: readonly string[];
  readonly signal?: AbortSignal;
}

export type Upstream = ReturnType<typeof createUpstream>;

/**
 * One origin and its connections: direct, in a tunnel through a proxy, or to a forwarding proxy.
 *
 * @param baseUrl `https://host[:port][/prefix]`, without a trailing slash
 * @param seconds time limit for a connection
 */
export function createUpstream(baseUrl: string, seconds: number, network: Network) {
  const { origin, protocol, host, hostname, port, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  const timeout = seconds * 1000;
  const { proxy } = network;
  const fields = proxy?.authorization ? ['proxy-authorization', proxy.authorization] : [];
  const isForwarded = proxy !== null && protocol === 'http:';

  async function connect(): Promise<Socket> {
    const target = { url: origin, timeout, secureContext: network.target };
    if (proxy === null) return openSocket(target);
    const toProxy = { url: proxy.url, timeout, secureContext: network.toProxy };
    const socket = await openSocket(toProxy).catch((error: Error) => Promise.reject(unreachable(proxy, error)));
    if (isForwarded) return socket;
    await openTunnel({ socket, proxy, authority: `${hostname}:${port || 443}`, fields, timeout });
    return openSocket({ ...target, socket });
  }

  const agentFor = (keepAlive: boolean): Agent => {
    const agent = new http.Agent({ keepAlive, timeout: KEPT });
    agent.createConnection = (_, opened) => {
      connect().then(
        (socket) => opened?.(null, socket),
        (error) => opened?.(error, undefined as never),
      );
      return undefined;
    };
    return agent;
  };
  const agent = agentFor(true);
  return {
    host,
    /**
     * Begins a request below the path of the target. Header lines are sent unchanged.
     *
     * @param fresh whether to use a new connection
     */
    open: ({ target, headers, ...request }: Outgoing, fresh = false): ClientRequest =>
      http.request({
        ...request,
        hostname,
        port,
        path: `${isForwarded ? origin : ''}${prefix}${target}`,
        headers: isForwarded ? [...headers, ...fields] : headers,
        setHost: false,
        agent: fresh ? agentFor(false) : agent,
        maxHeaderSize: LARGEST_HEADER,
      }),
    failureFrom: (error: unknown): Failure => failureFrom(error, network),
    /** Why an answer came from the proxy and not from the target. */
    refusal: (status: number): Failure | null =>
      isForwarded && status === 407 ? { kind: 'proxy', message: asksForCredentials(proxy) } : null,
    close: (): void => agent.destroy(),
  };
}

interface Connection {
  readonly url: string;
  /** Milliseconds. */
  readonly timeout: number;
  readonly secureContext: SecureContext | undefined;
  /** An open connection to use for TLS. */
  readonly socket?: Socket;
}

async function openSocket({ url, timeout, secureContext, socket: below }: Connection): Promise<Socket> {
  const { protocol, hostname, port } = new URL(url);
  const isSecure = protocol === 'https:';
  const host = hostname.replace(/^\[|\]$/g, '');
  const address = { host, port: Number(port || (isSecure ? 443 : 80)) };
  const named = isIP(host) === 0 && { servername: host };
  const through = { ...(secureContext && { secureContext }), ...(below && { socket: below }) };
  const socket = isSecure ? openTls({ ...address, ...named, ...through }) : open(address);
  const late = Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' });
  const timer = setTimeout(() => socket.destroy(late), timeout);
  await once(socket, isSecure ? 'secureConnect' : 'connect').finally(() => clearTimeout(timer));
  return socket;
}

interface Tunnel {
  readonly socket: Socket;
  readonly proxy: ProxyServer;
  readonly authority: string;
  readonly fields: readonly string[];
  /** Milliseconds. */
  readonly timeout: number;
}

/** Asks the proxy for a tunnel (RFC 9110, 9.3.6). */
async function openTunnel({ socket, proxy, authority, fields, timeout }: Tunnel): Promise<void> {
  const request = http.request({
    createConnection: () => socket,
    method: 'CONNECT',
    path: authority,
    headers: [...fields, 'host', authority],
    setHost: false,
  });
  const late = new ProxyTrouble(`${named(proxy)} did not open a connection in time`);
  const timer = setTimeout(() => request.destroy(late), timeout);
  const [{ statusCode = 0 }, , head] = await once(request.end(), 'connect')
    .catch((error: Error) => Promise.reject(error === late ? late : unreachable(proxy, error)))
    .finally(() => clearTimeout(timer));
  if (head.length > 0) socket.unshift(head);
  if (statusCode >= 200 && statusCode <= 299) return;
  socket.destroy();
  throw new ProxyTrouble(
    statusCode === 407 ? asksForCredentials(proxy) : `${named(proxy)} answers ${statusCode} to CONNECT ${authority}`,
  );
}
