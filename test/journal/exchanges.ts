import type { Exchange } from '../../src/model/exchange.ts';

const encoder = new TextEncoder();

/** An exchange with a JSON body both ways, for tests. */
export function exchange(over: Partial<Exchange> = {}): Exchange {
  return {
    seq: 1,
    startedAt: Date.UTC(2026, 10, 21, 1, 2, 3, 4),
    endedAt: Date.UTC(2026, 10, 21, 1, 2, 3, 54),
    connection: 1,
    operationId: 'getCard',
    request: {
      method: 'GET',
      target: '/wallet/api/customers/c1/cards/k1',
      headers: [['accept', 'application/json']],
      body: null,
    },
    response: {
      status: 200,
      headers: [['content-type', 'application/json']],
      body: { bytes: encoder.encode('{"token":"tok-1234","cardLimitDaily":500}'), state: 'complete' },
    },
    failure: null,
    token: null,
    ...over,
  };
}

/** A token request and the answer that issues `token`. */
export function tokenExchange(token: string, seq: number = 1): Exchange {
  return exchange({
    seq,
    operationId: 'getToken',
    request: {
      method: 'POST',
      target: '/iam/oauth/token',
      headers: [
        ['authorization', `Basic ${Buffer.from('bob:hunter2').toString('base64')}`],
        ['content-type', 'application/x-www-form-urlencoded'],
      ],
      body: encoder.encode('grant_type=client_credentials'),
    },
    response: {
      status: 200,
      headers: [['content-type', 'application/json']],
      body: {
        bytes: encoder.encode(
          JSON.stringify({ access_token: token, expires_in: 3599, jti: 'abc', scope: '', token_type: 'bearer' }),
        ),
        state: 'complete',
      },
    },
  });
}
