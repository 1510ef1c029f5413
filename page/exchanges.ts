import { type Signal, signal } from '@preact/signals';
import type { JournalEntry } from '../src/journal/entry.ts';

/** Changes whenever `exchanges` does. */
export const revision: Signal<number> = signal(0);

/** An exchange with what is looked for in it, made once when it arrives. */
export interface Shown {
  readonly entry: JournalEntry;
  /** From 1, in the order in which they ended; a slow one has a lower `seq` than those before it. */
  readonly order: number;
  /** Lower-case. */
  readonly haystack: string;
}

/** Exchanges that the page remembers. */
const MOST = 20_000;

let kept: Shown[] = [];
let bySeq = new Map<number, Shown>();
let lastOrder = 0;
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
  called = [];
  pending = [];
  revision.value += 1;
}

/** Many may arrive between two frames: they are shown together. */
export function hear(entry: JournalEntry): void {
  pending.push(entry);
  if (scheduled) return;
  scheduled = true;
  const flush = (): void => {
    scheduled = false;
    if (pending.length === 0) return;
    for (const one of pending) keep(one);
    pending = [];
    if (kept.length > MOST) for (const { entry: old } of kept.splice(0, kept.length - MOST)) bySeq.delete(old.seq);
    revision.value += 1;
  };
  if (document.hidden) setTimeout(flush, 100);
  else requestAnimationFrame(flush);
}

function keep(entry: JournalEntry): void {
  const { seq, method, path, operationId, response } = entry;
  if (bySeq.has(seq)) return;
  lastOrder += 1;
  const haystack = `#${seq} ${method} ${path} ${operationId ?? ''} ${response?.status ?? ''}`.toLowerCase();
  const shown = { entry, order: lastOrder, haystack };
  kept.push(shown);
  bySeq.set(seq, shown);
  if (operationId !== null && !called.includes(operationId)) called = [...called, operationId].sort();
}

/** The last in the order in which they ended. */
export function newest(): number {
  return lastOrder;
}
