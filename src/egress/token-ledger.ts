import { isObject } from '../contract/schema-facts.ts';
import { type Exchange, header } from '../model/exchange.ts';
import { contentOf } from '../model/media.ts';

type CarriedToken = NonNullable<Exchange['token']>;

/** Tokens that are remembered; a caller that asks for one per request would fill the memory otherwise. */
const MOST_TOKENS = 1000;
/** Bytes of a token response. */
const LARGEST = 1024 * 1024;

/**
 * Remembers which tokens were issued when, so that each exchange can say whose token it carried: the one of its request, or the one that
 * its answer issued; null for neither.
 */
export function createTokenLedger(clock: () => number): (exchange: Exchange) => CarriedToken | null {
  const issued = new Map<string, CarriedToken>();
  return (exchange) => {
    const bearer = /^bearer +(.+)$/i.exec(header(exchange.request.headers, 'authorization') ?? '')?.[1];
    if (bearer !== undefined) return issued.get(bearer) ?? { value: bearer, issuedAt: null, expiresIn: null };
    if (!asksForToken(exchange.request) || exchange.response?.status !== 200) return null;
    const content = exchange.response.body.bytes.length > LARGEST ? null : contentOf(exchange);
    const members = content?.kind === 'json' && isObject(content.value) ? content.value : {};
    const { access_token: value, expires_in: lifetime } = members;
    if (typeof value !== 'string') return null;
    const token: CarriedToken = { value, issuedAt: clock(), expiresIn: typeof lifetime === 'number' ? lifetime : null };
    issued.set(value, token);
    const [oldest] = issued.keys();
    if (issued.size > MOST_TOKENS && oldest !== undefined) issued.delete(oldest);
    return token;
  };
}

/** True for a request with the credentials of a client: HTTP Basic, or two fields of a form (RFC 6749, 2.3.1). */
function asksForToken({ headers, body }: Exchange['request']): boolean {
  if (/^basic /i.test(header(headers, 'authorization') ?? '')) return true;
  const isForm = /^application\/x-www-form-urlencoded/i.test(header(headers, 'content-type') ?? '');
  return isForm && new URLSearchParams(Buffer.from(body ?? []).toString()).has('client_secret');
}
