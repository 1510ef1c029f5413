import { isObject } from '../contract/schema-facts.ts';
import { type Exchange, header } from '../model/exchange.ts';
import { contentOf } from '../model/media.ts';

type CarriedToken = NonNullable<Exchange['token']>;

/** Tokens that are remembered; a caller that asks for one per request would fill the memory otherwise. */
const MOST_TOKENS = 1000;
/** Bytes of a token response. */
const LARGEST = 1024 * 1024;

export type Ended = Pick<Exchange, 'operationId' | 'request' | 'response' | 'failure'>;

/**
 * Makes exchanges of what leaves for a target: numbers them, and tells whose token each carried: the one of its request, or the one that
 * its answer issued. Called when a request begins, and again when it has ended.
 *
 * @param last number of the exchange before the first
 */
export function createRecorder(
  clock: () => number,
  last = 0,
): (connection: number | null) => (ended: Ended) => Exchange {
  const issued = new Map<string, CarriedToken>();
  let seq = last;

  function tokenOf(exchange: Exchange): CarriedToken | null {
    const { request, response } = exchange;
    const bearer = /^bearer +(.+)$/i.exec(header(request.headers, 'authorization') ?? '')?.[1];
    if (bearer !== undefined) return issued.get(bearer) ?? { value: bearer, issuedAt: null, expiresIn: null };
    if (!asksForToken(request) || response?.status !== 200 || response.body.bytes.length > LARGEST) return null;
    const content = contentOf(exchange);
    const members = content.kind === 'json' && isObject(content.value) ? content.value : {};
    const { access_token: value, expires_in: lifetime } = members;
    if (typeof value !== 'string') return null;
    const token: CarriedToken = { value, issuedAt: clock(), expiresIn: typeof lifetime === 'number' ? lifetime : null };
    issued.set(value, token);
    const [oldest] = issued.keys();
    if (issued.size > MOST_TOKENS && oldest !== undefined) issued.delete(oldest);
    return token;
  }

  return (connection) => {
    seq += 1;
    const begun = { seq, startedAt: clock(), connection };
    return (ended) => {
      const exchange = { ...begun, ...ended, endedAt: clock(), token: null };
      return { ...exchange, token: tokenOf(exchange) };
    };
  };
}

/** True for a request with the credentials of a client: HTTP Basic, or two fields of a form (RFC 6749, 2.3.1). */
function asksForToken({ headers, body }: Exchange['request']): boolean {
  if (/^basic /i.test(header(headers, 'authorization') ?? '')) return true;
  const isForm = /^application\/x-www-form-urlencoded/i.test(header(headers, 'content-type') ?? '');
  return isForm && new URLSearchParams(Buffer.from(body ?? []).toString()).has('client_secret');
}
