import type { ServerResponse } from 'node:http';
import type { ScenarioRule } from '../../../generated/mock/scenario.ts';
import type { Answer, Wire } from '../message/answer.ts';

type FaultEffect = NonNullable<ScenarioRule['fault']>;

/** Default milliseconds for sending a dribbled body, and the number of its pieces. */
const DRIBBLE = 3_000;
const PIECES = 10;
const NOTHING: Uint8Array = new Uint8Array();

/** Faults of the connection. Earlier answers to a pipelining client are sent first; nothing follows a fault. */
const FAULTS: Readonly<Record<FaultEffect['kind'], (over: number) => Wire>> = {
  reset: () => lost(({ req }) => req.socket.resetAndDestroy()),
  'reset-upload': () => lost(({ req }) => req.socket.resetAndDestroy()),
  'reset-late': () => lost(({ req }) => req.socket.resetAndDestroy()),
  empty: () => lost(({ req }) => req.socket.destroy()),
  cut: () => halved(sendCut),
  'malformed-chunk': () => halved(sendMalformedChunk),
  dribble: (over) => ({
    isSlow: true,
    arrived: (bytes) => ({ bytes, state: 'complete' }),
    send: (response, answer, body) => sendDribble(response, answer, body ?? NOTHING, over),
    read: (bytes) => streamOf(piecesOf(bytes, over)),
  }),
};

export function faultOf({ kind, over = DRIBBLE }: FaultEffect): Wire {
  return FAULTS[kind](over);
}

function lost(end: (response: ServerResponse) => void): Wire {
  return {
    arrived: () => null,
    send: end,
    read() {
      throw new TypeError('fetch failed', { cause: reset() });
    },
  };
}

function halved(send: Wire['send']): Wire {
  return {
    arrived: (bytes) => ({ bytes: halfOf(bytes), state: 'truncated' }),
    send,
    read: (bytes) => streamOf(broken(halfOf(bytes))),
  };
}

function sendCut(response: ServerResponse, { status, headers }: Answer, body: Buffer | null): void {
  const { socket } = response.req;
  // a missing body cannot be cut, so one is announced
  response.writeHead(status, body ? [...headers] : [...withoutLength(headers), 'content-length', '100']);
  response.flushHeaders();
  if (!body) socket.end();
  else response.write(halfOf(body), () => socket.destroy());
}

function sendMalformedChunk(response: ServerResponse, { status, headers }: Answer, body: Buffer | null): void {
  const { socket } = response.req;
  response.writeHead(status, [...withoutLength(headers), 'transfer-encoding', 'chunked']);
  response.write(body ? halfOf(body) : ' ', () => {
    socket.write('this is no chunk\r\n', () => socket.destroy());
  });
}

/** Reports the answer as sent before the last piece: a client that has it all may read the journal at once. */
async function sendDribble(response: ServerResponse, answer: Answer, body: Uint8Array, over: number): Promise<void> {
  const { status, headers, onSent } = answer;
  response.writeHead(status, [...headers]).flushHeaders();
  let last = NOTHING;
  let left = body.length;
  for await (const piece of piecesOf(body, over)) {
    last = piece;
    left -= piece.length;
    if (left === 0 || response.destroyed) break;
    response.write(piece);
  }
  onSent?.();
  response.end(last);
}

async function* piecesOf(bytes: Uint8Array, over: number): AsyncGenerator<Uint8Array, void> {
  const size = Math.ceil(bytes.length / PIECES);
  for (let sent = 0; sent < bytes.length; sent += size) {
    await new Promise((resolve) => setTimeout(resolve, over / PIECES));
    yield bytes.subarray(sent, sent + size);
  }
}

function withoutLength(headers: readonly string[]): string[] {
  return headers.filter((_, index) => headers[index - (index % 2)] !== 'content-length');
}

function halfOf(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, Math.ceil(bytes.length / 2));
}

function reset(): Error {
  return Object.assign(new Error('the connection was reset on purpose'), { code: 'ECONNRESET' });
}

/** Fails on the next read, because failing at once would drop the queued bytes. */
async function* broken(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  if (bytes.length > 0) yield bytes;
  throw new TypeError('terminated', { cause: reset() });
}

/** Some browsers lack `ReadableStream.from`. */
function streamOf(pieces: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { value } = await pieces.next();
      if (value) controller.enqueue(value);
      else controller.close();
    },
  });
}
