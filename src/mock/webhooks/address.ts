import { BlockList, isIP } from 'node:net';
import { hostName, isLoopback } from '../../net/host.ts';

/** Which hosts and addresses a webhook may go to: loopback, and what is allowed by name, address or range (`10.1.0.0/16`). */
export interface WebhookPolicy {
  /** Why a URL may not be registered; undefined where it may. */
  judgeUrl(url: string): string | undefined;
  /** True where an address that a host turned out to have may be connected to; a loopback name is good for loopback addresses only. */
  mayConnect(address: string, host: string): boolean;
}

/** Ranges that are nobody's business: this network, private, shared (CGNAT), link-local, multicast, reserved; of both families. */
const PRIVATE: readonly (readonly [net: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 128],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

export function createWebhookPolicy(allowed: readonly string[]): WebhookPolicy {
  const names = new Set(allowed.map((one) => one.toLowerCase()));
  const ranges = new BlockList();
  for (const one of allowed) {
    const [net = '', prefix] = one.split('/');
    if (isIP(net) === 0) continue;
    ranges.addSubnet(net, Number(prefix ?? (family(net) === 'ipv6' ? 128 : 32)), family(net));
  }
  const refused = new BlockList();
  for (const [net, prefix] of PRIVATE) refused.addSubnet(net, prefix, family(net));

  const mayConnect = (given: string, host: string): boolean => {
    const address = unmapped(given);
    if (isIP(address) === 0) return false;
    if (isLoopback(host)) return isLoopback(address);
    if (isLoopback(address) || ranges.check(address, family(address))) return true;
    return !refused.check(address, family(address));
  };

  return {
    mayConnect,
    judgeUrl(text) {
      if (!URL.canParse(text)) return 'must be an absolute URL';
      const url = new URL(text);
      if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must be an http or https URL';
      if (url.username !== '' || url.password !== '') return 'must not hold credentials';
      const host = hostName(url.host) ?? '';
      const address = unmapped(host);
      if (isLoopback(address)) return undefined;
      if (isIP(address) !== 0) {
        return ranges.check(address, family(address)) ? undefined : 'is an address that is not allowed';
      }
      return names.has(host) ? undefined : 'is a host that is not allowed; loopback hosts are';
    },
  };
}

/** The IPv4 address in a mapped one (`::ffff:10.0.0.1`, `::ffff:a00:1`), which reaches the same host. */
function unmapped(address: string): string {
  if (isIP(address) !== 6) return address;
  const [, dotted] = /^(?:0*:)*:?(?:ffff:)(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (dotted) return dotted;
  const [, high, low] =
    /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(new URL(`http://[${address}]`).hostname.slice(1, -1)) ?? [];
  if (high === undefined || low === undefined) return address;
  const bits = (Number.parseInt(high, 16) << 16) | Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');
}

/** Of what is known to be an address: `isIPv6` would compile its expression for every start. */
function family(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}
