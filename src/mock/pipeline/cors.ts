import { createOriginRule } from '../../net/origins.ts';
import type { FlatHeaders } from '../message/answer.ts';
import { type Answer, answer } from '../message/answer.ts';
import { field, type ReceivedRequest } from '../message/call.ts';

/** Those of a path are told by its answer (405): a page could not read that if the preflight refused the method. */
export const METHODS = 'GET, HEAD, PUT, POST, PATCH, DELETE, OPTIONS';
/** The mock's own by their names, and by `*` what a contract or a scenario adds (Fetch, where no cookies are involved). */
const EXPOSED =
  'x-mock-provenance, x-mock-scenario, x-mock-warning, www-authenticate, deprecation, sunset, link, allow, retry-after, *';
/** Seconds that a browser may remember a preflight. */
const MAX_AGE = '600';

export interface Cors {
  preflight(call: ReceivedRequest): Answer | undefined;
  headers(call: Pick<ReceivedRequest, 'headers'>): FlatHeaders;
}

/**
 * Cross-origin reading for loopback origins and those that are allowed. The origin is named, never `*`, and credentials
 * (cookies) are not allowed: the API's token travels in a header that a page sets itself.
 */
export function createCors(allowedOrigins?: readonly string[]): Cors {
  const mayRead = createOriginRule(allowedOrigins);
  return {
    preflight(call) {
      const origin = field(call, 'origin');
      if (call.method !== 'OPTIONS' || !origin || !field(call, 'access-control-request-method')) return undefined;
      // an origin that may not read gets an answer without permission, which is how a browser is refused
      return answer(204, null, 'assumed', mayRead(origin) ? permission(call, origin) : ['vary', 'Origin']);
    },
    headers(call) {
      const origin = field(call, 'origin');
      if (origin === undefined || !mayRead(origin)) return NONE;
      return ['access-control-allow-origin', origin, 'access-control-expose-headers', EXPOSED, 'vary', 'Origin'];
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
