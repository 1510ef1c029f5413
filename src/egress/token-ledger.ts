import type { Exchange } from '../model/exchange.ts';
import { header } from '../model/exchange.ts';

type Token = NonNullable<Exchange['token']>;

/** Remembers which tokens were issued when, so that each exchange can say whose token it carried. */
export interface TokenLedger {
  /** The token that an exchange carried, or that its answer issued; null for neither. */
  tokenOf(exchange: Exchange): Token | null;
}

/** Tokens that are remembered; a caller that asks for one per request would fill the memory otherwise. */
const MOST_TOKENS = 1000;

export function createTokenLedger(clock: () => number): TokenLedger {
  const issued = new Map<string, Token>();
  return {
    tokenOf(exchange) {
      const bearer = /^bearer +(.+)$/i.exec(header(exchange.request.headers, 'authorization') ?? '')?.[1];
      if (bearer !== undefined) return issued.get(bearer) ?? { value: bearer, issuedAt: null, expiresIn: null };
      const value = readToken(exchange);
      if (value === null) return null;
      const token: Token = { ...value, issuedAt: clock() };
      issued.set(token.value, token);
      const [oldest] = issued.keys();
      if (issued.size > MOST_TOKENS && oldest !== undefined) issued.delete(oldest);
      return token;
    },
  };
}

function readToken(exchange: Exchange): { value: string; expiresIn: number | null } | null {
  const response = exchange.response;
  if (response === null || response.status !== 200 || response.body.bytes.length > 1024 * 1024) return null;
  if (!(header(exchange.request.headers, 'authorization') ?? '').toLowerCase().startsWith('basic ')) return null;
  try {
    const body: unknown = JSON.parse(Buffer.from(response.body.bytes).toString('utf8'));
    if (typeof body !== 'object' || body === null || !('access_token' in body)) return null;
    if (typeof body.access_token !== 'string') return null;
    const lifetime = 'expires_in' in body && typeof body.expires_in === 'number' ? body.expires_in : null;
    return { value: body.access_token, expiresIn: lifetime };
  } catch {
    return null;
  }
}
