import type { ServerResponse } from 'node:http';
import type { Answer } from './answer.ts';
import type { Wire } from './scenarios/wire.ts';

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

/** What is written to a response by somebody else arrives in a stream; who stops reading closes the response. */
function opened(open: (response: ServerResponse) => void): ReadableStream<Uint8Array> {
  const listeners = new Map<string, Set<() => void>>();
  const emit = (name: string): void => {
    for (const listener of listeners.get(name) ?? []) listener();
  };
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      let ended = false;
      const end = (): void => {
        if (ended) return;
        ended = true;
        controller.close();
        emit('close');
      };
      const write = (chunk: string | Uint8Array): boolean => {
        if (!ended) controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : new Uint8Array(chunk));
        return !ended;
      };
      const on = (name: string, listener: () => void): unknown => {
        listeners.set(name, (listeners.get(name) ?? new Set()).add(listener));
        return response;
      };
      const off = (name: string, listener: () => void): unknown => {
        listeners.get(name)?.delete(listener);
        return response;
      };
      const response = {
        write,
        end: (chunk?: string | Uint8Array) => {
          if (chunk !== undefined) write(chunk);
          end();
        },
        destroy: end,
        on,
        once: on,
        off,
        removeListener: off,
        flushHeaders: () => {},
        get writableEnded() {
          return ended;
        },
        get destroyed() {
          return ended;
        },
      };
      open(response as unknown as ServerResponse);
    },
    cancel: () => emit('close'),
  });
}
