import { carriedToken, issuedToken } from '../journal/entry.ts';
import type { Exchange } from '../model/exchange.ts';

type CarriedToken = NonNullable<Exchange['token']>;

/** Tokens that are remembered; a caller that asks for one per request would fill the memory otherwise. */
const MOST_TOKENS = 1000;

export type Ended = Pick<Exchange, 'operationId' | 'request' | 'response' | 'failure'>;

/**
 * Makes exchanges of what leaves for a target: numbers them, and tells whose token each carried: the one of its request, or the one that
 * its answer issued. Called when a request begins, and again when it has ended.
 *
 * @param last number of the exchange before the first
 */
export function createEgressRecorder(
  clock: () => number,
  last = 0,
): (connection: number | null) => (ended: Ended) => Exchange {
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

  return (connection) => {
    seq += 1;
    const begun = { seq, startedAt: clock(), connection };
    return (ended) => {
      const exchange = { ...begun, ...ended, endedAt: clock(), token: null };
      return { ...exchange, token: tokenOf(exchange) };
    };
  };
}
