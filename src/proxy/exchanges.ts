import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Body, Exchange } from '../http/exchange.ts';
import { fieldsOf } from '../mock/call.ts';
import { createTokenLedger } from '../runner/token-ledger.ts';
import type { Failure } from './failure.ts';
import type { RawHeaders } from './hop-by-hop.ts';

/** One request under way. */
export interface Started {
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly connection: number;
}

/** What one exchange came to. */
export interface Ended {
  readonly request: IncomingMessage;
  readonly target: string;
  readonly operationId: string | null;
  readonly requestBody: Uint8Array | null;
  readonly response: { readonly status: number; readonly rawHeaders: RawHeaders; readonly body: Body } | null;
  readonly failure: Failure | null;
}

/** Makes exchanges of what passes by: numbers them, tells connections and tokens apart. */
export interface Recorder {
  start(request: IncomingMessage): Started;
  end(started: Started, ended: Ended): Exchange;
}

export function createRecorder(clock: () => number): Recorder {
  const connections = new WeakMap<Socket, number>();
  const tokens = createTokenLedger(clock);
  let lastConnection = 0;
  let lastSeq = 0;

  function connectionOf(socket: Socket): number {
    const known = connections.get(socket);
    if (known !== undefined) return known;
    lastConnection += 1;
    connections.set(socket, lastConnection);
    return lastConnection;
  }

  return {
    start(request) {
      lastSeq += 1;
      return { seq: lastSeq, startedAt: clock(), connection: connectionOf(request.socket) };
    },
    end(started, { request, target, operationId, requestBody, response, failure }) {
      const exchange: Exchange = {
        ...started,
        endedAt: clock(),
        operationId,
        request: { method: request.method ?? 'GET', target, headers: fieldsOf(request.rawHeaders), body: requestBody },
        response:
          response === null
            ? null
            : { status: response.status, headers: fieldsOf(response.rawHeaders), body: response.body },
        failure,
        token: null,
      };
      return { ...exchange, token: tokens.tokenOf(exchange) };
    },
  };
}
