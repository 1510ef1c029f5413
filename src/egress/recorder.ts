import type { Exchange } from '../model/exchange.ts';
import { carriedToken, issuedToken } from '../model/token.ts';

type CarriedToken = NonNullable<Exchange['token']>;

/** Most tokens to remember. Otherwise, a caller that requests a token each time would fill the memory. */
const MOST_TOKENS = 1000;

export type Ended = Pick<Exchange, 'operationId' | 'request' | 'response' | 'failure'>;

/**
 * Turns requests into numbered exchanges, each with its token: the one that the request carried, or the one that the
 * answer issued. Called when a request begins; the result is called when it ends.
 *
 * @param last number of the exchange before the first
 */
export function createEgressRecorder(clock: () => number, last = 0) {
  const issued = new Map<string, CarriedToken>();
  let seq = last;

  function tokenOf(exchange: Exchange): CarriedToken | null {
    const carried = carriedToken(exchange);
    if (carried !== null) return issued.get(carried.value) ?? carried;
    const token = issuedToken(exchange);
    if (token === null) return null;
    issued.set(token.value, token);
    const [oldest] = issued.keys();
    if (issued.size > MOST_TOKENS && oldest !== undefined) issued.delete(oldest);
    return token;
  }

  return (connection: number | null) => {
    seq += 1;
    const begun = { seq, startedAt: clock(), connection };
    return (ended: Ended): Exchange => {
      const exchange = { ...begun, ...ended, endedAt: clock(), token: null };
      return { ...exchange, token: tokenOf(exchange) };
    };
  };
}
