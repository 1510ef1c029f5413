import type { ErrorObject } from 'ajv/dist/2020.js';
import { type AllowedKind, type AllowedValues, allowedBy, type DiffSide, isPossible } from '../judge/allowed-values.ts';
import type { Schemas } from '../judge/schemas.ts';
import { combinationsAt, targetOf } from '../schema/cases.ts';
import { isObject, type Json } from '../schema/json.ts';
import { numberFor, satisfiesFacts, textFor } from '../schema/scalars.ts';
import { formsWritten, keywordOf } from '../schema/string-forms.ts';
import { joinPointer } from '../text/pointer.ts';
import { isBeyondExamples } from './answers.ts';

/** Placeholders for a text and a number if no made-up value fits the schemas. Only their type counts. */
const ANY_TEXT = 'any text that fits its schemas';
const ANY_NUMBER = 98_765_432_101;
/** No int32. A document may allow it. */
const LARGE = 1e15;

/** Branches of a `oneOf` often overlap by mistake, so more than one may match. */
export function isNotCompared(error: ErrorObject): boolean {
  const { keyword, data, params } = error;
  const isPlaceholder = data === ANY_TEXT || data === ANY_NUMBER;
  const overlaps = keyword === 'oneOf' && params.passingSchemas !== null;
  return isBeyondExamples(error) || overlaps || (isPlaceholder && keyword !== 'type');
}

const MOST_VALUES = 50_000;
const DEEPEST = 64;
const MOST_CASES = 1000;

class TooMany extends Error {}

/** Examples that cover everything the schemas allow. Recursion appears once per path. Null if there are too many. */
export function examplesOf(side: DiffSide, schemas: Schemas, pointers: readonly string[]): readonly Json[] | null {
  const around = new Set<string>();
  let made = 0;
  try {
    return examplesAt(pointers, '', 0);
  } catch (error) {
    if (error instanceof TooMany) return null;
    throw error;
  }

  function examplesAt(pointers: readonly string[], at: string, depth: number): Json[] {
    const targets = pointers.map((pointer) => targetOf(side.contract, pointer));
    const key = targets.join('\n');
    if (around.has(key)) return [];
    if (depth > DEEPEST) throw new TooMany();
    around.add(key);
    const examples = cases(targets).flatMap((given) => {
      const { kinds } = given;
      // a bundle without a type allows null
      if (kinds.length === 0) return side.recording ? [] : [null];
      return kinds.flatMap((kind) => ofKind(kind, given, at, depth));
    });
    around.delete(key);
    made += examples.length;
    if (made > MOST_VALUES) throw new TooMany();
    // A recording may contradict the reference that it is part of.
    if (side.recording) return examples;
    return examples.filter((example) => targets.every((pointer) => schemas.problems(pointer, example).length === 0));
  }

  function cases(pointers: readonly string[]): AllowedValues[] {
    const all = combinationsAt(side.contract, pointers)
      .take(MOST_CASES + 1)
      .toArray();
    if (all.length > MOST_CASES) throw new TooMany();
    const possible = all.filter((one) => isPossible(side, one));
    return (possible.length > 0 ? possible : all).map((one) => allowedBy(side, one));
  }

  function ofKind(kind: AllowedKind, given: AllowedValues, at: string, depth: number): Json[] {
    if (kind.value !== undefined) return [kind.value];
    switch (kind.type) {
      case 'object':
        return objects(given, at, depth);
      case 'array':
        return lists(given, at, depth);
      case 'boolean':
        return [true, false];
      case 'null':
        return [null];
      default:
        return scalars(kind, at);
    }
  }

  function scalars({ type, facts }: AllowedKind, at: string): Json[] {
    const { parts } = facts;
    // A format that all texts had so far counts, even if they were too few for a rule.
    const [form] = parts.flatMap(({ schema: { 'x-seen': seen } }) =>
      isObject(seen) ? [...formsWritten({ form: seen.form })] : [],
    );
    const words = new Map([...facts.words, ...Object.entries(form === undefined ? {} : keywordOf(form))]);
    const [made, arbitrary] =
      type === 'string' ? [textWith(words, at), ANY_TEXT] : [numberFor(words, type, 0), ANY_NUMBER];
    const example = satisfiesFacts({ words, values: null }, made) ? made : arbitrary;
    return side.recording || type === 'string' ? [example] : [example, LARGE];
  }

  function lists({ items }: AllowedValues, at: string, depth: number): Json[] {
    const all = items.flatMap((schemas) => examplesAt(schemas, `${at}/*`, depth + 1));
    return all.length > 1 ? [all, all.slice(0, 1)] : [all];
  }

  /** All fields are in each object except the last two. Each optional field is absent from one of those two. */
  function objects({ fields, always, others }: AllowedValues, at: string, depth: number): Json[] {
    const named = [...fields].map(([name, own]) => [name, examplesAt(own, joinPointer(at, name), depth + 1)] as const);
    const keyed = others.map(
      ({ names, schemas: own }) =>
        [names.size === 0 ? '*' : textFor(names, at, 0), examplesAt(own, `${at}/*`, depth + 1)] as const,
    );
    const shown = [...named, ...keyed].filter(([name, examples]) => examples.length > 0 || always.has(name));
    const length = Math.max(1, ...shown.map(([, examples]) => examples.length));
    const object = (index: number, isThere: (name: string) => boolean = () => true): Json =>
      Object.fromEntries(
        shown
          .filter(([name]) => isThere(name))
          .map(([name, examples]) => [name, examples[Math.min(index, examples.length - 1)] ?? null]),
      );
    const optional = shown.map(([name]) => name).filter((name) => !always.has(name));
    const halves = optional.length === 0 ? [] : [0, 1];
    return [
      ...Array.from({ length }, (_, index) => object(index)),
      ...halves.map((half) => object(length, (name) => always.has(name) || optional.indexOf(name) % 2 !== half)),
    ];
  }
}

/** A date-time has another offset, unless a pattern requires UTC. */
function textWith(words: ReadonlyMap<string, Json>, at: string): string {
  const isOfAnyOffset = words.get('format') === 'date-time' && !words.has('pattern');
  return isOfAnyOffset ? '2030-01-31T13:00:00+01:00' : textFor(words, at, 0);
}
