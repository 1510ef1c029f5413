import { patternOf } from '../patterns/pattern.ts';
import { joinPointer, pointerOfReference } from '../text/pointer.ts';
import { sortedText } from '../text/sorted-text.ts';
import { admits, isObject, type Json, type JsonType, listOf, objectOf, typeOf } from './json.ts';
import { ASSERTIONS } from './keywords.ts';
import { type Part, partsAt, type Schemas } from './parts.ts';
import { IN_PLACE } from './same.ts';
import type { SchemaSide } from './side.ts';

/** Values of one type that match the same branches, or one value. */
export interface Case {
  readonly type: JsonType;
  readonly value?: Json;
  readonly parts: readonly Part[];
}

export interface Cases {
  readonly cases: readonly Case[];
  /** The `oneOf` keywords that apply, each with its branches. */
  readonly choices: ReadonlyMap<string, readonly string[]>;
}

const BASIC: readonly JsonType[] = ['null', 'boolean', 'number', 'string', 'array', 'object'];
const MOST_CASES = 200;

/** The schema that a plain reference leads to, so that a recursive schema has one pointer. */
export function targetOf(side: Schemas, pointer: string): string {
  const schema = side.at(pointer);
  if (!isObject(schema) || typeof schema.$ref !== 'string') return pointer;
  const target = pointerOfReference(schema.$ref);
  const isPlain = ASSERTIONS.every((word) => word === '$ref' || schema[word] === undefined);
  return isPlain && target !== undefined ? targetOf(side, target) : pointer;
}

/** The parts that do more than refer to others. */
export function ownParts(parts: readonly Part[]): Part[] {
  return parts.filter(({ schema }) => ASSERTIONS.some((word) => !IN_PLACE.has(word) && schema[word] !== undefined));
}

const ALTERNATIVES = ['anyOf', 'oneOf'] as const;

/** The combinations of schemas that may apply together, with one branch of each choice. */
export function* combinationsAt(
  side: Schemas,
  pointers: readonly string[],
  settled: ReadonlySet<string> = new Set(),
): Generator<readonly string[]> {
  const choices = partsAt(side, pointers).flatMap(({ pointer, schema }) =>
    ALTERNATIVES.map((word) => [joinPointer(pointer, word), listOf(schema[word])] as const),
  );
  const open = choices.find(([choice, branches]) => branches.length > 0 && !settled.has(choice));
  if (open === undefined) yield pointers;
  const [choice = '', branches = []] = open ?? [];
  for (const index of branches.keys())
    yield* combinationsAt(side, [...pointers, joinPointer(choice, index)], new Set([...settled, choice]));
}

/** What the schemas at some pointers allow together, one case per branch, type or listed value. Null if too many. */
export function casesAt(side: SchemaSide, pointers: readonly string[]): Cases | null {
  const cases = new Map<string, Case>();
  const choices = new Map<string, readonly string[]>();
  let combinations = 0;
  for (const own of combinationsAt(side, pointers)) {
    combinations += 1;
    const parts = partsAt(side, own);
    for (const { pointer, schema } of parts)
      if (schema.oneOf !== undefined)
        choices.set(
          joinPointer(pointer, 'oneOf'),
          listOf(schema.oneOf).map((_, index) => joinPointer(pointer, 'oneOf', index)),
        );
    for (const one of plainCases(side, parts)) {
      const key = sortedText('value' in one ? ['value', one.value] : [one.type, parts.map(({ pointer }) => pointer)]);
      cases.set(key, one);
    }
    if (Math.max(cases.size, combinations) > MOST_CASES) return null;
  }
  return { cases: [...cases.values()], choices };
}

/** Whether two cases may allow the same value. @param asText whether a text can stand for a number */
export function isComparable({ type }: Case, other: Case, asText = false): boolean {
  const isNumber = (one: JsonType): boolean => one === 'integer' || one === 'number';
  const types = [type, other.type];
  return type === other.type || types.every((one) => isNumber(one) || (asText && one === 'string'));
}

/** Whether the case allows every value of its type. */
export function isAnything({ parts }: Case): boolean {
  return parts.every(({ schema }) =>
    ASSERTIONS.every((word) => word === 'type' || IN_PLACE.has(word) || schema[word] === undefined),
  );
}

