import { type Signal, signal } from '@preact/signals';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { useEffect, useState } from 'preact/hooks';
import type { About, Health } from '../generated/mock/control.ts';
import type { JournalEntry } from '../src/journal/entry.ts';
import { ControlError, change, changes, controlToken, controlUrl, credentials, read } from './control.ts';
import { type Came, forget, hear } from './exchanges.ts';
import { say } from './parts/controls.tsx';

export const about: Signal<About | null> = signal(null);
/** State of the mock; null while it does not answer. */
export const health: Signal<Health | null> = signal(null);
/** When `health` was read, in milliseconds by the clock of this machine. */
let healthAt = 0;
export const connection: Signal<'connecting' | 'live' | 'lost'> = signal('connecting');

/** Milliseconds. */
const HEALTH_EVERY = 2_000;
const WAIT = 250;

async function refreshHealth(): Promise<void> {
  try {
    const latest = await read<Health>('/health');
    healthAt = Date.now();
    health.value = latest;
  } catch {
    health.value = null;
  }
}

export function followEvents(): () => void {
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

/**
 * Reads the stream of exchanges and reopens it whenever it ends. An EventSource cannot reach a mock in a service
 * worker.
 */
async function listen(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await meet(signal);
      connection.value = 'live';
      void refreshHealth();
      await stream(signal);
    } catch {
      // the mock is away or rejects the page: try again
    }
    if (signal.aborted) return;
    connection.value = 'lost';
    await new Promise((resolve) => setTimeout(resolve, WAIT));
  }
}

/** Checks whether this is still the same start of the mock. The data of an earlier start is dropped. */
async function meet(signal: AbortSignal): Promise<void> {
  const latest = await read<About>('/about', signal);
  if (about.value !== null && about.value.startedAt !== latest.startedAt) {
    startAgain();
    lastEvent = '0';
    say('The mock was started again. The journal of its earlier start is gone.');
  }
  controlToken.value = latest.controlToken ?? controlToken.peek();
  about.value = latest;
}

function startAgain(): void {
  pending = [];
  forget();
}

let pending: Came[] = [];

/** Many exchanges may arrive between two frames; the page draws them together. */
function hearSoon(came: Came): void {
  pending.push(came);
  if (pending.length > 1) return;
  const flush = (): void => hear(pending.splice(0));
  if (document.hidden) setTimeout(flush, 100);
  else requestAnimationFrame(flush);
}

/** The id of the last event. It shows whether the mock was restarted, and which events the page missed. */
let lastEvent = '0';

async function stream(signal: AbortSignal): Promise<void> {
  const response = await fetch(controlUrl('/events'), { headers: { 'last-event-id': lastEvent }, signal });
  if (!response.ok || response.body === null) throw new ControlError(response.status, 'The mock gives no stream.');
  const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { id = lastEvent, event, data } of events) {
    if (event === 'exchange') hearSoon([JSON.parse(data) as JournalEntry, data.length, Number(id.split('.')[1])]);
    else if (event === 'cleared') startAgain();
    lastEvent = id;
  }
}

/** A token that the mock accepts. It is the password if no operation issues tokens. */
export async function bearerToken(): Promise<string> {
  if (about.value?.tokenOperation == null) return (await credentials()).password;
  // the control API issues it, so that no token request is counted
  return (await change<{ readonly access_token: string }>('POST', '/tokens')).access_token;
}

/** The time of the mock in milliseconds, updated each second; null while the mock does not answer. */
export function useMockTime(): number | null {
  const [, tick] = useState(0);
  useEffect(() => {
    const beat = setInterval(() => tick((n) => n + 1), 1_000);
    return () => clearInterval(beat);
  }, []);
  const clock = health.value?.clock;
  return clock ? Date.parse(clock.now) + Date.now() - healthAt : null;
}
