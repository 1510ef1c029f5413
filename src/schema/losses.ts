import { joinPointer } from '../text/pointer.ts';
import { sortedText } from '../text/sorted-text.ts';
import { isMultipleOf } from '../validators/multiple-of.ts';
import { type Case, isStatic, itemsOf, type MemberName, membersOf, schemasOf } from './cases.ts';
import { isObject, type Json, listOf } from './json.ts';
import { type Part, partsAt } from './parts.ts';
import type { View } from './same.ts';

/** How certain it is that a valid value of one side is invalid on the other side. */
export const NO = 0;
export const MAYBE = 1;
export const YES = 2;
export type Degree = typeof NO | typeof MAYBE | typeof YES;

export interface Loss {
  /** The keyword that the value breaks; `type` for listed values and alternatives, too. */
  readonly keyword: string;
  /** Pointer into the value, relative to the compared one; `*` for items and for members without a name. */
  readonly at: string;
  readonly degree: Degree;
  /** What each side allows, from the losing side on. Equal texts for something else of the same kind. */
  readonly texts: readonly [string, string];
  /** Pointer into each document. */
  readonly sources: readonly [string, string];
}

/** Schemas that must be compared next. */
export interface Step {
  readonly at: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** A keyword whose inner losses are one loss of the keyword itself. */
  readonly as?: string;
  /** A member that the losing side does not name and does not restrict. */
  readonly isNew?: true;
}

const INTEGERS: ReadonlySet<Json> = new Set(['int32', 'int64']);
/** Formats that every value of their type has. */
const FREE: ReadonlySet<Json> = new Set(['password', 'binary', 'float', 'double']);

