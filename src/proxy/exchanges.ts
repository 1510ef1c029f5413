import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { createTokenLedger } from '../egress/token-ledger.ts';
import { type Body, type Exchange, fieldsOf } from '../model/exchange.ts';
import type { RawHeaders } from './hop-by-hop.ts';

/** What one request came to. */
export type Ended = Pick<Exchange, 'operationId' | 'failure'> & {
  readonly requestBody: Uint8Array | null;
  readonly response: { readonly status: number; readonly rawHeaders: RawHeaders; readonly body: Body } | null;
};

/** Makes exchanges of what passes by: numbers them, tells connections and tokens apart. Called when a request comes, and again when it has ended. */
export type Recorder = (request: IncomingMessage, target: string) => (ended: Ended) => Exchange;

/** @param last number of the exchange before the first; there are never more connections than exchanges */
export function createRecorder(clock: () => number, last = 0): Recorder {
  const connections = new WeakMap<Socket, number>();
  const tokens = createTokenLedger(clock);
  let lastConnection = last;
  let lastSeq = last;

  function connectionOf(socket: Socket): number {
    const known = connections.get(socket);
    if (known !== undefined) return known;
    lastConnection += 1;
    connections.set(socket, lastConnection);
    return lastConnection;
  }

  return (request, target) => {
    lastSeq += 1;
    const started = { seq: lastSeq, startedAt: clock(), connection: connectionOf(request.socket) };
    return ({ operationId, requestBody, response, failure }) => {
      const exchange: Exchange = {
        ...started,
        endedAt: clock(),
        operationId,
        request: { method: request.method ?? 'GET', target, headers: fieldsOf(request.rawHeaders), body: requestBody },
        response: response && {
          status: response.status,
          headers: fieldsOf(response.rawHeaders),
          body: response.body,
        },
        failure,
        token: null,
      };
      return { ...exchange, token: tokens.tokenOf(exchange) };
    };
  };
}
