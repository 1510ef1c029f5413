import type { Outgoing } from './outgoing.ts';
import { parseUrl } from './parse-url.ts';
import { replayableBody } from './replayable-body.ts';

/** Redirects in a row that are followed, as in fetch. */
export const MAX_REDIRECTS = 20;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Not for another origin (RFC 9110, section 15.4). */
const CREDENTIALS = ['authorization', 'cookie', 'host', 'proxy-authorization'];
const CONTENT = ['content-encoding', 'content-language', 'content-length', 'content-location', 'content-type'];

/** Whether a response asks to go elsewhere, in a way that can be followed. */
export function isRedirect(response: Response): boolean {
  return REDIRECTS.has(response.status) && response.headers.has('location');
}

/**
 * The request that a redirect asks for, by the rules of fetch.
 *
 * @throws TypeError for a target that is no http(s) address, and for a body that cannot be sent again.
 */
export function redirected(request: Outgoing, response: Response): Outgoing {
  const url = parseUrl(response.headers.get('location') ?? '', request.url.href);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new TypeError('Redirected to no http address');
  if (url.hash === '') url.hash = request.url.hash;
  const { status } = response;
  const headers = new Headers(request.headers);
  if (url.origin !== request.url.origin) for (const name of CREDENTIALS) headers.delete(name);
  const becomesGet =
    status === 303 ? !/^(?:GET|HEAD)$/.test(request.method) : status < 303 && request.method === 'POST';
  if (!becomesGet) {
    if (!request.body.replayable) throw new TypeError('Redirected with a body that cannot be sent again');
    return { ...request, url, headers };
  }
  request.body.release();
  for (const name of CONTENT) headers.delete(name);
  return { ...request, url, headers, method: 'GET', body: replayableBody(null) };
}
