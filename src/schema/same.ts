import { joinPointer, pointerOfReference } from '../text/pointer.ts';
import { sortedText } from '../text/sorted-text.ts';
import { isObject, type Json } from './json.ts';
import { ASSERTIONS } from './keywords.ts';
import type { SchemaSide } from './side.ts';
import { kindOfChild } from './structure.ts';

/**
 * Whether two schemas have the same text, apart from annotations and from the names of referenced schemas.
 * @param ignored keywords of the two schemas that do not count
 */
export type Same = (before: string, after: string, ignored?: ReadonlySet<string>) => boolean;

/** Two documents in one direction: what is valid by `from` and invalid by `to` is lost. */
export interface View {
  readonly from: SchemaSide;
  readonly to: SchemaSide;
  readonly same: Same;
}

/** Keywords whose schemas apply to the same value, so they are parts of a case themselves. */
export const IN_PLACE: ReadonlySet<string> = new Set(['$ref', 'allOf', 'anyOf', 'oneOf']);

interface Pair {
  readonly one: string;
  readonly other: string;
  readonly ignored?: ReadonlySet<string> | undefined;
  /** The pair around it. */
  readonly outer: Pair | undefined;
}

export function createSame(before: SchemaSide, after: SchemaSide): Same {
  const known = new Map<string, boolean>();
  return (one, other, ignored) => {
    // A pair in progress counts as the same. If the schemas turn out to differ, nothing was learned from that.
    const assumed: string[] = [];
    const pairs: Pair[] = [{ one, other, ignored, outer: undefined }];
    // the loop also visits the pairs that it adds, because a chain of schemas may be longer than the stack
    for (const pair of pairs) {
      const key = keyOf(pair);
      const found = known.get(key);
      if (found === true) continue;
      known.set(key, true);
      assumed.push(key);
      if (found === undefined && isLike(pair, pairs)) continue;
      for (const wrong of assumed) known.delete(wrong);
      for (let at: Pair | undefined = pair; at !== undefined; at = at.outer) known.set(keyOf(at), false);
      return false;
    }
    return true;
  };

  /** Whether two schemas are the same, apart from the schemas inside them. Adds the pairs of those. */
  function isLike(outer: Pair, pairs: Pair[]): boolean {
    const [x, y] = [before.at(outer.one), after.at(outer.other)];
    if (!isObject(x) || !isObject(y)) return !isObject(x) && !isObject(y) && (x === false) === (y === false);
    return ASSERTIONS.every((word) => outer.ignored?.has(word) || isLikeWord(word, x[word], y[word]));

    function isLikeWord(word: string, own: Json | undefined, others: Json | undefined): boolean {
      if (own === undefined || others === undefined) return own === others;
      const inside = (...path: (string | number)[]): unknown =>
        pairs.push({
          one: joinPointer(outer.one, word, ...path),
          other: joinPointer(outer.other, word, ...path),
          outer,
        });
      if (word === '$ref') {
        const [from, to] = [own, others].map((reference) => pointerOfReference(String(reference)));
        if (from !== undefined && to !== undefined) pairs.push({ one: from, other: to, outer });
        return from !== undefined && to !== undefined;
      }
      const kind = kindOfChild('schema', word);
      if (kind !== 'schema' && !/:schema$/.test(kind)) return sortedText(own) === sortedText(others);
      if (kind === 'schema') return inside() !== undefined;
      const names = Object.keys(own ?? {});
      for (const name of names) inside(name);
      return (
        names.length === Object.keys(others ?? {}).length &&
        names.every((name) => Object.hasOwn(others as object, name))
      );
    }
  }
}

function keyOf({ one, other, ignored }: Pair): string {
  return [one, other, ...(ignored ?? [])].join('\n');
}
