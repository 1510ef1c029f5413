import { memberAt } from '../../contract/conditions.ts';
import type { MEMBERS } from '../../contract/list-words.ts';
import type { Envelope, Filter, ListFacts } from './lists.ts';
import type { Value } from './records.ts';
import { unknownCursor } from './refusals.ts';

/** The facts of a page; `next` is the cursor of the next page. */
type PageFacts = { readonly [word in (typeof MEMBERS)[number]]: number | boolean | string | undefined };

/** Filters, sorts and pages by the query, or by the defaults of the contract. */
export function pageOf(found: readonly Value[], id: string, query: string, lists: ListFacts) {
  const { roles, firstPage, filters } = lists;
  const asked = new URLSearchParams(query);
  const all = ordered(picked(found, asked, filters), asked, roles);
  const whole = (name = ''): number | undefined => {
    const text = asked.get(name) ?? '';
    return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  };
  const isPlaced = [roles.page, roles.offset, roles.cursor].some((name) => asked.get(name ?? ''));
  const usual = lists.isOptional && !isPlaced ? null : lists.usual;
  const size = whole(roles.limit) ?? usual ?? undefined;
  const cursor = asked.get(roles.cursor ?? '') ?? '';
  const after = cursor === '' ? undefined : placeAfter(cursor, all, id);
  if (after === null) return unknownCursor(roles.cursor ?? '');
  const number = whole(roles.page) ?? firstPage;
  const start = after ?? whole(roles.offset) ?? Math.max(0, number - firstPage) * (size ?? 0);
  const records = all.slice(start, size === undefined ? undefined : start + size);
  const end = start + records.length;
  const more = end < all.length && records.length > 0;
  return {
    records,
    facts: {
      total: all.length,
      count: records.length,
      pages: size ? Math.ceil(all.length / size) : Math.min(1, all.length),
      limit: size,
      offset: start,
      page: whole(roles.page) ?? firstPage + (size ? Math.floor(start / size) : 0),
      more,
      first: start === 0,
      last: !more,
      next: more ? placeBehind(end, records.at(-1)?.[id]) : undefined,
    },
  };
}

function picked(found: readonly Value[], asked: URLSearchParams, filters: readonly Filter[]): readonly Value[] {
  let result = found;
  for (const { name, field, how, isArray } of filters) {
    // an empty value, as from an empty form field, counts as not sent
    const sent = asked.getAll(name).filter((text) => text !== '');
    if (sent.length === 0) continue;
    const values = isArray ? sent.flatMap((text) => text.split(',')) : sent;
    result = result.filter((record) => {
      const value = memberAt(record, field);
      if (how === 'is')
        return values.some((text) => (typeof value === 'number' ? Number(text) === value : text === String(value)));
      return isWithin(value, how, sent.at(-1) ?? '');
    });
  }
  return result;
}

const DAY = 86_400_000;

/** Compares numbers or times. A bound that is a date includes the whole day. */
function isWithin(value: unknown, how: Filter['how'], bound: string): boolean {
  const isNumber = typeof value === 'number';
  const own = isNumber ? value : Date.parse(String(value));
  const from = isNumber ? Number(bound) : Date.parse(bound);
  const to = !isNumber && /^\d{4}-\d\d-\d\d$/.test(bound) ? from + DAY - 1 : from;
  return how === 'from' ? own >= from : own <= to;
}

/** Sort keys: `FIELD`, `-FIELD` or `FIELD:desc`, separated by commas. */
function ordered(found: readonly Value[], asked: URLSearchParams, roles: ListFacts['roles']): readonly Value[] {
  const words = asked.getAll(roles.sort ?? '').flatMap((text) => text.split(','));
  const keys = words.map((word) => {
    const [, minus, field = '', direction] = /^(-?)([^:]*):?(.*)$/s.exec(word) ?? [];
    return { field, descends: minus === '-' || direction?.toLowerCase() === 'desc' };
  });
  if (keys.length === 0) return found;
  return found.toSorted((one, other) => {
    for (const { field, descends } of keys) {
      const order = compared(memberAt(one, field), memberAt(other, field));
      if (order !== 0) return descends ? -order : order;
    }
    return 0;
  });
}

/** A missing value comes last in ascending order. */
function compared(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  const [first, second] = [one ?? null, other ?? null];
  if (first === second) return 0;
  if (first === null || second === null) return first === null ? 1 : -1;
  return String(first) < String(second) ? -1 : 1;
}

/** A cursor holds the last record's id, so earlier changes move nothing. If that is gone, its position counts. */
function placeBehind(end: number, id: unknown): string {
  return Buffer.from(`${end}:${String(id)}`).toString('base64url');
}

/** How many records come before a cursor, which may also be a record's id. Null for an unknown cursor. */
function placeAfter(cursor: string, all: readonly Value[], id: string): number | null {
  const indexOf = (wanted: string): number => all.findIndex((record) => String(record[id]) === wanted);
  const own = indexOf(cursor);
  if (own >= 0) return own + 1;
  const made = /^(\d{1,9}):(.*)$/su.exec(Buffer.from(cursor, 'base64url').toString());
  if (!made) return null;
  const at = indexOf(made[2] ?? '');
  return at < 0 ? Math.min(Number(made[1]), all.length) : at + 1;
}

/** @param items what the envelope is for: the records of a page, or one record */
export function enveloped(envelope: Envelope, items: unknown, facts: Partial<PageFacts>): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(envelope)) {
    if ('shows' in part) shown[name] = items;
    else if ('members' in part) shown[name] = enveloped(part.members, items, facts);
    else if ('is' in part) shown[name] = part.is;
    else {
      const fact = facts[part.tells];
      if (fact !== undefined) shown[name] = part.isText ? String(fact) : fact;
      else if (part.isNullable) shown[name] = null;
      else if (part.isRequired) shown[name] = part.isText ? '' : 0;
    }
  }
  return shown;
}
