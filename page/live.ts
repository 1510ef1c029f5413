import { type Signal, signal } from '@preact/signals';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { JournalEntry } from '../src/journal/entry.ts';
import { addressOf, controlToken, Refused, read } from './control.ts';

/** What the mock tells of itself; null until it has. */
export const about: Signal<About | null> = signal(null);
/** How the mock is; null while it does not answer. */
export const health: Signal<Health | null> = signal(null);
/** Whether exchanges arrive as they end. */
export const connection: Signal<'connecting' | 'live' | 'lost'> = signal('connecting');
/** Changes whenever `exchanges` does. */
export const revision: Signal<number> = signal(0);

export interface About {
  /** Milliseconds since the epoch; another start has another. */
  readonly startedAt: number;
  readonly name: string;
  readonly version: string;
  /** Name of the path parameter that says whose records an operation works on; null where there is none. */
  readonly tenant: string | null;
  /** The token that changes need; null where the mock is bound beyond loopback, so that it must be given. */
  readonly controlToken: string | null;
  readonly username: string;
  /** operationId of the operation that issues tokens; null where there is none. */
  readonly tokenOperation: string | null;
  /** How that operation takes the credentials. */
  readonly clientAuthentication: 'basic' | 'form' | null;
}

export interface Health {
  readonly status: 'ok' | 'stale' | 'store-unavailable';
  readonly url: string;
  readonly uptime: number;
  readonly contract: 'current' | 'stale';
  readonly reloads: number;
  readonly problem: string | null;
  readonly store: string | null;
  readonly clock: { readonly now: string; readonly moved: boolean };
  readonly scenarios: readonly string[];
  readonly exchanges: number;
}

/** An exchange with what is looked for in it. */
export interface Shown {
  readonly entry: JournalEntry;
  /** Lower-case. */
  readonly haystack: string;
}

/** Exchanges that the page remembers. */
const MOST = 20_000;
/** Milliseconds. */
const HEALTH_EVERY = 2_000;
const LONGEST_WAIT = 10_000;

let kept: Shown[] = [];
let bySeq = new Map<number, Shown>();
/** Operations that were called, so that no list of them is made of all exchanges. */
let called: readonly string[] = [];
let pending: JournalEntry[] = [];
let scheduled = false;

/** What was heard, oldest first. Read `revision` to hear of changes. */
export function exchanges(): readonly Shown[] {
  return kept;
}

/** operationIds of what was heard, sorted. */
export function calledOperations(): readonly string[] {
  return called;
}

export function exchange(seq: number): JournalEntry | undefined {
  return bySeq.get(seq)?.entry;
}

/** Forgets what was heard. */
export function forget(): void {
  kept = [];
  bySeq = new Map();
  called = [];
  pending = [];
  revision.value += 1;
}

function shownOf(entry: JournalEntry): Shown {
  const { seq, method, path, operationId, response } = entry;
  return { entry, haystack: `#${seq} ${method} ${path} ${operationId ?? ''} ${response?.status ?? ''}`.toLowerCase() };
}

/** Many may arrive between two frames: they are shown together. */
function hear(entry: JournalEntry): void {
  pending.push(entry);
  if (scheduled) return;
  scheduled = true;
  const flush = (): void => {
    scheduled = false;
    if (pending.length === 0) return;
    for (const one of pending) {
      if (bySeq.has(one.seq)) continue;
      const shown = shownOf(one);
      kept.push(shown);
      bySeq.set(one.seq, shown);
      const { operationId } = one;
      if (operationId !== null && !called.includes(operationId)) called = [...called, operationId].sort();
    }
    pending = [];
    if (kept.length > MOST) for (const { entry: old } of kept.splice(0, kept.length - MOST)) bySeq.delete(old.seq);
    revision.value += 1;
  };
  if (document.hidden) setTimeout(flush, 100);
  else requestAnimationFrame(flush);
}

/** Asks how the mock is, now. */
export async function refreshHealth(): Promise<void> {
  try {
    health.value = await read<Health>('/health');
  } catch {
    health.value = null;
  }
}

/** Follows the mock until what it returns is called: its exchanges, its health, and a start after this one. */
export function follow(): () => void {
  const ended = new AbortController();
  void listen(ended.signal);
  void refreshHealth();
  const beat = setInterval(() => {
    if (!document.hidden) void refreshHealth();
  }, HEALTH_EVERY);
  return () => {
    ended.abort();
    clearInterval(beat);
  };
}

/** The stream of exchanges, opened again whenever it ends. A browser's own EventSource could not pass a service worker's mock. */
async function listen(signal: AbortSignal): Promise<void> {
  let wait = 500;
  while (!signal.aborted) {
    try {
      await meet(signal);
      connection.value = 'live';
      wait = 500;
      await stream(signal);
    } catch {
      // the mock is away, or refused: it is asked again
    }
    if (signal.aborted) return;
    connection.value = 'lost';
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }
}

/** Learns whether this is still the mock that was followed; what an earlier start said is forgotten. */
async function meet(signal: AbortSignal): Promise<void> {
  const told = await read<About>('/about', signal);
  if (about.value !== null && about.value.startedAt !== told.startedAt) forget();
  controlToken.value = told.controlToken ?? controlToken.peek();
  about.value = told;
}

async function stream(signal: AbortSignal): Promise<void> {
  const last = kept.at(-1)?.entry.seq ?? 0;
  const response = await fetch(addressOf('/events'), { headers: { 'last-event-id': String(last) }, signal });
  if (!response.ok || response.body === null) throw new Refused(response.status, 'The mock gives no stream.');
  const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { event, data } of events) {
    if (event === 'exchange') hear(JSON.parse(data) as JournalEntry);
    else if (event === 'cleared') forget();
  }
}
