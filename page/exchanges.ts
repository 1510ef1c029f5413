import { type Signal, signal } from '@preact/signals';
import type { JournalBody, JournalEntry } from '../src/journal/entry.ts';

/** Changes whenever `exchanges` does. */
export const revision: Signal<number> = signal(0);

/** An exchange as it is shown and looked for. */
export interface Shown {
  /** Its bodies are left out where the page would hold too much otherwise. */
  entry: JournalEntry;
  /** From 1, in the order in which they ended; a slow one has a lower `seq` than those before it. */
  readonly order: number;
  readonly kind: Kind;
  /** As it is written and looked for: `#17`. */
  readonly number: string;
  /** Characters that it came in. */
  size: number;
}

/** What many exchanges have in common, so that a filter looks at it once: an application asks for much the same again and again. */
export interface Kind {
  /** Method, path, operation and status, lower-case. */
  readonly haystack: string;
  /** 0 where there was no answer. */
  readonly status: number;
  readonly operationId: string | null;
}

/** Exchanges that the page remembers. */
const MOST = 20_000;
/** Characters of all exchanges whose bodies the page remembers: a tab that is open all day keeps to its memory. */
const MOST_TEXT = 64 * 1024 * 1024;

let kept: Shown[] = [];
let bySeq = new Map<number, Shown>();
let kinds = new Map<string, Kind>();
/** Characters of what is kept with its bodies, which are those from this order on. */
let text = 0;
let whole = 1;
let lastOrder = 0;
/** Operations that were called, so that no list of them is made of all exchanges. */
let called: readonly string[] = [];

/** What was heard, oldest first. Read `revision` to hear of changes. */
export function exchanges(): readonly Shown[] {
  return kept;
}

/** operationIds of what was heard, sorted. */
export function calledOperations(): readonly string[] {
  return called;
}

export function exchange(seq: number): Shown | undefined {
  return bySeq.get(seq);
}

/**
 * Reads on from where it stood: what it returns gives the exchanges that it has not given yet, oldest first. `restart` is called before it
 * begins again: where all were forgotten, or it was asked to.
 */
export function createReading(): (isAnew: boolean, restart: () => void) => readonly Shown[] {
  let of: object | undefined;
  let to = 0;
  return (isAnew, restart) => {
    if (isAnew || of !== bySeq) {
      of = bySeq;
      to = 0;
      restart();
    }
    let from = kept.length;
    while (from > 0 && (kept[from - 1]?.order ?? 0) > to) from -= 1;
    to = lastOrder;
    return kept.slice(from);
  };
}

/** Forgets what was heard. */
export function forget(): void {
  kept = [];
  bySeq = new Map();
  kinds = new Map();
  text = 0;
  whole = lastOrder + 1;
  called = [];
  revision.value += 1;
}

/** An exchange, and in how many characters it came. */
export type Came = readonly [entry: JournalEntry, size: number];

/** Takes up what came since the last frame. */
export function hear(came: readonly Came[]): void {
  for (const [entry, size] of came) keep(entry, size);
  if (kept.length > MOST) forgetOldest();
  revision.value += 1;
  // what counts fields has read them by now
  while (text > MOST_TEXT && whole < lastOrder) leaveOutBodies();
}

function keep(entry: JournalEntry, size: number): void {
  const { seq, method, path, operationId, response } = entry;
  if (bySeq.has(seq)) return;
  lastOrder += 1;
  const haystack = `${method} ${path} ${operationId ?? ''} ${response?.status ?? ''}`.toLowerCase();
  const kind = kinds.get(haystack) ?? { haystack, status: response?.status ?? 0, operationId };
  kinds.set(haystack, kind);
  const shown = { entry, order: lastOrder, kind, number: `#${seq}`, size };
  text += size;
  kept.push(shown);
  bySeq.set(seq, shown);
  if (operationId !== null && !called.includes(operationId)) called = [...called, operationId].sort();
}

/** Keeps of the oldest exchange that is whole all but its bodies. */
function leaveOutBodies(): void {
  const shown = kept[whole - (kept[0]?.order ?? whole)];
  whole += 1;
  if (shown === undefined) return;
  const { entry, size } = shown;
  text -= size;
  shown.size = 0;
  const { request, response } = entry;
  shown.entry = {
    ...entry,
    request: { ...request, body: withoutText(request.body) },
    response: response && { ...response, body: withoutText(response.body) },
  };
}

function withoutText<T extends JournalBody | null>(
  body: T,
): T | { kind: 'omitted'; bytes: number; state: JournalBody['state'] } {
  return body && { kind: 'omitted', bytes: body.bytes, state: body.state };
}

function forgetOldest(): void {
  for (const { entry, size } of kept.splice(0, kept.length - MOST)) {
    bySeq.delete(entry.seq);
    text -= size;
  }
  whole = Math.max(whole, kept[0]?.order ?? whole);
  if (kinds.size > 2 * MOST) kinds = new Map(kept.map(({ kind }) => [kind.haystack, kind]));
}

/** The last in the order in which they ended. */
export function newest(): number {
  return lastOrder;
}
