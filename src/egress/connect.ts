import { once } from 'node:events';
import type { Agent, ClientRequest } from 'node:http';
import { isIP, connect as open, type Socket } from 'node:net';
import { connect as openTls, type SecureContext } from 'node:tls';
import type { Network, ProxyServer } from '../net/network.ts';
import { codeOf } from '../net/response.ts';
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

type Written = (error?: Error | null) => void;

/**
 * Ignores writes to a connection that the target has closed. By default, such a write destroys the socket, and with it
 * an answer that the target sent before it closed. The end of the connection is noticed by reading.
 */
function readableAfterWrites(socket: Socket): Socket {
  const { _write: write, _writev: writev } = socket;
  const ignoring = (written: Written): Written => {
    return (error) => written(/^(?:EPIPE|ECONNRESET)$/.test(codeOf(error)) ? null : error);
  };
  socket._write = (chunk, encoding, written) => write.call(socket, chunk, encoding, ignoring(written));
  socket._writev = (chunks, written) => writev?.call(socket, chunks, ignoring(written));
  return socket;
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
    if (proxy === null) return openSocket(origin, network.target);
    const socket = await openSocket(proxy.url, network.toProxy).catch((error) => {
      throw unreachable(proxy, error);
    });
    if (isForwarded) return socket;
    await openTunnel(socket, proxy);
    return openSocket(origin, network.target, socket);
  }

  /** @param below an open connection to use for TLS */
  async function openSocket(url: string, secureContext: SecureContext | undefined, below?: Socket): Promise<Socket> {
    const to = new URL(url);
    const isSecure = to.protocol === 'https:';
    const host = to.hostname.replace(/^\[|\]$/g, '');
    const address = { host, port: Number(to.port || (isSecure ? 443 : 80)) };
    const byName = isIP(host) === 0 && { servername: host };
    const through = { ...(secureContext && { secureContext }), ...(below && { socket: below }) };
    const socket = isSecure ? openTls({ ...address, ...byName, ...through }) : open(address);
    const late = Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' });
    const timer = setTimeout(() => socket.destroy(late), timeout);
    await once(socket, isSecure ? 'secureConnect' : 'connect').finally(() => clearTimeout(timer));
    return readableAfterWrites(socket);
  }

  /** Asks the proxy for a tunnel (RFC 9110, 9.3.6). */
  async function openTunnel(socket: Socket, to: ProxyServer): Promise<void> {
    const authority = `${hostname}:${port || 443}`;
    const request = http.request({
      createConnection: () => socket,
      method: 'CONNECT',
      path: authority,
      headers: [...fields, 'host', authority],
      setHost: false,
    });
    const late = new ProxyTrouble(`${named(to)} did not open a connection in time`);
    const timer = setTimeout(() => request.destroy(late), timeout);
    const [{ statusCode = 0 }, , head] = await once(request.end(), 'connect')
      .catch((error: Error) => Promise.reject(error === late ? late : unreachable(to, error)))
      .finally(() => clearTimeout(timer));
    if (head.length > 0) socket.unshift(head);
    if (statusCode >= 200 && statusCode <= 299) return;
    socket.destroy();
    throw new ProxyTrouble(
      statusCode === 407 ? asksForCredentials(to) : `${named(to)} answers ${statusCode} to CONNECT ${authority}`,
    );
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
