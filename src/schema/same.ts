import { joinPointer, pointerOfReference } from '../text/pointer.ts';
import { sortedText } from '../text/sorted-text.ts';
import { isObject, listOf } from './json.ts';
import type { SchemaSide } from './side.ts';
import { kindOfChild } from './structure.ts';

/** The keywords that can reject a value, with `dependencies` of earlier drafts. All others are annotations. */
export const ASSERTIONS: readonly string[] = [
  ...['$ref', '$dynamicRef', 'type', 'enum', 'const', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'format'],
  ...['prefixItems', 'items', 'unevaluatedItems', 'minItems', 'maxItems', 'uniqueItems'],
  ...['contains', 'minContains', 'maxContains', 'dependencies', 'dependentRequired', 'dependentSchemas'],
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'propertyNames'],
  ...['required', 'minProperties', 'maxProperties'],
];

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

export function createSame(before: SchemaSide, after: SchemaSide): Same {
  const known = new Map<string, boolean>();
  return (one, other, ignored) => {
    // A pair in progress counts as the same. If the schemas turn out to differ, nothing was learned from that.
    const assumed: string[] = [];
    const isSame = compared(one, other, assumed, ignored);
    if (!isSame) for (const key of assumed) if (known.get(key) === true) known.delete(key);
    return isSame;
  };

  function compared(one: string, other: string, assumed: string[], ignored?: ReadonlySet<string>): boolean {
    const key = [one, other, ...(ignored ?? [])].join('\n');
    const found = known.get(key);
    if (found !== undefined) return found;
    known.set(key, true);
    assumed.push(key);
    const [x, y] = [before.at(one), after.at(other)];
    const isSame =
      isObject(x) && isObject(y)
        ? ASSERTIONS.every((word) => ignored?.has(word) || sameWord(word, x[word], y[word]))
        : !isObject(x) && !isObject(y) && (x === false) === (y === false);
    if (!isSame) known.set(key, false);
    return isSame;

    function sameWord(word: string, own: unknown, others: unknown): boolean {
      if (own === undefined || others === undefined) return own === others;
      const inside = (...path: (string | number)[]): boolean =>
        compared(joinPointer(one, word, ...path), joinPointer(other, word, ...path), assumed);
      if (word === '$ref') return sameTarget(String(own), String(others));
      const kind = kindOfChild('schema', word);
      if (kind === 'schema') return inside();
      if (kind === 'list:schema') {
        const [all, same] = [listOf(own as never), listOf(others as never)];
        return all.length === same.length && all.every((_, index) => inside(index));
      }
      if (kind !== 'map:schema' || !isObject(own) || !isObject(others)) return sortedText(own) === sortedText(others);
      const names = Object.keys(own);
      return (
        names.length === Object.keys(others).length &&
        names.every((name) => Object.hasOwn(others, name) && inside(name))
      );
    }

    function sameTarget(own: string, others: string): boolean {
      const [from, to] = [pointerOfReference(own), pointerOfReference(others)];
      return from !== undefined && to !== undefined && compared(from, to, assumed);
    }
  }
}
