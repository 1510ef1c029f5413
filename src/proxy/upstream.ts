import { type ClientRequest, Agent as HttpAgent, request as httpRequest } from 'node:http';
import { createRoute, type Failure, failureFrom } from '../egress/connect.ts';
import { DIRECT, type Network } from '../net/network.ts';
import type { Timeouts } from '../net/settings.ts';

/** Where requests go: one origin with the connections to it. */
export interface Upstream {
  /** Host field of the target. */
  readonly host: string;
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
  const route = createRoute(base.origin, network, timeouts.connect * 1000, false);
  const agentFor = (keepAlive: boolean): HttpAgent => {
    const agent = new HttpAgent({ keepAlive });
    agent.createConnection = (_, opened) => {
      route.open((error, socket) => opened?.(error, socket as never));
      return undefined;
    };
    return agent;
  };
  const agent = agentFor(true);
  return {
    host: base.host,
    firstByteTimeout: timeouts.firstByte * 1000,
    open: (method, target, headers, fresh) =>
      httpRequest({
        hostname: base.hostname,
        port: base.port,
        method,
        path: route.requestTarget(`${prefix}${target}`),
        headers: [...headers, ...route.fields],
        setHost: false,
        agent: fresh ? agentFor(false) : agent,
        // beyond any header that a server of this API may send
        maxHeaderSize: 64 * 1024,
      }),
    failureFrom: (error) => failureFrom(error, network),
    refusal: route.refusal,
    close: () => agent.destroy(),
  };
}