/** What a case loses in another case of its type, keyword by keyword. */
export function lossesOf(view: View, from: Case, to: Case): { readonly losses: Loss[]; readonly steps: Step[] } {
  const losses: Loss[] = [];
  const steps: Step[] = [];
  const type = to.type === 'integer' ? to.type : from.type;
  if (from.type !== to.type && to.type === 'integer') lose('type', YES, [from.type, to.type]);
  if (type === 'number' || type === 'integer') numbers();
  if (type === 'string') strings();
  if (type === 'array') arrays();
  if (type === 'object') objects();
  conditions();
  return { losses, steps };

  function lose(keyword: string, degree: Degree, texts: Loss['texts'] = [keyword, keyword], at = ''): void {
    if (degree !== NO)
      losses.push({ keyword, at, degree, texts, sources: [sourceIn(from, keyword), sourceIn(to, keyword)] });
  }

  function numbers(): void {
    limit('minimum', 1, 'exclusiveMinimum');
    limit('maximum', -1, 'exclusiveMaximum');
    const factors = valuesOf(to, 'multipleOf') as number[];
    const known = [...(valuesOf(from, 'multipleOf') as number[]), ...(from.type === 'integer' ? [1] : [])];
    const isMet = factors.every((factor) => known.some((one) => isMultipleOf(one, factor)));
    lose('multipleOf', isMet ? NO : YES, textsOf('multipleOf'));
    words('format', (format) => INTEGERS.has(format));
  }

  function strings(): void {
    limit('minLength', 1);
    limit('maxLength', -1);
    words('pattern', () => true, MAYBE);
    words('format', (format) => !INTEGERS.has(format) && !FREE.has(format));
  }

  function textsOf(keyword: string): [string, string] {
    const text = (one: Case): string => {
      const values = valuesOf(one, keyword);
      return values.length === 0 ? `no ${keyword}` : `${keyword} ${[...new Set(values)].join(' and ')}`;
    };
    return [text(from), text(to)];
  }

  /** @param other how certain a loss is if the losing side has other words of the keyword */
  function words(keyword: string, counts: (word: Json) => boolean, other: Degree = YES): void {
    const known = new Set(valuesOf(from, keyword).filter(counts));
    const wanted = new Set(valuesOf(to, keyword).filter(counts));
    if (known.has('int32')) wanted.delete('int64');
    if (wanted.isSubsetOf(known)) return;
    lose(keyword, known.isSubsetOf(wanted) ? YES : other, textsOf(keyword));
  }

  /** @param sign 1 for a lower limit, -1 for an upper one */
  function limit(keyword: string, sign: 1 | -1, exclusive = ''): void {
    const strictest = (one: Case): Limit | null => {
      const isWhole = from.type === 'integer' || exclusive === '';
      const limits = [keyword, exclusive].flatMap((word) =>
        valuesOf(one, word).map((value) => limitAt(Number(value), word === exclusive, sign, isWhole)),
      );
      const [first] = limits.toSorted((a, b) => sign * (b.value - a.value) || Number(b.isOpen) - Number(a.isOpen));
      // counts start at 0
      return first === undefined || (exclusive === '' && sign * first.value <= 0 && sign > 0) ? null : first;
    };
    const [known, wanted] = [strictest(from), strictest(to)];
    const distance = known && wanted ? sign * (wanted.value - known.value) : Number(wanted !== null);
    const isStricter = distance > 0 || (distance === 0 && wanted?.isOpen === true && known?.isOpen === false);
    const text = (one: Limit | null): string =>
      one ? `${one.isOpen ? exclusive : keyword} ${one.value}` : `no ${keyword}`;
    lose(keyword, isStricter ? YES : NO, [text(known), text(wanted)]);
  }

  function arrays(): void {
    limit('minItems', 1);
    limit('maxItems', -1);
    const isUnique = (one: Case): boolean => valuesOf(one, 'uniqueItems').includes(true);
    lose('uniqueItems', isUnique(to) && !isUnique(from) ? YES : NO, ['any items', 'different items']);
    containing();
    const longest = Math.max(...[from, to].flatMap(({ parts }) => parts.map(prefixOf)), 0);
    for (let index = 0; index <= longest; index += 1)
      steps.push({ at: '/*', from: itemsOf(view.from, from.parts, index), to: itemsOf(view.to, to.parts, index) });
    unevaluated('unevaluatedItems');
  }

  function containing(): void {
    const counted = (one: Case): Part[] =>
      having(one, 'contains').filter(({ schema }) => schema.minContains !== 0 || schema.maxContains !== undefined);
    const limits = ({ schema }: Part): string => sortedText([schema.minContains, schema.maxContains]);
    const isSame = (one: Part, other: Part): boolean => limits(one) === limits(other) && sameIn('contains')(one, other);
    const [was, is] = unmatched(counted(from), counted(to), isSame);
    const [one, other] = [was[0]?.schema, is[0]?.schema];
    const isPlain = [...was, ...is].every(({ schema }) => schema.maxContains === undefined);
    if (!one || !other || was.length + is.length > 2 || !isPlain) {
      lose('contains', onlyIn(was, is));
      return;
    }
    const [least, now] = [Number(one.minContains ?? 1), Number(other.minContains ?? 1)];
    lose('minContains', now > least ? YES : NO, [`minContains ${least}`, `minContains ${now}`]);
    stepInto('contains', was, is);
  }

  function objects(): void {
    limit('minProperties', 1);
    limit('maxProperties', -1);
    const [own, foreign] = [membersOf(view.from, from.parts), membersOf(view.to, to.parts)];
    const all = [...own, ...foreign];
    const names = new Set(all.flatMap(({ named }) => [...named.keys()]));
    const patterns = new Set(all.flatMap((one) => [...one.patterns.keys()]));
    const members: [at: string, member: MemberName][] = [
      ...[...names].map((name): [string, MemberName] => [joinPointer('', name), { name }]),
      ...[...patterns].map((pattern): [string, MemberName] => ['/*', { pattern }]),
      ['/*', 'other'],
    ];
    for (const [at, member] of members) {
      const known = schemasOf(own, member);
      const isNew = at !== '/*' && known.length === 0;
      steps.push({ at, from: known, to: schemasOf(foreign, member), ...(isNew && { isNew }) });
    }
    // A name can match several patterns. Then a schema without one of them applies less than it seems above.
    if (!all.every((one) => one.patterns.size === 0 || one.patterns.size === patterns.size))
      lose('patternProperties', MAYBE);
    required();
    stepInto('propertyNames', from.parts, to.parts);
    unevaluated('unevaluatedProperties');
  }

  function required(): void {
    const names = (one: Case): Set<string> =>
      new Set(one.parts.flatMap(({ schema }) => listOf(schema.required).map(String)));
    for (const name of names(to).difference(names(from))) {
      const sources = [memberIn(from, name), memberIn(to, name)] as const;
      losses.push({
        keyword: 'required',
        at: joinPointer('', name),
        degree: YES,
        texts: ['optional', 'required'],
        sources,
      });
    }
    const dependent = (one: Case): string[] =>
      valuesOf(one, 'dependentRequired').flatMap((all) =>
        Object.entries(all as object).flatMap(([name, others]) =>
          (others as string[]).map((other) => `${name} ${other}`),
        ),
      );
    const isMet = new Set(dependent(to)).isSubsetOf(new Set(dependent(from)));
    lose('dependentRequired', isMet ? NO : YES);
    const keys = [from, to].flatMap((one) =>
      valuesOf(one, 'dependentSchemas').flatMap((all) => Object.keys(all as object)),
    );
    for (const name of new Set(keys)) stepInto('dependentSchemas', from.parts, to.parts, name);
  }

  /** What is unevaluated depends on the value, if branches apply. Such schemas are compared as a whole. */
  function unevaluated(keyword: string): void {
    const varying = (one: Case, side: View['from']): Part[] =>
      having(one, keyword).filter(({ pointer }) => !isStatic(partsAt(side, [pointer])));
    const isSame = (one: Part, other: Part): boolean => view.same(one.pointer, other.pointer);
    const [was, is] = unmatched(varying(from, view.from), varying(to, view.to), isSame);
    lose(keyword, was.length + is.length > 0 ? MAYBE : NO);
  }

  /** The keywords for values of every type. */
  function conditions(): void {
    const [wasNot, isNot] = unmatched(having(from, 'not'), having(to, 'not'), sameIn('not'));
    if (wasNot.length === 1 && isNot.length === 1) stepInto('not', wasNot, isNot);
    else lose('not', onlyIn(wasNot, isNot));
    const [wasIf, isIf] = unmatched(having(from, 'if'), having(to, 'if'), sameIn('if', 'then', 'else'));
    const isOneCondition =
      wasIf.length === 1 && isIf.length === 1 && unmatched(wasIf, isIf, sameIn('if'))[0].length === 0;
    if (!isOneCondition) lose('if', onlyIn(wasIf, isIf));
    else for (const word of ['then', 'else']) stepInto(word, wasIf, isIf);
    for (const word of ['dependencies', '$dynamicRef']) {
      const isSame = (one: Part, other: Part): boolean =>
        sortedText(one.schema[word]) === sortedText(other.schema[word]);
      const [was, is] = unmatched(having(from, word), having(to, word), isSame);
      lose(word, was.length + is.length > 0 ? MAYBE : NO);
    }
  }

  function sameIn(...keywords: string[]): (one: Part, other: Part) => boolean {
    return (one, other) =>
      keywords.every((word) => view.same(joinPointer(one.pointer, word), joinPointer(other.pointer, word)));
  }

  function stepInto(word: string, was: readonly Part[], is: readonly Part[], ...inside: string[]): void {
    const at = (parts: readonly Part[], side: View['from']): string[] =>
      parts.map(({ pointer }) => joinPointer(pointer, word, ...inside)).filter((one) => side.at(one) !== undefined);
    const [own, foreign] = [at(was, view.from), at(is, view.to)];
    if (own.length + foreign.length > 0) steps.push({ at: '', from: own, to: foreign, as: word });
  }
}

