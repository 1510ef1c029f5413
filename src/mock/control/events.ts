import { pipeline, Readable } from 'node:stream';
import { type Answer, answer } from '../message/answer.ts';
import { field, type ReceivedRequest } from '../message/call.ts';
import { problem } from '../message/problem.ts';
import type { Controls } from './controls.ts';

const MOST = 20;
/** Milliseconds between heartbeats, which keep an idle connection from being closed. */
const HEARTBEAT = 15_000;
/** A reader gets at most BURST exchanges per PAUSE (milliseconds), so that an open page cannot slow the mock. */
const BURST = 100;
const PAUSE = 100;

/**
 * Server-sent events: each exchange when it ends, redacted, and `cleared` when the journal is emptied. An event id
 * holds the mock's start and the number of clears and ended exchanges. A reader that reconnects with `Last-Event-ID`
 * gets the later ones, after `cleared` if needed. Each reader has its own pace, so nothing is queued in memory.
 */
export function createEvents({ journal, startedAt }: Controls) {
  const open = new Set<() => void>();
  const era = (): string => `${startedAt.toString(36)}-${journal.clears}`;
  const first = (): number => journal.ended - journal.size;

  /** Ended exchanges in an event id. An id from before a clear or restart gives the oldest kept exchange. */
  const placeOf = (last: string): number => {
    if (last === '') return journal.ended;
    const [its, order] = last.split('.');
    return its === era() ? Math.min(Number(order) || 0, journal.ended) : first();
  };

  const streamFrom = (last: string): ReadableStream<Uint8Array> => {
    const encoder = new TextEncoder();
    let place = placeOf(last);
    let readOn = (): void => {};
    let over = (): void => {};
    return new ReadableStream({
      start(controller) {
        const write = (text: string): void => controller.enqueue(encoder.encode(text));
        const takes = (): boolean => (controller.desiredSize ?? 0) > 0;
        const cleared = (): void => {
          place = first();
          write(`id: ${era()}.${place}\nevent: cleared\ndata:\n\n`);
        };
        let sent = 0;
        let pause: ReturnType<typeof setTimeout> | undefined;
        const goOn = (): void => {
          pause = undefined;
          sent = 0;
          readOn();
        };
        readOn = () => {
          place = Math.max(place, first());
          for (; place < journal.ended && sent < BURST && takes(); sent += 1) {
            place += 1;
            const recorded = journal.nth(place);
            if (recorded) write(eventOf(`${era()}.${place}`, journal.entryOf(recorded)));
          }
          if (sent === 0) return;
          pause ??= setTimeout(goOn, PAUSE);
          pause.unref?.();
        };
        const end = (): void => {
          over();
          controller.close();
        };
        const unlisten = journal.listen({ recorded: readOn, cleared });
        const beat = setInterval(() => {
          if (takes()) write(':\n\n');
        }, HEARTBEAT);
        // in a browser, timers have no `unref` and keep no process alive
        beat.unref?.();
        over = () => {
          clearInterval(beat);
          clearTimeout(pause);
          unlisten();
          open.delete(end);
        };
        open.add(end);
        write('retry: 1000\n\n');
        if (last.includes('.') && !last.startsWith(`${era()}.`)) cleared();
      },
      pull: () => readOn(),
      cancel: () => over(),
    });
  };

  return {
    open(call: ReceivedRequest): Answer {
      if (open.size >= MOST)
        return problem('control-refused', `at most ${MOST} streams are open at once`, { status: 503 });
      const last = field(call, 'last-event-id') ?? '';
      // close the connection with the stream, so that it does not outlive the mock
      const more = ['content-type', 'text/event-stream', 'cache-control', 'no-store', 'connection', 'close'];
      const { headers } = answer(204, null, 'assumed', more);
      return {
        ...{ status: 200, headers, body: null },
        wire: {
          arrived: (bytes) => ({ bytes, state: 'complete' }),
          send(response) {
            response.writeHead(200, [...headers]);
            if (response.req.method === 'HEAD') response.end();
            else pipeline(Readable.fromWeb(streamFrom(last)), response, () => {});
          },
          read: () => streamFrom(last),
        },
      };
    },
    close(): void {
      for (const end of open) end();
    },
  };
}

/** JSON has no raw line breaks, so one `data` line is enough. */
function eventOf(id: string, entry: unknown): string {
  return `id: ${id}\nevent: exchange\ndata: ${JSON.stringify(entry)}\n\n`;
}
