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

/**
 * Server-sent events: every exchange as it ends, redacted, and `cleared` when all were forgotten. The id of an event names the start of the
 * mock and how many exchanges had ended, so that one who comes back with `Last-Event-ID` gets what ended since, and `cleared` first where
 * what it knows is forgotten. Each reader has its place in the journal and reads on at its own pace: a slow one is not cut off, and nothing waits for it in memory.
 */
export function createEvents({ journal, startedAt }: Controls): Events {
  const open = new Set<Sink>();
  /** Changes where what was told before is forgotten. */
  const era = (): string => `${startedAt.toString(36)}-${journal.clears}`;
  const first = (): number => journal.ended - journal.size;

  /** How many exchanges had ended by what a reader last heard: the id of an event, or the number of an exchange; all, where it heard nothing. */
  const placeOf = (last: string): number => {
    const [, its, order] = /^(?:([0-9a-z]{1,12}-\d{1,15})\.)?(\d{1,15})$/.exec(last) ?? [];
    if (order === undefined) return journal.ended;
    if (its !== undefined) return its === era() ? Math.min(Number(order), journal.ended) : first();
    for (let place = first(); place < journal.ended; place += 1)
      if ((journal.nth(place + 1)?.seq ?? 0) > Number(order)) return place;
    return journal.ended;
  };

  const start = (sink: Sink, last: string): Reader => {
    open.add(sink);
    sink.write('retry: 1000\n\n');
    let place = placeOf(last);
    const cleared = (): void => {
      place = first();
      sink.write(`id: ${era()}.${place}\nevent: cleared\ndata:\n\n`);
    };
    const readOn = (): void => {
      while (place < journal.ended && sink.takes()) {
        place += 1;
        const heard = journal.nth(place);
        if (heard) sink.write(eventOf(`${era()}.${place}`, journal.entryOf(heard)));
      }
    };
    if (last.includes('.') && !last.startsWith(`${era()}.`)) cleared();
    readOn();
    const unlisten = journal.listen({ heard: readOn, cleared });
    const beat = setInterval(() => {
      if (sink.takes()) sink.write(':\n\n');
    }, HEARTBEAT);
    // the timers of a browser hold no process
    beat.unref?.();
    return {
      readOn,
      over() {
        clearInterval(beat);
        unlisten();
        open.delete(sink);
      },
    };
  };

  return {
    open(call) {
      if (open.size >= MOST) return problem(503, 'control-refused', `at most ${MOST} streams are open at once`);
      const last = field(call, 'last-event-id') ?? new URLSearchParams(call.query).get('since') ?? '';
      // the connection ends with its stream: nothing of it is left when the mock closes
      const more = ['content-type', 'text/event-stream', 'cache-control', 'no-store', 'connection', 'close'];
      const { headers } = answer(204, null, 'assumed', more);
      return { status: 200, headers, body: null, wire: streamed((sink) => start(sink, last)) };
    },
    close() {
      for (const sink of open) sink.end();
    },
  };
}

/** JSON has no bare line breaks, so one `data` line holds it. */
function eventOf(id: string, entry: unknown): string {
  return `id: ${id}\nevent: exchange\ndata: ${JSON.stringify(entry)}\n\n`;
}

/** Where a body goes that is written bit by bit. */
interface Sink {
  write(text: string): void;
  /** False while its reader has enough to read. */
  takes(): boolean;
  end(): void;
}

interface Reader {
  /** Called when its sink takes more. */
  readOn(): void;
  over(): void;
}

/** Begins to write a body. */
type Opening = (sink: Sink) => Reader;

/** The head is sent at once; `open` writes the body and ends it. */
function streamed(open: Opening): Wire {
  return {
    arrived: (bytes) => ({ bytes, state: 'complete' }),
    send(response, { status, headers }) {
      response.writeHead(status, [...headers]);
      if (response.req.method === 'HEAD') {
        response.end();
        return;
      }
      const { readOn, over } = open({
        write: (text) => response.write(text),
        takes: () => !response.writableNeedDrain && !response.destroyed,
        end: () => response.end(),
      });
      response.on('drain', readOn).on('close', over);
    },
    read: () => readable(open),
  };
}

/** What is written arrives in a stream, until it is ended or nobody reads on. */
function readable(open: Opening): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let reader: Reader | undefined;
  return new ReadableStream({
    start(controller) {
      reader = open({
        write: (text) => controller.enqueue(encoder.encode(text)),
        takes: () => (controller.desiredSize ?? 0) > 0,
        end() {
          controller.close();
          reader?.over();
        },
      });
    },
    pull: () => reader?.readOn(),
    cancel: () => reader?.over(),
  });
}
