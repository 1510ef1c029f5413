import { collectionOf } from '../../contract/collections.ts';
import type { Parameter } from '../../contract/contract.ts';
import { listIn } from '../../judge/responses.ts';
import { type Call, finalAttempt, isGood } from '../../model/call.ts';
import { contentOf } from '../../model/media.ts';
import { isObject, type Json, nodeAt, objectOf } from '../../schema/json.ts';
import { parsePointer } from '../../text/pointer.ts';
import { compare } from '../../text/words.ts';
import { isId, type Source } from './sources.ts';

/** What an answer shows for a parameter. `unjudged`: it has no list, or is no good answer. */
export interface Shown {
  /** In the order of their texts. */
  readonly values: readonly string[];
  readonly list: 'filled' | 'empty' | 'unjudged';
}

/** Whether redaction keeps the value of a member as it is. */
export type IsPublic = (name: string, value: string) => boolean;

export function shownIn(call: Call, { operation, place }: Source, { name }: Parameter, isPublic: IsPublic): Shown {
  const last = finalAttempt(call);
  const content = last && isGood(call) ? contentOf(last) : null;
  if (content?.kind !== 'json') return { values: [], list: 'unjudged' };
  const body = content.value as Json;
  const found = new Set<string>();
  const add = (member: string, value: Json | undefined): void => {
    const text = typeof value === 'string' || Number.isSafeInteger(value) ? String(value) : '';
    if (!/^\.{0,2}$/.test(text) && isPublic(member, text) && isPublic(name, text)) found.add(text);
  };
  const sorted = (): string[] => [...found].sort(compare);
  if (place.kind === 'at') {
    add(parsePointer(place.pointer)?.at(-1)?.toString() ?? '', nodeAt(body, place.pointer));
    return { values: sorted(), list: 'filled' };
  }
  if (place.kind !== 'items') {
    for (const [member, value] of membersOf(body)) if (sameName(member, name)) add(member, value);
    return { values: sorted(), list: 'filled' };
  }
  const items = itemsIn(body);
  // an item has its own name for its id: birdId, id
  const names = isId(name) ? [name, `${collectionOf(operation) ?? ''}Id`, 'id'] : [name];
  for (const item of items ?? []) {
    const members = Object.entries(objectOf(item));
    const [member, value] = names.flatMap((one) => members.filter(([key]) => sameName(key, one)))[0] ?? [''];
    add(member, value);
  }
  return { values: sorted(), list: items === null ? 'unjudged' : items.length === 0 ? 'empty' : 'filled' };
}

/** Levels of objects around a list, for instance `_embedded`. */
const DEEPEST = 3;

function itemsIn(value: unknown, depth = 0): readonly unknown[] | null {
  const list = listIn(value);
  if (list !== null || !isObject(value) || depth === DEEPEST) return list?.items ?? null;
  const [only, ...others] = Object.values(value).flatMap((member) => {
    const items = isObject(member) ? itemsIn(member, depth + 1) : null;
    return items === null ? [] : [items];
  });
  return only !== undefined && others.length === 0 ? only : null;
}

function sameName(a: string, b: string): boolean {
  const plain = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');
  return plain(a) === plain(b);
}

function membersOf(body: Json): [string, Json][] {
  const found: [string, Json][] = [];
  const waiting: Json[] = [body];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    // a list may be too long to be spread into arguments
    for (const [name, member] of Object.entries(value)) {
      if (!Array.isArray(value)) found.push([name, member]);
      waiting.push(member);
    }
  }
  return found;
}
