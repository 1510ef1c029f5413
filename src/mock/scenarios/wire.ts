import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from '../http/answer.ts';

/** How an answer leaves that is not to leave as it is. */
export type Wire =
  /** `reset`: RST. `empty`: closed without a byte. `cut`: closed in the middle of the body. `malformed-chunk`: a chunk that is none. */
  | { readonly kind: 'reset' | 'empty' | 'cut' | 'malformed-chunk' }
  /** The body in pieces, spread over so many milliseconds. */
  | { readonly kind: 'dribble'; readonly over: number }
  /** The answer's head is sent, the body is somebody else's to write and to end. What `open` returns is called once it is over. */
  | { readonly kind: 'stream'; open(sink: Sink): () => void };

/** Where a body goes that is written bit by bit. */
export interface Sink {
  write(text: string): void;
  end(): void;
}

/** Bytes that a reader of a stream may lag behind before it is cut off. */
const LAG = 1024 * 1024;

const PIECES = 10;

/** Sends an answer as its `wire` says. A client that pipelined waits for what came before; nothing comes behind a fault. */
export function sendOn(request: IncomingMessage, response: ServerResponse, answer: Answer, wire: Wire): void {
  const { socket } = request;
  const body = request.method === 'HEAD' ? null : answer.body;
  switch (wire.kind) {
    case 'reset':
      socket.resetAndDestroy();
      return;
    case 'empty':
      socket.destroy();
      return;
    case 'stream':
      response.writeHead(answer.status, answer.headers as string[]);
      if (request.method === 'HEAD') response.end();
      else response.on('close', wire.open(sinkOf(response)));
      return;
    case 'cut':
      // a body that is not there cannot be cut: one is announced
      response.writeHead(answer.status, body ? (answer.headers as string[]) : announced(answer.headers));
      response.flushHeaders();
      if (!body) socket.end();
      else response.write(body.subarray(0, Math.ceil(body.length / 2)), () => socket.destroy());
      return;
    case 'malformed-chunk':
      response.writeHead(answer.status, chunked(answer.headers));
      response.write(body ? body.subarray(0, Math.ceil(body.length / 2)) : ' ', () => {
        socket.write('this is no chunk\r\n', () => socket.destroy());
      });
      return;
    default:
      response.writeHead(answer.status, answer.headers as string[]);
      if (body) dribble(response, body, wire.over);
      else response.end();
  }
}

function sinkOf(response: ServerResponse): Sink {
  return {
    write(text) {
      if (response.writableLength > LAG) response.destroy();
      else response.write(text);
    },
    end: () => response.end(),
  };
}

function dribble(response: ServerResponse, body: Buffer, over: number): void {
  const size = Math.ceil(body.length / PIECES);
  let sent = 0;
  response.flushHeaders();
  const timer = setInterval(() => {
    response.write(body.subarray(sent, sent + size));
    sent += size;
    if (sent < body.length) return;
    clearInterval(timer);
    response.end();
  }, over / PIECES);
  response.on('close', () => clearInterval(timer));
}

function announced(headers: readonly string[]): string[] {
  return [...without(headers), 'content-length', '100'];
}

function chunked(headers: readonly string[]): string[] {
  return [...without(headers), 'transfer-encoding', 'chunked'];
}

function without(headers: readonly string[]): string[] {
  return headers.filter((_, index) => headers[index - (index % 2)] !== 'content-length');
}