function plainCases(side: SchemaSide, parts: readonly Part[]): Case[] {
  const holds = (value: Json): boolean => parts.every(({ pointer }) => side.accepts(pointer, value));
  const ofValues = (values: readonly Json[]): Case[] =>
    values.filter(holds).map((value) => ({ type: typeOf(value), value, parts }));
  for (const { schema } of parts) {
    if (schema.const !== undefined) return ofValues([schema.const]);
    if (schema.enum !== undefined) return ofValues(listOf(schema.enum));
  }
  return typesOf(parts).flatMap((type) => {
    if (type === 'null') return ofValues([null]);
    return type === 'boolean' ? ofValues([true, false]) : [{ type, parts }];
  });
}

/** The types that all parts allow; none if no value matches them all. */
export function typesOf(parts: readonly Part[]): readonly JsonType[] {
  const stated = parts.flatMap(({ schema: { type } }) => (type === undefined ? [] : [[type].flat() as string[]]));
  const both = (types: readonly JsonType[], own: readonly string[]): JsonType[] =>
    types.flatMap((type) => {
      if (admits(own, type)) return [type];
      return type === 'number' && own.includes('integer') ? ['integer'] : [];
    });
  return stated.reduce(both, BASIC);
}

/** How one schema describes the members of an object: the pointers of their schemas. */
export interface Members {
  readonly named: ReadonlyMap<string, string | null>;
  readonly patterns: ReadonlyMap<string, string | null>;
  readonly rest: string | null;
}

export type MemberName = { readonly name: string } | { readonly pattern: string } | 'other';

export function membersOf(side: SchemaSide, parts: readonly Part[]): Members[] {
  return parts.flatMap((part) => {
    const { pointer, schema } = part;
    const own: Members = {
      named: pointersIn(part, 'properties'),
      patterns: pointersIn(part, 'patternProperties'),
      rest: schema.additionalProperties === undefined ? null : joinPointer(pointer, 'additionalProperties'),
    };
    const within = schema.unevaluatedProperties === undefined ? [] : partsAt(side, [pointer]);
    const words = ['additionalProperties', 'unevaluatedProperties'];
    const isEvaluated = within.some((one) =>
      words.some((word) => one.schema[word] !== undefined && (one.pointer !== pointer || word !== words[1])),
    );
    if (within.length === 0 || isEvaluated || !isStatic(within)) return [own];
    const known = (word: string): Map<string, null> =>
      new Map(within.flatMap((one) => [...pointersIn(one, word).keys()].map((name) => [name, null] as const)));
    const unevaluated = {
      named: known('properties'),
      patterns: known('patternProperties'),
      rest: joinPointer(pointer, 'unevaluatedProperties'),
    };
    return [own, unevaluated];
  });
}

/** Whether the same keywords apply to every value, so that it is clear which members and items are evaluated. */
export function isStatic(parts: readonly Part[]): boolean {
  const words = ['anyOf', 'oneOf', 'if', 'dependentSchemas', 'contains', '$dynamicRef'];
  return parts.every(({ schema }) => words.every((word) => schema[word] === undefined));
}

/** The schemas of a member. `pattern` stands for the names that match only this pattern. */
export function schemasOf(all: readonly Members[], member: MemberName): string[] {
  return all.flatMap(({ named, patterns, rest }) => {
    const own =
      member === 'other'
        ? []
        : 'pattern' in member
          ? [patterns.get(member.pattern)]
          : [
              named.get(member.name),
              ...[...patterns].flatMap(([source, at]) => (patternOf(source).test(member.name) ? [at] : [])),
            ];
    const matching = own.filter((at) => at !== undefined);
    return (matching.length > 0 ? matching : [rest]).filter((at) => at !== null);
  });
}

function pointersIn({ pointer, schema }: Part, word: string): Map<string, string> {
  const map = schema[word];
  return new Map(Object.keys(objectOf(map)).map((name) => [name, joinPointer(pointer, word, name)]));
}

/** The schemas of an item; of all items after the listed ones for an index at the end of each `prefixItems`. */
export function itemsOf(side: SchemaSide, parts: readonly Part[], index: number): string[] {
  return parts.flatMap(({ pointer, schema }) => {
    const own = itemIn({ pointer, schema }, index);
    if (schema.unevaluatedItems === undefined) return own;
    const within = partsAt(side, [pointer]);
    const isEvaluated = within.some(
      (one) => itemIn(one, index).length > 0 || (one.pointer !== pointer && one.schema.unevaluatedItems !== undefined),
    );
    return isEvaluated || !isStatic(within) ? own : [...own, joinPointer(pointer, 'unevaluatedItems')];
  });
}

function itemIn({ pointer, schema }: Part, index: number): string[] {
  if (index < listOf(schema.prefixItems).length) return [joinPointer(pointer, 'prefixItems', index)];
  return schema.items === undefined ? [] : [joinPointer(pointer, 'items')];
}
