import { createOriginRule } from '../../net/origins.ts';
import type { FlatHeaders } from '../message/answer.ts';
import { type Answer, answer } from '../message/answer.ts';
import { field, type ReceivedRequest } from '../message/call.ts';

/** All methods. If the preflight refused one, a page could not read the 405 that lists the methods of a path. */
export const METHODS = 'GET, HEAD, PUT, POST, PATCH, DELETE, OPTIONS';
/** The mock's own headers by name. `*` covers the headers of a contract or scenario (Fetch: only without cookies). */
const EXPOSED =
  'x-mock-provenance, x-mock-scenario, x-mock-warning, www-authenticate, deprecation, sunset, link, allow, retry-after, *';
/** Seconds for which a browser may cache a preflight. */
const MAX_AGE = '600';

/**
 * Lets loopback origins and allowed origins read answers. The answer names the origin, never `*`.
 * @param takesCookies The contract reads cookies, so pages may send them. The control API reads none.
 */
export function createCors(allowedOrigins?: readonly string[], takesCookies = false) {
  const mayRead = createOriginRule(allowedOrigins);
  const credentials = takesCookies ? ['access-control-allow-credentials', 'true'] : [];
  return {
    preflight(call: ReceivedRequest): Answer | undefined {
      const origin = field(call, 'origin');
      if (call.method !== 'OPTIONS' || !origin || !field(call, 'access-control-request-method')) return undefined;
      // other origins get an answer without permission, which makes the browser refuse
      return answer(
        204,
        null,
        'assumed',
        mayRead(origin) ? [...permission(call, origin), ...credentials] : ['vary', 'Origin'],
      );
    },
    headers(call: Pick<ReceivedRequest, 'headers'>): FlatHeaders {
      const origin = field(call, 'origin');
      if (origin === undefined || !mayRead(origin)) return NONE;
      const shown = ['access-control-allow-origin', origin, 'access-control-expose-headers', EXPOSED, 'vary', 'Origin'];
      return [...shown, ...credentials];
    },
  };
}

const NONE: FlatHeaders = [];

function permission(call: ReceivedRequest, origin: string): FlatHeaders {
  const wanted = field(call, 'access-control-request-headers') ?? '';
  const names = /^[!#$%&'*+.^_`|~0-9A-Za-z, -]*$/.test(wanted) ? wanted : '';
  return [
    'access-control-allow-origin',
    origin,
    'access-control-allow-methods',
    METHODS,
    'access-control-allow-headers',
    names === '' ? 'authorization, content-type, accept, prefer' : names,
    'access-control-max-age',
    MAX_AGE,
    'vary',
    'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
  ];
}
