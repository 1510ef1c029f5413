import { createObservedShape, mergeTexts, mostKeys, type ObservedShape, type WrittenPlace } from './observed-shape.ts';

/**
 * The larger count wins. So the same answers change nothing, and the order of recordings does not matter. Different
 * objects of one recording add up: those under the keys of a map.
 */
export function mergeShapes(before: ObservedShape, now: ObservedShape): ObservedShape {
  const both = createObservedShape();
  for (const { types } of [before, now]) {
    for (const [type, count] of types) both.types.set(type, Math.max(count, both.types.get(type) ?? 0));
  }
  for (const digest of [...before.digests, ...now.digests]) both.digests.add(digest);
  // a list has a digest as well
  const objects = both.types.has('array') ? 0 : both.digests.size;
  both.objects = Math.max(before.objects, now.objects, objects);
  both.keys = Math.max(mostKeys(before), mostKeys(now));
  const named = [before, now].flatMap(({ fields, written }) => [...fields.keys(), ...(written?.unlisted ?? [])]);
  for (const name of new Set(named)) {
    const [a, b] = [before.fields.get(name), now.fields.get(name)];
    const known = [a, b].filter((field) => field !== undefined);
    const out = Math.max(withoutIt(before, a, name), withoutIt(now, b, name));
    if (known.length === 0 && out === 0) continue;
    const times = known.length > 0 ? Math.max(...known.map((field) => field.in)) : before.objects;
    const field = known.reduce(mergeShapes, createObservedShape());
    both.fields.set(name, { ...field, in: times, out });
  }
  both.keyed = uniteNullable(before.keyed, now.keyed);
  both.items = uniteNullable(before.items, now.items);
  mergeTexts(both.texts, before.texts);
  mergeTexts(both.texts, now.texts);
  both.written = uniteWritten(before, now);
  return both;
}

function withoutIt({ objects, written }: ObservedShape, field: ObservedShape | undefined, name: string): number {
  if (field !== undefined) return field.out;
  return written?.unlisted.has(name) === true ? 0 : objects;
}

function uniteNullable(before: ObservedShape | null, now: ObservedShape | null): ObservedShape | null {
  if (before === null || now === null) return before ?? now;
  return mergeShapes(before, now);
}

function uniteWritten(before: ObservedShape, now: ObservedShape): WrittenPlace | null {
  const [a, b] = [before.written, now.written];
  if (a === null || b === null) {
    const one = a ?? b;
    const other = a === null ? before : now;
    // The latest observation decides whether the reference is contradicted.
    return one === null || other.types.size === 0 ? one : { ...one, otherwise: null };
  }
  const hasWords = a.words !== null && b.words !== null;
  return {
    words: hasWords ? [...new Set([...(a.words ?? []), ...(b.words ?? [])])].sort() : null,
    otherwise: b.otherwise ?? a.otherwise,
    named: a.named.union(b.named),
    isMap: a.isMap || b.isMap,
    unlisted: a.unlisted.intersection(b.unlisted),
  };
}
