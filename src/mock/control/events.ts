import type { ServerResponse } from 'node:http';
import { type Answer, answer, type Wire } from '../http/answer.ts';
import { type Call, field } from '../http/call.ts';
import { problem } from '../http/problem.ts';
import type { Controls } from './controls.ts';

/** Streams that may be open at once. */
const MOST = 20;
/** Milliseconds between two signs of life, which keep the connection from being closed as silent. */
const HEARTBEAT = 15_000;

export interface Events {
  open(call: Call): Answer;
  close(): void;
}

/** Server-sent events: every exchange as it ends, redacted, under its `seq`, and `cleared` when all were forgotten; one who comes back with `Last-Event-ID` gets what was missed. */
export function createEvents({ journal }: Controls): Events {
  const open = new Set<Sink>();

  const start = (sink: Sink, since: number | undefined): (() => void) => {
    open.add(sink);
    sink.write('retry: 1000\n\n');
    if (since !== undefined) for (const entry of journal.entries({ since })) sink.write(eventOf(entry.seq, entry));
    const unlisten = journal.listen({
      heard: (heard) => sink.write(eventOf(heard.seq, journal.entryOf(heard))),
      cleared: () => sink.write('event: cleared\ndata:\n\n'),
    });
    const beat = setInterval(() => sink.write(':\n\n'), HEARTBEAT);
    // the timers of a browser hold no process
    beat.unref?.();
    return () => {
      clearInterval(beat);
      unlisten();
      open.delete(sink);
    };
  };

  return {
    open(call) {
      if (open.size >= MOST) return problem(503, 'control-refused', `at most ${MOST} streams are open at once`);
      const last = field(call, 'last-event-id') ?? new URLSearchParams(call.query).get('since') ?? '';
      const since = /^\d{1,15}$/.test(last) ? Number(last) : undefined;
      // the connection ends with its stream: nothing of it is left when the mock closes
      const more = ['content-type', 'text/event-stream', 'cache-control', 'no-store', 'connection', 'close'];
      const { headers } = answer(204, null, 'assumed', more);
      return { status: 200, headers, body: null, wire: streamed((sink) => start(sink, since)) };
    },
    close() {
      for (const sink of open) sink.end();
    },
  };
}

/** JSON has no bare line breaks, so one `data` line holds it. */
function eventOf(seq: number, entry: unknown): string {
  return `id: ${seq}\nevent: exchange\ndata: ${JSON.stringify(entry)}\n\n`;
}

/** Where a body goes that is written bit by bit. */
interface Sink {
  write(text: string): void;
  end(): void;
}

/** Begins to write a body. What it returns is called once that is over. */
type Opening = (sink: Sink) => () => void;

/** The head is sent at once; `open` writes the body and ends it. */
function streamed(open: Opening): Wire {
  return {
    arrived: (bytes) => ({ bytes, state: 'complete' }),
    send(response, { status, headers }) {
      response.writeHead(status, [...headers]);
      if (response.req.method === 'HEAD') response.end();
      else response.on('close', open(sinkOf(response)));
    },
    read: () => readable(open),
  };
}

/** Bytes that a reader may lag behind before it is cut off. */
const LAG = 1024 * 1024;

function sinkOf(response: ServerResponse): Sink {
  return {
    write(text) {
      if (response.writableLength > LAG) response.destroy();
      else response.write(text);
    },
    end: () => response.end(),
  };
}

/** What is written arrives in a stream, until it is ended or nobody reads on. */
function readable(open: Opening): ReadableStream<Uint8Array> {
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
