import { numeric } from '../judge/shape.ts';
import { createSeen, isEmpty, mergeTexts, type Seen, type SeenField, type Written } from './seen.ts';

/**
 * What two recordings know together: whatever either of them has seen may come, and only what both always saw is always there. Of
 * numbers the larger one counts, so that the same answers again change nothing, in whatever order recordings are united.
 */
export function unite(before: Seen, now: Seen): Seen {
  const both = createSeen();
  for (const { types } of [before, now]) {
    for (const [type, count] of types) both.types.set(type, Math.max(count, both.types.get(type) ?? 0));
  }
  both.objects = Math.max(before.objects, now.objects);
  const named = [before, now].flatMap(({ fields, written }) => [...fields.keys(), ...(written?.untold ?? [])]);
  for (const name of new Set(named)) {
    const [a, b] = [before.fields.get(name), now.fields.get(name)];
    const known = [a, b].filter((field) => field !== undefined);
    const [first = createSeen(), second] = known.map(({ seen }) => seen);
    const out = Math.max(withoutIt(before, a, name), withoutIt(now, b, name));
    if (known.length === 0 && out === 0) continue;
    const times = known.length > 0 ? known.map((field) => field.in) : [before.objects];
    both.fields.set(name, { seen: second === undefined ? first : unite(first, second), in: Math.max(...times), out });
  }
  both.keyed = uniteNullable(before.keyed, now.keyed);
  both.items = uniteNullable(before.items, now.items);
  mergeTexts(both.texts, before.texts);
  mergeTexts(both.texts, now.texts);
  both.written = uniteWritten(before, now);
  return both;
}

function withoutIt({ objects, written }: Seen, field: SeenField | undefined, name: string): number {
  if (field !== undefined) return field.out;
  return written?.untold.has(name) === true ? 0 : objects;
}

function uniteNullable(before: Seen | null, now: Seen | null): Seen | null {
  if (before === null || now === null) return before ?? now;
  return unite(before, now);
}

function uniteWritten(before: Seen, now: Seen): Written | null {
  const [a, b] = [before.written, now.written];
  if (a === null || b === null) {
    const one = a ?? b;
    const other = a === null ? before : now;
    // What was seen against the reference is what was seen last.
    return one === null || other.types.size === 0 ? one : { ...one, otherwise: null };
  }
  const hasWords = a.words !== null && b.words !== null;
  return {
    words: hasWords ? [...new Set([...(a.words ?? []), ...(b.words ?? [])])].sort() : null,
    otherwise: b.otherwise ?? a.otherwise,
    named: a.named.union(b.named),
    untold: a.untold.intersection(b.untold),
  };
}

/** Objects of one place that never had a field that others of their sort have sometimes: from so many on they have none. */
const ENOUGH_WITHOUT = 10;

/**
 * What is known of one place with what another shows of the same schema. A field that one of them never has is no part of what it sends
 * (a list often shows less); one that comes and goes in the one may go in the other.
 *
 * @param apart fields whose coming and going is a matter of the single object
 */
export function withKin(own: Seen, kin: Seen, apart: ReadonlySet<string> = new Set()): Seen {
  if (!areAlike(own, kin)) return own;
  const both = createSeen();
  for (const [type, count] of own.types) both.types.set(type, count);
  if (own.types.has('integer') && kin.types.has('number')) both.types.set('number', kin.types.get('number') ?? 1);
  const isOnlyNull = own.types.size === 1 && own.types.has('null');
  for (const [type, count] of kin.types) {
    if (isOnlyNull || type === 'null') both.types.set(type, Math.max(count, both.types.get(type) ?? 0));
  }
  both.objects = own.objects;
  for (const [name, field] of own.fields) {
    const other = kin.fields.get(name);
    const isShared = other !== undefined && other.in > 0 && !apart.has(name);
    both.fields.set(
      name,
      isShared
        ? {
            seen: withKin(field.seen, other.seen),
            in: Math.max(field.in, other.in),
            out: Math.max(field.out, other.out),
          }
        : field,
    );
  }
  for (const [name, other] of kin.fields) {
    if (
      both.fields.has(name) ||
      apart.has(name) ||
      other.out === 0 ||
      own.objects === 0 ||
      own.objects >= ENOUGH_WITHOUT
    )
      continue;
    both.fields.set(name, { seen: other.seen, in: other.in, out: Math.max(other.out, own.objects) });
  }
  both.keyed = own.keyed;
  both.items = own.items === null || kin.items === null ? (own.items ?? kin.items) : withKin(own.items, kin.items);
  mergeTexts(both.texts, own.texts);
  if (!isEmpty(own.texts) || isOnlyNull) mergeTexts(both.texts, kin.texts);
  both.written = own.written;
  return both;
}

/** False where two places agree in nothing but a name: their types are different, or their texts have different forms. */
function areAlike(own: Seen, kin: Seen): boolean {
  const [a, b] = [own, kin].map(
    (seen) => new Set([...seen.types.keys()].filter((type) => type !== 'null').map(numeric)),
  );
  if (a === undefined || b === undefined || a.size === 0 || b.size === 0) return true;
  if (a.symmetricDifference(b).size > 0) return false;
  const [mine, other] = [own.texts, kin.texts];
  if (isEmpty(mine) || isEmpty(other) || mine.forms.size === 0 || other.forms.size === 0) return true;
  return !mine.forms.isDisjointFrom(other.forms);
}
