import { BlockList, isIP } from 'node:net';

/**
 * True if a list like `NO_PROXY` names the host. Entries: `*`, `host`, `.suffix` or `suffix` (with all subdomains),
 * `*.suffix`, an address, a range (`10.0.0.0/8`), each with or without `:port`.
 */
export function isExempt(list: string, { hostname, port, protocol }: URL): boolean {
  const host = bare(hostname);
  const wanted = port || (protocol === 'https:' ? '443' : '80');
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      // An address with colons has a port only after brackets.
      const [, bracketed, name, only = wanted] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? [];
      return only === wanted && names(bracketed ?? name ?? entry, host);
    });
}

function names(entry: string, host: string): boolean {
  if (entry === '*') return true;
  const [, address, bits] = /^([\da-f.:]+)\/(\d{1,3})$/i.exec(entry) ?? [];
  if (address !== undefined) return isInRange(host, address, Number(bits));
  const name = bare(entry.replace(/^\*?\./, ''));
  return host.endsWith(`.${name}`) || (host === name && !entry.startsWith('*'));
}

function isInRange(host: string, address: string, bits: number): boolean {
  const family = isIP(address);
  if (family === 0 || isIP(host) !== family || bits > (family === 4 ? 32 : 128)) return false;
  const type = family === 4 ? 'ipv4' : 'ipv6';
  const range = new BlockList();
  range.addSubnet(address, bits, type);
  return range.check(host, type);
}

function bare(name: string): string {
  return name
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}
