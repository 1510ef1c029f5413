import { type ClientRequest, Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
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
