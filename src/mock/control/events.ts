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
/** The same while no new exchange ends. */
const EARLIER = 100;
const PAUSE = 100;
/** Characters of a batch that end it early. */
const LARGE = 64 * 1024;

/** Exchanges that a reader has not got yet: those after `from`, up to and with `to`, in the order of their ends. */
interface Gap {
  readonly from: number;
  readonly to: number;
}

/**
 * Server-sent events: each exchange after its end, redacted, and `cleared` when the journal is emptied. A slow reader
 * gets the newest exchanges first, then the earlier ones that the journal still has.
 *
 * An event id holds the mock's start, the number of clears, and the place of the exchange since the last clear. If
 * earlier exchanges are still to come, the id ends with the place before the first of them. A reader that reconnects
 * with `Last-Event-ID` gets the rest, after `cleared` if needed. A reader is only places, so nothing is queued in memory.
 */
export function createEvents({ journal, startedAt }: Controls) {
  const readers = new Set<{ readonly send: () => void; readonly end: () => void }>();
  const encoder = new TextEncoder();
  const era = (): string => `${startedAt.toString(36)}-${journal.clears}`;

  let pause: ReturnType<typeof setTimeout> | undefined;
  /** The exchanges of one turn, so that several readers cost as much as one. */
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
  const entryAt = (place: number): string => {
    const before = rendered.get(place);
    if (before !== undefined) return before;
    const recorded = journal.nth(place);
    const entry = recorded ? JSON.stringify(journal.entryOf(recorded)) : '';
    rendered.set(place, entry);
    return entry;
  };

  /** The place up to which the reader of an event id got all. An id from before a clear or restart gives 0. */
  const placeOf = (last: string): number => {
    if (last === '') return journal.ended;
    const [its, place, rest = place] = last.split('.');
    return its === era() ? Number(rest) || 0 : 0;
  };

  const streamFrom = (last: string): ReadableStream<Uint8Array> => {
    let gaps: Gap[] = [];
    let reached = placeOf(last);
    let over = (): void => {};
    return new ReadableStream({
      start(controller) {
        const write = (text: string): void => controller.enqueue(encoder.encode(text));
        const takes = (): boolean => (controller.desiredSize ?? 0) > 0;
        const cleared = (): void => {
          gaps = [];
          reached = 0;
          write(`id: ${era()}.0\nevent: cleared\ndata:\n\n`);
        };
        const send = (): void => {
          if (!takes()) return;
          const most = journal.ended > reached ? BATCH : EARLIER;
          gaps.push({ from: reached, to: journal.ended });
          reached = journal.ended;
          // what the journal has dropped cannot be sent
          const kept = gaps.map(({ from, to }) => ({ from: Math.max(from, journal.forgotten), to }));
          gaps = kept.filter(({ from, to }) => to > from);
          const batch: (readonly [place: number, entry: string])[] = [];
          let size = 0;
          while (batch.length < most && size < LARGE) {
            const gap = gaps.pop();
            if (gap === undefined) break;
            const { from, to } = gap;
            if (to - 1 > from) gaps.push({ from, to: to - 1 });
            const entry = entryAt(to);
            size += entry.length;
            if (entry !== '') batch.unshift([to, entry]);
          }
          const rest = gaps[0] ? `.${gaps[0].from}` : '';
          // JSON has no raw line breaks, so one `data` line is enough
          const events = batch.map(
            ([place, entry]) => `id: ${era()}.${place}${rest}\nevent: exchange\ndata: ${entry}\n\n`,
          );
          if (events.length > 0) write(events.join(''));
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
