import { listed } from './listed.ts';
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
  const told = new Set<string>();
  const differences: Difference[] = [];
  for (const at of [...new Set([...wanted.keys(), ...given.keys()])].sort()) {
    const parent = at.slice(0, at.lastIndexOf('/'));
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
    } else if (areStrangers(wanted, given, at)) {
      told.add(at);
      const [expected, actual] = [wanted, given].map((places) => `object with ${listed(namesIn(places, at))}`);
      differences.push({ at, expected: expected ?? '', actual: actual ?? '', presence: false });
    }
  }
  return differences;
}

/** True of objects that share no field, so that one is not the other with a field more or less. */
function areStrangers(wanted: Places, given: Places, at: string): boolean {
  const [ours, theirs] = [namesIn(wanted, at), namesIn(given, at)];
  return ours.length > 0 && theirs.length > 0 && !ours.some((name) => theirs.includes(name));
}

function namesIn(places: Places, at: string): string[] {
  return [...places.keys()]
    .filter((place) => place !== at && !place.endsWith('/*') && place.slice(0, place.lastIndexOf('/')) === at)
    .map((place) => place.slice(at.length + 1))
    .sort();
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
