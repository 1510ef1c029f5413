import type { Kind } from '../../../generated/mock/entities.ts';
import { memberAt } from '../../contract/conditions.ts';
import type { Filter, Query } from './lists.ts';
import type { Value } from './records.ts';

/** Words by which the name of a parameter says that it bounds a field. */
const BOUNDS: Readonly<Record<string, Filter['how']>> = {
  from: 'from',
  since: 'from',
  start: 'from',
  min: 'from',
  gte: 'from',
  after: 'after',
  gt: 'after',
  to: 'to',
  until: 'to',
  end: 'to',
  max: 'to',
  lte: 'to',
  before: 'before',
  lt: 'before',
};
/** A bound of these alone, or of a `date`, is one of the moment that a record has. */
const OF_TIME = new Set(['from', 'since', 'start', 'after', 'to', 'until', 'end', 'before', 'gte', 'lte', 'gt', 'lt']);
const TIMES = new Set(['date', 'time', 'datetime', 'timestamp', 'at', 'on']);

/** What a query parameter picks by: the field of its name, or a bound of one that it names; undefined where it names none. */
export function filterOf(
  { name, between, said }: Query,
  fields: readonly string[],
  kind: Kind | undefined,
): Filter | undefined {
  if (fields.includes(name)) return { name, field: name, how: 'is', between };
  const [how, of] = said?.split(' ') ?? [];
  if (how !== undefined && of !== undefined && (how === 'is' || Object.hasOwn(BOUNDS, how)))
    return { name, field: of, how: how === 'is' ? how : (BOUNDS[how] ?? 'from'), between };
  const words = wordsOf(name).filter((word) => word !== 'filter');
  const same = fieldOf(words, fields);
  if (same !== undefined) return { name, field: same, how: 'is', between };
  const at = [words.length - 1, 0].find((index) => Object.hasOwn(BOUNDS, words[index] ?? ''));
  if (at === undefined) return undefined;
  const bound = words[at] ?? '';
  const rest = words.toSpliced(at, 1);
  const field = rest.every((word) => TIMES.has(word))
    ? OF_TIME.has(bound) || rest.length > 0
      ? momentOf(kind)
      : undefined
    : (fieldOf(rest, fields) ??
      fields.find((one) =>
        rest.filter((word) => !TIMES.has(word)).every((word, index) => wordsOf(one)[index] === word),
      ));
  return field === undefined ? undefined : { name, field, how: BOUNDS[bound] ?? 'from', between: null };
}

function wordsOf(name: string): string[] {
  const parted = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return parted.split(/[^a-z0-9]+/).filter((word) => word !== '');
}

/** The field of these words, however they are joined. */
function fieldOf(words: readonly string[], fields: readonly string[]): string | undefined {
  return words.length === 0 ? undefined : fields.find((field) => wordsOf(field).join() === words.join());
}

/** The field that says when a record was made: the first that is made up of a time. */
function momentOf(kind: Kind | undefined): string | undefined {
  const fields = Object.entries(kind?.fields ?? {});
  const made = fields.find(([, form]) => typeof form === 'string' && /\{(?:now|date)\b/.test(form));
  return (made ?? fields.find(([name]) => TIMES.has(wordsOf(name).at(-1) ?? '')))?.[0];
}

/** The records that a query picks. */
export function picked(found: readonly Value[], asked: URLSearchParams, filters: readonly Filter[]): readonly Value[] {
  let result = found;
  for (const { name, field, how, between } of filters) {
    const sent = asked.getAll(name);
    if (sent.length === 0) continue;
    if (how === 'is') {
      const values = new Set(between === null ? sent : sent.flatMap((text) => text.split(between)));
      // The document admits every value of a parameter without a type: one that no record has picks none.
      result = result.filter((record) => values.has(String(memberAt(record, field))));
    } else {
      const bound = sent.at(-1) ?? '';
      result = result.filter((record) => isWithin(memberAt(record, field), how, bound));
    }
  }
  return result;
}

const DAY = 86_400_000;

function isWithin(value: unknown, how: Exclude<Filter['how'], 'is'>, bound: string): boolean {
  // of two accounts, one is no bound of the other
  if (typeof value === 'string' && !/^\d{4}-\d\d-\d\d/.test(value)) return true;
  const [own, from, to] = comparable(value, bound);
  if (own === undefined || from === undefined || to === undefined) return false;
  if (how === 'from') return own >= from;
  if (how === 'after') return own > to;
  return how === 'to' ? own <= to : own < from;
}

/** A value, and the first and the last that a bound stands for: a day is all of it. */
function comparable(value: unknown, bound: string): (number | undefined)[] {
  if (typeof value === 'number') return [value, finite(Number(bound)), finite(Number(bound))];
  if (typeof value !== 'string') return [];
  const at = /^\d{9,13}$/.test(bound) ? Number(bound) * (bound.length < 12 ? 1_000 : 1) : Date.parse(bound);
  const first = finite(at);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(bound);
  return [finite(Date.parse(value)), first, first === undefined || !isDay ? first : first + DAY - 1];
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

/** Records in the order that a query asks for: `-field`, `field:desc`, `field,desc`, or a direction in a parameter of its own. */
export function sorted(
  found: readonly Value[],
  asked: URLSearchParams,
  sorts: readonly string[],
  fields: readonly string[],
): readonly Value[] {
  const keys: { field: string; descends: boolean }[] = [];
  let turned = false;
  for (const word of sorts.flatMap((name) => asked.getAll(name)).flatMap((text) => text.split(/[,:;\s]+/))) {
    const direction = /^(?:(asc)|desc)(?:ending)?$/i.exec(word);
    const last = keys.at(-1);
    if (direction && last) last.descends = direction[1] === undefined;
    else if (direction) turned = direction[1] === undefined;
    else {
      const name = word.replace(/^[-+]/, '');
      const field = fieldOf(wordsOf(name), fields) ?? (name.includes('.') ? name : undefined);
      if (field !== undefined) keys.push({ field, descends: word.startsWith('-') });
    }
  }
  if (keys.length === 0) return turned ? found.toReversed() : found;
  if (turned && keys[0]) keys[0].descends = true;
  return found.toSorted((one, other) => {
    for (const { field, descends } of keys) {
      const order = compared(memberAt(one, field), memberAt(other, field));
      if (order !== 0) return descends ? -order : order;
    }
    return 0;
  });
}

/** What is not there comes last. */
function compared(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  const [first, second] = [one, other].map((value) =>
    value === undefined || value === null ? undefined : String(value),
  );
  if (first === second) return 0;
  if (first === undefined || second === undefined) return first === undefined ? 1 : -1;
  return first < second ? -1 : 1;
}
