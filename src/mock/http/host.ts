import { isIP } from 'node:net';
import type { Answer } from './answer.ts';
import { problem } from './problem.ts';

/** True for a name or address that only this machine can be reached by. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Host without port and brackets, in lower case and without a final dot; null where it is none. */
export function hostName(authority: string): string | null {
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([^\s:/?#@[\]]+))(?::\d{0,5})?$/.exec(authority);
  const name = match?.[1] ?? match?.[2];
  return name === undefined ? null : name.toLowerCase().replace(/\.$/, '');
}

export interface HostOptions {
  /** The address that is bound; `127.0.0.1` by default. */
  readonly host?: string;
  readonly allowedHosts?: readonly string[];
}

/**
 * Refuses a Host that this mock does not answer, so that a page whose name was rebound to a loopback address cannot read it.
 * A mock that is bound beyond loopback on purpose answers addresses too: rebinding needs a name.
 */
export function createHostCheck({
  host = '127.0.0.1',
  allowedHosts = [],
}: HostOptions): (authority: string) => Answer | undefined {
  const allowed = new Set([host, ...allowedHosts].map((name) => name.toLowerCase()));
  const open = !isLoopback(host);
  let last: string | undefined;
  return (authority) => {
    if (authority === last) return undefined;
    const name = hostName(authority);
    if (name === null) return problem(400, 'bad-request', 'the Host field is malformed');
    if (isLoopback(name) || allowed.has(name) || (open && isIP(name) !== 0)) {
      last = authority;
      return undefined;
    }
    return problem(421, 'host-refused', 'this mock answers loopback names and the hosts that it was told to allow');
  };
}
