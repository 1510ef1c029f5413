import { picked, sorted } from './list-filters.ts';
import { type ListFacts, type Page, USUAL_SIZE } from './lists.ts';
import type { Value } from './records.ts';
import { type Refused, unknownCursor } from './refusals.ts';

/** The records of a page, and what can be told of it. */
export interface Paged {
  readonly records: readonly Value[];
  readonly page: Page;
}

/** Picks, orders and pages as the query asks, and as the contract does where it asks for nothing. */
export function paged(found: readonly Value[], id: string, query: string, facts: ListFacts): Paged | Refused {
  const { filters, sorts, fields, limit, usual, offset, page, cursor } = facts;
  const asked = new URLSearchParams(query);
  const all = sorted(picked(found, asked, filters), asked, sorts, fields);
  const whole = (name: string | undefined): number | undefined => {
    const text = name === undefined ? null : asked.get(name);
    return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  };
  const number = whole(page?.name);
  const size = whole(limit?.name) ?? usual ?? (number === undefined ? undefined : USUAL_SIZE);
  const first = page?.first ?? 1;
  const place = cursor === null ? null : asked.get(cursor.name);
  const after = place === null || place === '' ? undefined : placeAfter(place, all, id);
  if (after === null) return unknownCursor(cursor?.name ?? '');
  const start = after ?? whole(offset?.name) ?? Math.max(0, (number ?? first) - first) * (size ?? 0);
  const records = all.slice(start, size === undefined ? undefined : start + size);
  const end = start + records.length;
  const more = end < all.length && records.length > 0;
  return {
    records,
    page: {
      total: all.length,
      count: records.length,
      pages: size === undefined || size === 0 ? Math.min(1, all.length) : Math.ceil(all.length / size),
      limit: size,
      offset: start,
      page: number ?? first + (size === undefined || size === 0 ? 0 : Math.floor(start / size)),
      more,
      first: start === 0,
      last: !more,
      next: more ? placeBehind(end, records.at(-1)?.[id]) : undefined,
    },
  };
}

/** Names the place behind a record: what comes and goes before it moves nothing, and where it went itself its number counts. */
function placeBehind(end: number, id: unknown): string {
  return Buffer.from(`${end}:${String(id)}`).toString('base64url');
}

/** How many records come before a place; also an id is one. Null of what names none. */
function placeAfter(place: string, all: readonly Value[], id: string): number | null {
  const indexOf = (wanted: string): number => all.findIndex((record) => record[id] === wanted);
  const own = indexOf(place);
  if (own >= 0) return own + 1;
  const made = /^(\d{1,9}):(.*)$/su.exec(Buffer.from(place, 'base64url').toString());
  if (!made) return null;
  const at = indexOf(made[2] ?? '');
  return at < 0 ? Math.min(Number(made[1]), all.length) : at + 1;
}
