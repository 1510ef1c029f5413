import { TokenError } from './token-error.ts';

/**
 * @param path the path of the token endpoint below the base URL
 * @returns its address, and the only origin that gets credentials and tokens
 * @throws TypeError if the base URL is not absolute http(s), or has credentials, a query or a fragment
 * @throws TokenError `insecure` for http beyond loopback, unless it is allowed
 */
export function tokenEndpoint(baseUrl: string | URL, path: string, allowInsecure: boolean) {
  const base = parseUrl(String(baseUrl));
  if (base === null) throw new TypeError('"baseUrl" must be an absolute URL');
  if (base.protocol !== 'https:' && base.protocol !== 'http:') throw new TypeError('"baseUrl" must be http or https');
  if (base.username !== '' || base.password !== '') throw new TypeError('"baseUrl" must not contain credentials');
  if (base.search !== '' || base.hash !== '') throw new TypeError('"baseUrl" must have no query and no fragment');
  if (!/^\/[^?#\s]*$/.test(path)) throw new TypeError('"tokenPath" must be a path that begins with a slash');
  const url = `${base.origin}${base.pathname.replace(/\/+$/, '')}${path}`;
  if (base.protocol === 'http:' && !allowInsecure && !isLoopback(base.hostname)) {
    throw new TokenError('insecure', `Credentials are sent over https only, and ${base.origin} is http`, {
      endpoint: url,
    });
  }
  return { url, origin: base.origin };
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}

/** `URL.parse`, which is missing in some browsers in use. */
export function parseUrl(url: string, base?: string): URL | null {
  try {
    return new URL(url, base);
  } catch {
    return null;
  }
}
