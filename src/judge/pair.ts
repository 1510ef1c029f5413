import { listed } from './listed.ts';
import { MOST_TOLD } from './rule.ts';
import { typesByPlace } from './shape.ts';

/** One place in which two forms of an answer differ in shape. */
export interface Difference {
  /** Pointer into the answers, with `*` for list indices; empty for the answer as a whole. */
  readonly at: string;
  /** Shape in the current form. */
  readonly expected: string;
  /** Shape in the deprecated form. */
  readonly actual: string;
  /** Whether a field is there in one form only. */
  readonly presence: boolean;
}

/** The types that answers of one form had at their places, and in how many of them the place was there. */
type Places = ReadonlyMap<string, { readonly types: ReadonlySet<string>; readonly count: number }>;

const NONE = 'no such field';

/**
 * Where the answers of two forms to the same question differ in shape. A field of one form counts if it is in all answers of that one
 * and in none of the other; types count if the two have none in common. `null` is of any type, and lists may differ in length.
 */
export function pairDifferences(current: readonly unknown[], deprecated: readonly unknown[]): Difference[] {
  const wanted = placesOf(current);
  const given = placesOf(deprecated);
  const [names, others] = [namesByPlace(wanted), namesByPlace(given)];
  const told = new Set<string>();
  const differences: Difference[] = [];
  for (const at of [...new Set([...wanted.keys(), ...given.keys()])].sort()) {
    if (differences.length > MOST_TOLD) break;
    const parent = parentOf(at);
    // Where the objects around differ already, they tell.
    if (at !== '' && told.has(parent)) {
      told.add(at);
      continue;
    }
    const [ours, theirs] = [wanted.get(at), given.get(at)];
    if (ours === undefined || theirs === undefined) {
      told.add(at);
      const always = ours?.count === current.length || theirs?.count === deprecated.length;
      if (at.endsWith('/*') || !always || isNull(ours) || isNull(theirs)) continue;
      differences.push({ at, expected: typesOf(ours), actual: typesOf(theirs), presence: true });
      continue;
    }
    if (isNull(ours) || isNull(theirs)) continue;
    const shared = [...ours.types].some((type) => type !== 'null' && theirs.types.has(type));
    if (!shared) {
      told.add(at);
      differences.push({ at, expected: typesOf(ours), actual: typesOf(theirs), presence: false });
      continue;
    }
    const [here, there] = [names.get(at) ?? [], others.get(at) ?? []];
    if (areStrangers(here, there)) {
      told.add(at);
      const [expected, actual] = [`object with ${listed(here)}`, `object with ${listed(there)}`];
      differences.push({ at, expected, actual, presence: false });
    }
  }
  return differences;
}

/** True of objects that share no field, so that one is not the other with a field more or less. */
function areStrangers(ours: readonly string[], theirs: readonly string[]): boolean {
  if (ours.length === 0 || theirs.length === 0) return false;
  const names = new Set(theirs);
  return !ours.some((name) => names.has(name));
}

/** Names of the fields of each object, in order, by the place of the object. */
function namesByPlace(places: Places): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const place of places.keys()) {
    if (place === '' || place.endsWith('/*')) continue;
    const parent = parentOf(place);
    const own = names.get(parent) ?? [];
    own.push(place.slice(parent.length + 1));
    names.set(parent, own);
  }
  for (const own of names.values()) own.sort();
  return names;
}

function parentOf(place: string): string {
  return place.slice(0, place.lastIndexOf('/'));
}

function placesOf(values: readonly unknown[]): Places {
  const places = new Map<string, { types: Set<string>; count: number }>();
  for (const value of values) {
    for (const [at, types] of typesByPlace(value)) {
      const known = places.get(at) ?? { types: new Set(), count: 0 };
      for (const type of types) known.types.add(type);
      places.set(at, { types: known.types, count: known.count + 1 });
    }
  }
  return places;
}

function isNull(place: { readonly types: ReadonlySet<string> } | undefined): boolean {
  return place !== undefined && [...place.types].every((type) => type === 'null');
}

function typesOf(place: { readonly types: ReadonlySet<string> } | undefined): string {
  if (place === undefined) return NONE;
  return [...place.types]
    .filter((type) => type !== 'null')
    .sort()
    .join(' or ');
}
