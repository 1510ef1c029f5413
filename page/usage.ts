import { computed, effect, type ReadonlySignal } from '@preact/signals';
import type { JournalBody, JournalEntry } from '../src/journal/entry.ts';
import { createReading, revision } from './exchanges.ts';
import { bodyOf, type Field, fieldsOf } from './parts/fields.ts';
import { operations, type ServedDocument, type ServedOperation, served } from './served.ts';

/** How an operation was used. What the reader sent from the page is left out. */
export interface Usage {
  calls: number;
  refused: number;
  /** By the pointer of a field of the request body: in how many requests it stood. */
  readonly sent: Map<string, number>;
  /** By the pointer of a field of the response body: in how many responses it stood. */
  readonly received: Map<string, number>;
}

/** By operationId. Counted on from where it stood: what was counted is not counted again. */
export const usage: ReadonlySignal<ReadonlyMap<string, Usage>> = computed(() => {
  revision.value;
  for (const { entry } of unread(false, () => counted.clear())) count(entry);
  return new Map(counted);
});

/** Counts each exchange before its bodies are left out, until the returned function is called. */
export function followUsage(): () => void {
  return effect(() => {
    usage.value;
  });
}

const counted = new Map<string, Usage>();
const unread = createReading();

export function isFromPage({ request }: JournalEntry): boolean {
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

export interface UsedField extends Field {
  readonly of: 'request' | 'response';
  readonly times: number;
}

/** All operations with the fields of their request and good response; reread if the document or the exchanges change. */
export const fieldsByOperation: ReadonlySignal<ReadonlyMap<string, readonly UsedField[]>> = computed(() => {
  const document = served.value;
  return new Map(
    document === null ? [] : operations.value.map((one) => [one.operationId, fieldsOfOperation(document, one)]),
  );
});

function fieldsOfOperation(document: ServedDocument, { raw, operationId }: ServedOperation): readonly UsedField[] {
  const used = usage.value.get(operationId);
  const [, good] =
    Object.entries((raw.responses ?? {}) as Record<string, unknown>).find(([status]) => status.startsWith('2')) ?? [];
  const withTimes = (
    of: UsedField['of'],
    holder: unknown,
    times: ReadonlyMap<string, number> | undefined,
  ): UsedField[] => {
    const body = bodyOf(document, holder);
    if (body === undefined) return [];
    return fieldsOf(document, body.schema).map((field) => ({ ...field, of, times: times?.get(field.pointer) ?? 0 }));
  };
  return [...withTimes('request', raw.requestBody, used?.sent), ...withTimes('response', good, used?.received)];
}
