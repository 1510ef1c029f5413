/** The address under which an API is thought to be. */
export interface Base {
  readonly origin: string;
  /** Path without a trailing slash; empty for the root. */
  readonly prefix: string;
}

/** @throws TypeError for what is no http(s) address. */
export function baseOf(baseUrl: string): Base {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl is an http or https address');
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
}

/** Path and query of an address below a base, as the API knows them; null for an address that is not below it. */
export function addressIn(base: Base, address: string): string | null {
  const { origin, pathname, search } = new URL(address);
  if (origin !== base.origin) return null;
  if (base.prefix !== '' && pathname !== base.prefix && !pathname.startsWith(`${base.prefix}/`)) return null;
  const path = pathname.slice(base.prefix.length);
  return (path === '' ? '/' : path) + search;
}
