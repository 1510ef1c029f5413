import { type Signal, signal } from '@preact/signals';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { useEffect, useState } from 'preact/hooks';
import type { About, Health } from '../generated/mock/control.ts';
import type { JournalEntry } from '../src/journal/entry.ts';
import { addressOf, ControlError, changes, controlToken, read } from './control.ts';
import { type Came, forget, hear } from './exchanges.ts';
import { say } from './parts/controls.tsx';

export const about: Signal<About | null> = signal(null);
/** How the mock is; null while it does not answer. */
export const health: Signal<Health | null> = signal(null);
/** When it was read, in milliseconds by the clock of this machine. */
let healthAt = 0;
export const connection: Signal<'connecting' | 'live' | 'lost'> = signal('connecting');

/** Milliseconds. */
const HEALTH_EVERY = 2_000;
const WAIT = 250;

async function refreshHealth(): Promise<void> {
  try {
    const told = await read<Health>('/health');
    healthAt = Date.now();
    health.value = told;
  } catch {
    health.value = null;
  }
}

export function follow(): () => void {
  const ended = new AbortController();
  void listen(ended.signal);
  const stop = changes.subscribe(() => void refreshHealth());
  const beat = setInterval(() => {
    if (!document.hidden) void refreshHealth();
  }, HEALTH_EVERY);
  return () => {
    ended.abort();
    clearInterval(beat);
    stop();
  };
}

/** The stream of exchanges, opened again whenever it ends. A browser's own EventSource could not pass a service worker's mock. */
async function listen(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await meet(signal);
      connection.value = 'live';
      void refreshHealth();
      await stream(signal);
    } catch {
      // the mock is away, or refused: it is asked again
    }
    if (signal.aborted) return;
    connection.value = 'lost';
    await new Promise((resolve) => setTimeout(resolve, WAIT));
  }
}

/** Learns whether this is still the mock that was followed; what an earlier start said is forgotten. */
async function meet(signal: AbortSignal): Promise<void> {
  const told = await read<About>('/about', signal);
  if (about.value !== null && about.value.startedAt !== told.startedAt) {
    startAgain();
    lastEvent = '0';
    say('The mock was started again. The journal of its earlier start is gone.');
  }
  controlToken.value = told.controlToken ?? controlToken.peek();
  about.value = told;
}

function startAgain(): void {
  pending = [];
  forget();
}

let pending: Came[] = [];

/** Many may arrive between two frames: they are shown together. */
function hearSoon(came: Came): void {
  pending.push(came);
  if (pending.length > 1) return;
  const flush = (): void => {
    const all = pending;
    pending = [];
    if (all.length === 0) return;
    hear(all);
  };
  if (document.hidden) setTimeout(flush, 100);
  else requestAnimationFrame(flush);
}

/** The id of the last event: another start of the mock, or what ended meanwhile, is told by it. */
let lastEvent = '0';

async function stream(signal: AbortSignal): Promise<void> {
  const response = await fetch(addressOf('/events'), { headers: { 'last-event-id': lastEvent }, signal });
  if (!response.ok || response.body === null) throw new ControlError(response.status, 'The mock gives no stream.');
  const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { id, event, data } of events) {
    if (event === 'exchange') hearSoon([JSON.parse(data) as JournalEntry, data.length]);
    else if (event === 'cleared') startAgain();
    lastEvent = id ?? lastEvent;
  }
}

/** The time of the mock in milliseconds, drawn again each second; null while the mock does not answer. */
export function useMockTime(): number | null {
  const [, tick] = useState(0);
  useEffect(() => {
    const beat = setInterval(() => tick((n) => n + 1), 1_000);
    return () => clearInterval(beat);
  }, []);
  const clock = health.value?.clock;
  return clock ? Date.parse(clock.now) + Date.now() - healthAt : null;
}
