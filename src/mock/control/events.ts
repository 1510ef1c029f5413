import { pipeline, Readable } from 'node:stream';
import { type Answer, answer } from '../message/answer.ts';
import { field, type ReceivedRequest } from '../message/call.ts';
import { problem } from '../message/problem.ts';
import type { Controls } from './controls.ts';

const MOST = 20;
/** Milliseconds between heartbeats, which keep an idle connection from being closed. */
const HEARTBEAT = 15_000;
/** A reader gets at most BATCH exchanges each PAUSE (milliseconds), so that an open page cannot slow the mock. */
const BATCH = 20;
/** The same for exchanges that ended before the stream opened. */
const EARLIER = 100;
const PAUSE = 100;
/** Characters of a batch that end it early. */
const LARGE = 64 * 1024;

/**
 * Server-sent events: each exchange after its end, redacted, and `cleared` when the journal is emptied. An event id
 * holds the mock's start and the number of clears and ended exchanges. A reader that reconnects with `Last-Event-ID`
 * gets the later ones, after `cleared` if needed. Each reader has its own place, so nothing is queued in memory.
 */
export function createEvents({ journal, startedAt }: Controls) {
  const readers = new Set<{ readonly send: () => void; readonly end: () => void }>();
  const encoder = new TextEncoder();
  const era = (): string => `${startedAt.toString(36)}-${journal.clears}`;
  const first = (): number => journal.ended - journal.size;

  let pause: ReturnType<typeof setTimeout> | undefined;
  /** The events of one turn, so that several readers cost as much as one. */
  const rendered = new Map<number, string>();
  const sendSoon = (): void => {
    if (pause) return;
    pause = setTimeout(() => {
      pause = undefined;
      for (const { send } of readers) send();
      rendered.clear();
    }, PAUSE);
    // in a browser, timers have no `unref` and keep no process alive
    pause.unref?.();
  };
  const eventAt = (place: number): string => {
    const before = rendered.get(place);
    if (before !== undefined) return before;
    const recorded = journal.nth(place);
    // JSON has no raw line breaks, so one `data` line is enough
    const event = recorded
      ? `id: ${era()}.${place}\nevent: exchange\ndata: ${JSON.stringify(journal.entryOf(recorded))}\n\n`
      : '';
    rendered.set(place, event);
    return event;
  };

  /** Ended exchanges in an event id. An id from before a clear or restart gives the oldest kept exchange. */
  const placeOf = (last: string): number => {
    if (last === '') return journal.ended;
    const [its, order] = last.split('.');
    return its === era() ? Math.min(Number(order) || 0, journal.ended) : first();
  };

  const streamFrom = (last: string): ReadableStream<Uint8Array> => {
    const opened = journal.ended;
    let place = placeOf(last);
    let over = (): void => {};
    return new ReadableStream({
      start(controller) {
        const write = (text: string): void => controller.enqueue(encoder.encode(text));
        const takes = (): boolean => (controller.desiredSize ?? 0) > 0;
        const cleared = (): void => {
          place = first();
          write(`id: ${era()}.${place}\nevent: cleared\ndata:\n\n`);
        };
        const send = (): void => {
          if (!takes()) return;
          place = Math.max(place, first());
          const most = Math.min(place + (place < opened ? EARLIER : BATCH), journal.ended);
          let text = '';
          while (place < most && text.length < LARGE) {
            place += 1;
            text += eventAt(place);
          }
          if (text !== '') write(text);
        };
        const end = (): void => {
          over();
          controller.close();
        };
        const reader = { send, end };
        const unlisten = journal.listen({ recorded: sendSoon, cleared });
        const beat = setInterval(() => {
          if (takes()) write(':\n\n');
        }, HEARTBEAT);
        beat.unref?.();
        over = () => {
          clearInterval(beat);
          unlisten();
          readers.delete(reader);
        };
        readers.add(reader);
        write('retry: 1000\n\n');
        if (last.includes('.') && !last.startsWith(`${era()}.`)) cleared();
      },
      pull: sendSoon,
      cancel: () => over(),
    });
  };

  return {
    open(call: ReceivedRequest): Answer {
      if (readers.size >= MOST)
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
      for (const { end } of readers) end();
    },
  };
}
