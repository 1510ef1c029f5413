import { parseJson } from '../text/decode.ts';
import { type Exchange, header } from './exchange.ts';

/** The token that a request carries, if its issue is unknown. */
export function carriedToken({ request }: Exchange): Exchange['token'] {
  const [, value] = /^bearer +(\S+)\s*$/i.exec(header(request.headers, 'authorization') ?? '') ?? [];
  return value === undefined ? null : { value, issuedAt: null, expiresIn: null };
}

/** The token that a token response issues (RFC 6749, 5.1), at any path. A capture may lack the request's body. */
export function issuedToken({ request, response, endedAt }: Exchange): Exchange['token'] {
  if (response === null || response.status > 299) return null;
  const asked = /(?:^|&)grant_type=/.test(Buffer.from(request.body ?? []).toString('latin1'));
  if (!asked && !Buffer.from(response.body.bytes).includes('"token_type"')) return null;
  const body = Object(parseJson(Buffer.from(response.body.bytes).toString('utf8'))) as Record<string, unknown>;
  const { access_token: value, expires_in: lifetime } = body;
  if (typeof value !== 'string' || value === '') return null;
  return { value, issuedAt: endedAt, expiresIn: typeof lifetime === 'number' ? lifetime : null };
}
