import type { Answer } from './answer.ts';
import type { Sink, Wire } from './scenarios/wire.ts';

const PIECES = 10;

/**
 * The body of an answer that does not leave as it is, for a caller without a socket: pieces over time, or an error in the middle.
 * @throws TypeError, as `fetch` does, where the connection ends before an answer.
 */
export function bodyOn(answer: Answer, wire: Wire): ReadableStream<Uint8Array> {
  const bytes = new Uint8Array(answer.body ?? []);
  switch (wire.kind) {
    case 'reset':
    case 'empty':
      throw new TypeError('fetch failed', { cause: lost() });
    case 'cut':
    case 'malformed-chunk':
      return broken(bytes.subarray(0, Math.ceil(bytes.length / 2)));
    case 'stream':
      return opened(wire.open);
    default:
      return dribbled(bytes, wire.over);
  }
}

function lost(): Error {
  return Object.assign(new Error('the connection was reset on purpose'), { code: 'ECONNRESET' });
}

/** An error at once would drop what was queued before it: it comes with the next reading. */
function broken(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let sent = bytes.length === 0;
  return new ReadableStream({
    pull(controller) {
      if (sent) controller.error(new TypeError('terminated', { cause: lost() }));
      else controller.enqueue(bytes);
      sent = true;
    },
  });
}

function dribbled(bytes: Uint8Array, over: number): ReadableStream<Uint8Array> {
  const size = Math.max(1, Math.ceil(bytes.length / PIECES));
  let sent = 0;
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, over / PIECES));
      if (sent < bytes.length) controller.enqueue(bytes.subarray(sent, sent + size));
      sent += size;
      if (sent >= bytes.length) controller.close();
    },
  });
}

/** What is written by somebody else arrives in a stream, until it is ended or nobody reads on. */
function opened(open: (sink: Sink) => () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let close = (): void => {};
  return new ReadableStream({
    start(controller) {
      close = open({
        write: (text) => controller.enqueue(encoder.encode(text)),
        end() {
          controller.close();
          close();
        },
      });
    },
    cancel: () => close(),
  });
}
