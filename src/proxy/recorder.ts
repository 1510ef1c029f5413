import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { createTokenLedger } from '../egress/token-ledger.ts';
import { type Body, type Exchange, fieldsOf } from '../model/exchange.ts';
import { readBody } from '../net/response.ts';
import type { RawHeaders } from './headers.ts';

/** What one request came to. */
export type RequestEnd = Pick<Exchange, 'operationId' | 'failure'> & {
  readonly requestBody: Uint8Array | null;
  readonly response: { readonly status: number; readonly rawHeaders: RawHeaders; readonly body: Body } | null;
};

/** Makes exchanges of what passes by: numbers them, tells connections and tokens apart. Called when a request comes, and again when it has ended. */
export type Recorder = (request: IncomingMessage, target: string) => (ended: RequestEnd) => Exchange;

/** @param last number of the exchange before the first; there are never more connections than exchanges */
export function createRecorder(clock: () => number, last = 0): Recorder {
  const connections = new WeakMap<Socket, number>();
  const tokenOf = createTokenLedger(clock);
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
      return { ...exchange, token: tokenOf(exchange) };
    };
  };
}

/** A bounded copy of a body on its way. The copy of a larger body is dropped: the body passes all the same, unjudged. */
export interface BodyCopy {
  add(chunk: Uint8Array): void;
  /** What was copied; null where nothing passed. It counts against the memory of all copies until `release`. */
  bytes(): Uint8Array | null;
  /**
   * The body of an answer as the rules see it: decompressed, up to the limit.
   *
   * @param complete whether all of it arrived
   */
  body(complete: boolean, encoding: string | undefined): Promise<Body>;
  release(): void;
}

/**
 * Makes copies of bodies.
 *
 * @param together bytes of all copies at once
 * @param limit bytes of one body
 */
export function createBodyCopies(together: number, limit: number): () => BodyCopy {
  let left = together;
  return () => {
    let chunks: Uint8Array[] = [];
    let size = 0;
    let tooLarge = false;
    const bytes = (): Uint8Array | null => (size === 0 ? null : Buffer.concat(chunks, size));
    const release = (): void => {
      left += size;
      chunks = [];
      size = 0;
    };
    return {
      add(chunk) {
        if (tooLarge || chunk.length === 0) return;
        if (size + chunk.length > limit || chunk.length > left) {
          tooLarge = true;
          release();
          return;
        }
        size += chunk.length;
        left -= chunk.length;
        // A copy: what the parser hands over is a window on a larger block.
        chunks.push(Buffer.from(chunk));
      },
      bytes,
      async body(complete, encoding) {
        const copied = bytes();
        if (tooLarge) return { bytes: new Uint8Array(), state: 'too-large' };
        if (!complete) return { bytes: copied ?? new Uint8Array(), state: 'truncated' };
        return readBody(Readable.from(copied === null ? [] : [copied]), encoding, limit);
      },
      release,
    };
  };
}
