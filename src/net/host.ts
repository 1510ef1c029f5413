import { isIP } from 'node:net';

/** True for a name or address that is reachable only from this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Host without port and brackets, in lower case and without a final dot; null if it is invalid. */
export function hostName(authority: string): string | null {
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([^\s:/?#@[\]]+))(?::\d{0,5})?$/.exec(authority);
  const name = match?.[1] ?? match?.[2];
  return name === undefined ? null : name.toLowerCase().replace(/\.$/, '');
}

export function isLoopbackOrigin(origin: string): boolean {
  const name = hostName(/^https?:\/\/([^/]+)$/.exec(origin)?.[1] ?? '');
  return name !== null && isLoopback(name);
}

/**
 * Why the Host of a request to our server is rejected; null if it is accepted.
 * It stops DNS rebinding. A server bound beyond loopback also accepts IP addresses: rebinding needs a name.
 *
 * @param bound the address that is bound
 * @param allowed further names, without port
 */
export function createHostRule(
  bound: string,
  allowed: readonly string[] = [],
): (authority: string) => 'malformed' | 'refused' | null {
  const known = new Set([bound, ...allowed].map((name) => name.toLowerCase()));
  const open = !isLoopback(bound);
  return (authority) => {
    const name = hostName(authority);
    if (name === null) return 'malformed';
    return isLoopback(name) || known.has(name) || (open && isIP(name) !== 0) ? null : 'refused';
  };
}
