import { ONLY_WHEN } from '../contract/conditions.ts';
import { joinPointer } from '../pointer.ts';
import { type Documented, documentedAt, documentedItems, type SchemaOptions, says } from './documented.ts';
import type { Seen } from './seen.ts';
import { withKin } from './unite.ts';

export interface Body {
  seen: Seen;
  readonly known: Documented | undefined;
  readonly options: SchemaOptions;
}

/** An object of a documented schema, and how it is replaced by what is known of it. */
interface Place {
  readonly schema: string;
  readonly seen: Seen;
  readonly conditional: ReadonlySet<string>;
  set(seen: Seen): void;
}

/** What a field does in a list and in the single object, where both are of one schema of the reference, is learned together. */
export function learnTogether(bodies: readonly Body[]): void {
  const places = bodies.flatMap((body) => [
    ...placesIn(body.seen, body.known, '', body.options, (seen) => {
      body.seen = seen;
    }),
  ]);
  // The innermost first: what is put in its place is then part of what is around it.
  for (const kin of Map.groupBy(places.reverse(), ({ schema }) => schema).values()) {
    let known = kin.map(({ seen }) => seen);
    // Twice: what the first round gave to one counts for the others, so that recording the same again changes nothing.
    for (let round = 1; round <= 2; round += 1) {
      const before = known;
      known = kin.map(({ seen, conditional }, index) =>
        before.reduce(
          (own, other, at) => (at === index ? own : withKin(own, other, conditional)),
          before[index] ?? seen,
        ),
      );
    }
    for (const [index, { set, seen }] of kin.entries()) set(known[index] ?? seen);
  }
}

function* placesIn(
  seen: Seen,
  known: Documented | undefined,
  at: string,
  options: SchemaOptions,
  set: (seen: Seen) => void,
): Iterable<Place> {
  const schema = known?.parts.find(({ pointer }) => /^\/components\/schemas\/[^/]+$/.test(pointer))?.pointer;
  const documentedOf = (name: string): Documented | undefined =>
    documentedAt(options.contract, known?.properties.get(name) ?? []);
  if (schema !== undefined && seen.types.has('object')) {
    const conditional = [...(known?.properties.keys() ?? [])].filter((name) => says(documentedOf(name), ONLY_WHEN));
    yield { schema, seen, conditional: new Set(conditional), set };
  }
  for (const [name, field] of seen.fields) {
    yield* placesIn(field.seen, documentedOf(name), joinPointer(at, name), options, (one) => {
      field.seen = one;
    });
  }
  if (seen.items === null) return;
  const inside = `${at}/*`;
  yield* placesIn(seen.items, documentedItems(known, inside, options), inside, options, (one) => {
    seen.items = one;
  });
}
