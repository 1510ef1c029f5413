import { type Signal, signal } from '@preact/signals';
import type { JournalBody, JournalEntry } from '../src/journal/entry.ts';

/** How an operation was used. What the reader sent from the page is left out. */
export interface Usage {
  calls: number;
  refused: number;
  /** By the pointer of a field of the request body: in how many requests it stood. */
  readonly sent: Map<string, number>;
  /** By the pointer of a field of the response body: in how many responses it stood. */
  readonly received: Map<string, number>;
}

export const usage: Signal<ReadonlyMap<string, Usage>> = signal(new Map());
const counted = new Map<string, Usage>();

export function countAll(entries: readonly JournalEntry[]): void {
  for (const entry of entries) count(entry);
  usage.value = new Map(counted);
}

export function forgetUsage(): void {
  counted.clear();
  usage.value = new Map();
}

function isFromPage({ request }: JournalEntry): boolean {
  return request.headers.some(([name]) => name.toLowerCase() === 'x-mock-page');
}

function count(entry: JournalEntry): void {
  const { operationId, response, request } = entry;
  if (operationId === null || isFromPage(entry)) return;
  const before = counted.get(operationId) ?? { calls: 0, refused: 0, sent: new Map(), received: new Map() };
  before.calls += 1;
  const status = response?.status ?? 0;
  if (status >= 200 && status < 300) tally(response?.body ?? null, before.received);
  else if (status >= 400) before.refused += 1;
  tally(request.body, before.sent);
  counted.set(operationId, before);
}

function tally(body: JournalBody | null, into: Map<string, number>): void {
  if (body === null) return;
  const found = new Set<string>();
  if (body.kind === 'json') collect(body.json, '', found);
  else if (body.kind === 'form') for (const [name] of body.fields) found.add(`/${name}`);
  for (const pointer of found) into.set(pointer, (into.get(pointer) ?? 0) + 1);
}

function collect(value: unknown, pointer: string, into: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, `${pointer}/*`, into);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      into.add(`${pointer}/${name}`);
      collect(member, `${pointer}/${name}`, into);
    }
  }
}
