import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { JournalEntry } from '../src/journal/entry.ts';

/** Marks requests that the reader sends by hand, so that they do not count as calls of the application. */
export const PAGE_MARK = 'x-mock-page';

export const revision: Signal<number> = signal(0);

export interface ShownExchange {
  readonly entry: JournalEntry;
  /** Its place in the order of ends, from 1. */
  readonly place: number;
  /** Number, method, path, operation and status in lower case, for the search. */
  readonly haystack: string;
  /** Length of the event that carried it, in characters. */
  readonly size: number;
}

/** The page remembers the newest exchanges up to both limits, so that a tab can stay open all day. */
const MOST = 20_000;
/** Characters. */
const MOST_TEXT = 64 * 1024 * 1024;

let kept: ShownExchange[] = [];
let bySeq = new Map<number, ShownExchange>();
let text = 0;
let last = 0;

/** The exchanges that this page has, oldest first. Subscribe to `revision` for changes. */
export function exchanges(): readonly ShownExchange[] {
  return kept;
}

/** Number of all exchanges since the start of the journal. The page may have fewer of them. */
export function total(): number {
  return last;
}

/** Explains counts that do not include all exchanges; empty if they do. */
export function missing(): string {
  return last > kept.length ? `, ${last - kept.length} not kept` : '';
}

export function exchange(seq: number): ShownExchange | undefined {
  return bySeq.get(seq);
}

export function forget(): void {
  kept = [];
  bySeq = new Map();
  text = 0;
  last = 0;
  revision.value += 1;
}

export type Came = readonly [entry: JournalEntry, size: number, place: number];

/** The newest may come before earlier ones. */
export function hear(came: readonly Came[]): void {
  for (const one of came) keep(...one);
  kept.sort((one, other) => one.place - other.place);
  last = Math.max(last, kept.at(-1)?.place ?? 0);
  let gone = 0;
  for (; kept.length - gone > MOST || (text > MOST_TEXT && kept.length - gone > 1); gone += 1) {
    const { entry, size } = kept[gone] as ShownExchange;
    bySeq.delete(entry.seq);
    text -= size;
  }
  kept.splice(0, gone);
  revision.value += 1;
}

function keep(...[entry, size, place]: Came): void {
  const { seq, method, path, operationId, response } = entry;
  if (bySeq.has(seq)) return;
  const haystack = `#${seq} ${method} ${path} ${operationId ?? ''} ${response?.status ?? ''}`.toLowerCase();
  const shown = { entry, place, haystack, size };
  text += size;
  kept.push(shown);
  bySeq.set(seq, shown);
}

/** How often each operation was called. Requests that the reader sent from the page do not count. */
export const usages: ReadonlySignal<ReadonlyMap<string, { readonly calls: number; readonly refused: number }>> =
  computed(() => {
    revision.value;
    const used = new Map<string, { calls: number; refused: number }>();
    for (const { entry } of kept) {
      const { operationId, request, response } = entry;
      if (operationId === null || request.headers.some(([name]) => name === PAGE_MARK)) continue;
      const { calls, refused } = used.get(operationId) ?? { calls: 0, refused: 0 };
      const isRefused = response !== null && response.status >= 400;
      used.set(operationId, { calls: calls + 1, refused: refused + Number(isRefused) });
    }
    return used;
  });