/** A condition of one side alone restricts it. Different conditions of both sides are not comparable. */
function onlyIn(was: readonly Part[], is: readonly Part[]): Degree {
  if (is.length === 0) return NO;
  return was.length > 0 ? MAYBE : YES;
}

function unmatched<T>(
  ones: readonly T[],
  others: readonly T[],
  isSame: (one: T, other: T) => boolean,
): [ones: T[], others: T[]] {
  return [
    ones.filter((one) => !others.some((other) => isSame(one, other))),
    others.filter((other) => !ones.some((one) => isSame(one, other))),
  ];
}

function having({ parts }: Case, word: string): Part[] {
  return parts.filter(({ schema }) => schema[word] !== undefined);
}

function valuesOf(one: Case, word: string): Json[] {
  return having(one, word).map(({ schema }) => schema[word] ?? null);
}

function sourceIn(one: Case, keyword: string): string {
  const [part] = having(one, keyword);
  return part === undefined ? (one.parts[0]?.pointer ?? '') : joinPointer(part.pointer, keyword);
}

function memberIn(one: Case, name: string): string {
  const part = having(one, 'properties').find(
    ({ schema }) => isObject(schema.properties) && Object.hasOwn(schema.properties, name),
  );
  return part === undefined ? sourceIn(one, 'required') : joinPointer(part.pointer, 'properties', name);
}

function prefixOf({ schema }: Part): number {
  return listOf(schema.prefixItems).length;
}

interface Limit {
  readonly value: number;
  readonly isOpen: boolean;
}

/** Of whole numbers, `exclusiveMinimum: 0` and `minimum: 0.5` are the same as `minimum: 1`. */
function limitAt(value: number, isOpen: boolean, sign: 1 | -1, isWhole: boolean): Limit {
  if (!isWhole) return { value, isOpen };
  return { value: sign * (isOpen ? Math.floor(sign * value) + 1 : Math.ceil(sign * value)), isOpen: false };
}
