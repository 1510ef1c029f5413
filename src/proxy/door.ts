import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hostName, isLoopback } from '../mock/http/host.ts';
import { rawValues } from './hop-by-hop.ts';
import type { ProxyOptions } from './options.ts';
import { type Problem, problem } from './problem.ts';

type Admission = Pick<ProxyOptions, 'allowedHosts' | 'allowedOrigins'>;

/**
 * Lets in who may use the proxy: not a page whose name was rebound to a loopback address, not a page of another origin, not one who
 * takes it for a proxy to anywhere. Gives the path and query that are asked for, as sent, or what is wrong.
 *
 * @param host the address that is bound
 */
export function createDoor(host: string, options: Admission): (request: IncomingMessage) => string | Problem {
  const hosts = new Set([host, ...(options.allowedHosts ?? [])].map((name) => name.toLowerCase()));
  const origins = new Set(options.allowedOrigins);
  const open = !isLoopback(host);
  const knows = (name: string): boolean => isLoopback(name) || hosts.has(name) || (open && isIP(name) !== 0);

  return (request) => {
    const given = rawValues(request.rawHeaders, 'host');
    if (given.length > 1) return problem(400, 'bad-request', 'there is more than one Host field');
    const absolute = /^https?:\/\/([^/?#]*)(.*)$/is.exec(request.url ?? '');
    const authority = absolute?.[1] ?? given[0];
    const target = absolute === null ? (request.url ?? '/') : withSlash(absolute[2] ?? '');
    if (authority !== undefined) {
      const name = hostName(authority);
      if (name === null) return problem(400, 'bad-request', 'the Host field is malformed');
      if (!knows(name))
        return problem(421, 'host-refused', 'it answers loopback names and the hosts that it was told to');
    } else if (request.httpVersion !== '1.0') return problem(400, 'bad-request', 'the Host field is missing');
    if (!target.startsWith('/') && target !== '*') return problem(400, 'bad-request', 'the target is no path');
    const origin = request.headers.origin;
    if (origin !== undefined && !origins.has(origin) && !isLoopbackOrigin(origin)) {
      return problem(403, 'origin-refused', 'only pages of loopback origins, and of those that it was told to allow');
    }
    // A client that offers h2c (Java's does) goes on well without; one that wants a WebSocket does not.
    const protocols = rawValues(request.rawHeaders, 'upgrade').join(',').toLowerCase();
    if (protocols !== '' && !/^\s*(?:h2c|http\/2(?:\.0)?)\s*$/.test(protocols)) {
      return problem(501, 'no-upgrade', 'requests to change the protocol are not passed on');
    }
    return target;
  };
}

function withSlash(path: string): string {
  return path.startsWith('/') ? path : `/${path}`;
}

function isLoopbackOrigin(origin: string): boolean {
  const name = hostName(/^https?:\/\/([^/]+)$/.exec(origin)?.[1] ?? '');
  return name !== null && isLoopback(name);
}
