import { BlockList, isIP } from 'node:net';
import { hostName, isLoopback } from '../../net/host.ts';

export interface WebhookPolicy {
  /** Why a URL must not be registered; undefined if it is allowed. */
  judgeUrl(url: string): string | undefined;
  /** Whether a host's resolved address is allowed. Loopback names may only resolve to loopback addresses. */
  mayConnect(address: string, host: string): boolean;
}

/** This network, private, shared (CGNAT), link-local, multicast and reserved ranges of both families. */
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

const LOOPBACK = [
  ['127.0.0.0', 8],
  ['::1', 128],
] as const;

/** @param allowed host names, addresses and ranges, for example `10.1.0.0/16` */
export function createWebhookPolicy(allowed: readonly string[]): WebhookPolicy {
  const names = new Set(allowed.map((one) => one.toLowerCase()));
  const ranges = allowed.map((one) => one.split('/')).filter(([net = '']) => isIP(net) !== 0);
  const isLocal = within(LOOPBACK);
  const isAllowed = within(ranges.map(([net = '', prefix]) => [net, Number(prefix ?? (net.includes(':') ? 128 : 32))]));
  const isPrivate = within(PRIVATE);

  return {
    mayConnect(address, host) {
      if (isIP(address) === 0) return false;
      if (isLoopback(host)) return isLocal(address);
      return isLocal(address) || isAllowed(address) || !isPrivate(address);
    },
    judgeUrl(text) {
      if (!URL.canParse(text)) return 'must be an absolute URL';
      const url = new URL(text);
      if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must be an http or https URL';
      if (url.username !== '' || url.password !== '') return 'must not hold credentials';
      const host = hostName(url.host) ?? '';
      if (isIP(host) !== 0) {
        return isLocal(host) || isAllowed(host) ? undefined : 'is an address that is not allowed';
      }
      return isLoopback(host) || names.has(host) ? undefined : 'is a host that is not allowed; loopback hosts are';
    },
  };
}

/** An IPv4 range also holds the addresses that are mapped into IPv6 (`::ffff:10.0.0.1`). */
function within(ranges: readonly (readonly [net: string, prefix: number])[]): (address: string) => boolean {
  const list = new BlockList();
  const family = (address: string): 'ipv4' | 'ipv6' => (address.includes(':') ? 'ipv6' : 'ipv4');
  for (const [net, prefix] of ranges) list.addSubnet(net, prefix, family(net));
  return (address) => list.check(address, family(address));
}
