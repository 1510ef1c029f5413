import { type Case, type Cases, casesAt, isAnything, isComparable, ownParts, targetOf } from './cases.ts';
import { areExclusive } from './exclusive.ts';
import { JSON_TYPES, type Json } from './json.ts';
import { type Degree, type Loss, lossesOf, MAYBE, NO, type Step, YES } from './losses.ts';
import { type Part, partsAt } from './parts.ts';
import { createSame, IN_PLACE, type View } from './same.ts';
import type { SchemaSide } from './side.ts';

/** How the values that the later schema allows relate to those of the earlier one. */
export type Relation = 'equal' | 'narrower' | 'wider' | 'both' | 'unknown';

/** All changes of one place. */
export interface Difference {
  /** Pointer into the value, with `*` for items and for members without a name. */
  readonly at: string;
  readonly relation: Exclude<Relation, 'equal'>;
  readonly expected: string;
  readonly actual: string;
  /** Pointer into the earlier document. */
  readonly source: string;
  /** True for a member that the earlier schema allows only because it allows any member. */
  readonly isNew: boolean;
  /** How certain it is that the later schema allows a value that the earlier one does not. */
  readonly gained: Degree;
}

export interface Comparison {
  /** Never `equal` or `wider` if a valid value of the earlier schema is invalid by the later one. */
  readonly relation: Relation;
  readonly differences: readonly Difference[];
}

/** Compares what the schemas at some pointers allow together. Without a pointer, any value is allowed. */
export type Compare = (before: readonly string[], after: readonly string[], options?: CompareOptions) => Comparison;

export interface CompareOptions {
  /** Whether numbers and booleans are written as texts, as in a query. A text can then replace them. */
  readonly asText?: boolean;
  /** Lists the differences of these keywords only. */
  readonly only?: ReadonlySet<string>;
}

const MOST_PLACES = 20_000;
const DEEPEST = 500;
const MOST_DIFFERENCES = 500;

/** The schemas of one place in one direction. The degree rises until it is stable, so recursion ends. */
interface Place {
  readonly view: View;
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly asText: boolean;
  readonly losses: Loss[];
  readonly unmatched: Unmatched[];
  degree: Degree;
}

/** A case of the losing side, and the cases of the other side that may allow the same values. */
interface Unmatched {
  readonly pairs: readonly Pair[];
  /** The pair with the case that replaced it, if that is clear. */
  readonly partner: Pair | undefined;
  /** `MAYBE` if more cases replaced it, because they may allow the same values together. */
  readonly degree: Degree;
}

interface Pair {
  readonly losses: readonly Loss[];
  readonly steps: readonly (readonly [step: Step, place: Place])[];
  degree: Degree;
}

type Texts = Loss['texts'];

const CHOICE: Texts = ['choice of alternatives', 'choice of alternatives'];

export function createCompare(before: SchemaSide, after: SchemaSide): Compare {
  const same = createSame(before, after);
  const forth: View = { from: before, to: after, same };
  const back: View = { from: after, to: before, same: (one, other, ignored) => same(other, one, ignored) };
  const places = new Map<string, Place>();
  let unsettled: (Place | Pair)[] = [];
  let depth = 0;
  return (was, is, { asText = false, only } = {}) => {
    const isListed = ({ keyword }: Row): boolean => only?.has(keyword) !== false;
    const [lost, gained] = [placeOf(forth, was, is, asText), placeOf(back, is, was, asText)];
    settle(unsettled);
    unsettled = [];
    return {
      relation: relationOf(lost.degree, gained.degree),
      differences: differencesOf(rowsAt(lost).filter(isListed), rowsAt(gained).filter(isListed)),
    };
  };

  function placeOf(view: View, own: readonly string[], foreign: readonly string[], asText: boolean): Place {
    const from = own.map((pointer) => targetOf(view.from, pointer));
    const to = foreign.map((pointer) => targetOf(view.to, pointer));
    const key = JSON.stringify([view === forth, from, to, asText]);
    const known = places.get(key);
    if (known !== undefined) return known;
    const place: Place = { view, from, to, asText, losses: [], unmatched: [], degree: NO };
    places.set(key, place);
    if (from.length === to.length && from.every((one, index) => view.same(one, to[index] ?? ''))) return place;
    const [cases, others] = [casesAt(view.from, from), casesAt(view.to, to)];
    depth += 1;
    if (cases && others && unsettled.length < MOST_PLACES && depth < DEEPEST) match(place, cases, others);
    else place.losses.push(lossOf(place, MAYBE, CHOICE));
    depth -= 1;
    unsettled.push(place);
    return place;
  }

  function match(place: Place, cases: Cases, others: Cases): void {
    const { view, asText } = place;
    const texts: Texts = [textOf(cases), textOf(others)];
    const lose = (degree: Degree): unknown => place.losses.push(lossOf(place, degree, texts));
    if (rejects(place, cases)) lose(YES);
    if (overlaps(view, cases, others)) lose(MAYBE);
    const left = withoutSame(view, cases, others);
    const added = withoutSame(view === forth ? back : forth, others, cases);
    for (const one of left) {
      const like = (all: readonly Case[]): Case[] => all.filter((other) => isComparable(one, other));
      const alike = like(openIn(others)).map((other) => pairOf(place, one, other, texts));
      const texted = openIn(others).filter((other) => asText && isComparable(one, other, true));
      const pairs = alike.length > 0 ? alike : texted.map((other) => pairOf(place, one, other, texts));
      const [own, foreign] = [like(left), like(added)];
      // As many cases of the type as before, so they keep their order.
      const became = own.length === foreign.length ? foreign[own.indexOf(one)] : undefined;
      const partner = became === undefined ? undefined : alike[like(openIn(others)).indexOf(became)];
      if (pairs.length === 0) lose(YES);
      else
        place.unmatched.push({
          pairs,
          partner: alike.length > 0 ? partner : pairs[0],
          degree: foreign.length > own.length ? MAYBE : YES,
        });
    }
  }

  function pairOf({ view, asText, ...place }: Place, one: Case, other: Case, texts: Texts): Pair {
    const { losses, steps } = isComparable(one, other)
      ? lossesOf(view, one, other)
      : { losses: textLosses({ view, asText, ...place }, other, texts), steps: [] };
    const pair: Pair = {
      losses,
      steps: steps.map((step) => {
        // What `not` rejects more, the value loses.
        const isReversed = step.as === 'not';
        const [own, foreign] = isReversed ? [step.to, step.from] : [step.from, step.to];
        const inner = isReversed ? (view === forth ? back : forth) : view;
        return [step, placeOf(inner, own, foreign, asText && step.as === undefined)];
      }),
      degree: NO,
    };
    unsettled.push(pair);
    return pair;
  }
}

/** A text that stands for a number, or the reverse. */
function textLosses(place: Place, other: Case, texts: Texts): Loss[] {
  if (other.type !== 'string') return [lossOf(place, YES, texts)];
  return isAnything(other) ? [] : [lossOf(place, MAYBE, texts)];
}

function lossOf({ view, from, to }: Place, degree: Degree, texts: Texts, keyword = 'type'): Loss {
  const source = (side: SchemaSide, pointers: readonly string[]): string =>
    partsAt(side, pointers).at(0)?.pointer ?? pointers[0] ?? '';
  return { keyword, at: '', degree, texts, sources: [source(view.from, from), source(view.to, to)] };
}

/** Raises the degrees until they are stable. */
function settle(nodes: readonly (Place | Pair)[]): void {
  for (let isStable = false; !isStable; ) {
    isStable = true;
    // the last ones are the innermost
    for (const node of nodes.toReversed()) {
      const inner = 'steps' in node ? node.steps.map(([, { degree }]) => degree) : node.unmatched.map(leastOf);
      const degree = Math.max(...node.losses.map((one) => one.degree), ...inner, NO) as Degree;
      if (degree !== node.degree) isStable = false;
      node.degree = degree;
    }
  }
}

function leastOf({ pairs, degree }: Unmatched): Degree {
  return Math.min(degree, ...pairs.map((pair) => pair.degree)) as Degree;
}

type Row = Loss & { readonly isNew: boolean };

function rowsAt(root: Place): Row[] {
  const rows: Row[] = [];
  const open = new Set<Place>();
  visit(root, '');
  return rows;

  function visit(place: Place, at: string, isNew = false): void {
    if (place.degree === NO || open.has(place) || rows.length > MOST_DIFFERENCES) return;
    if (isNew) {
      const to = casesAt(place.view.to, place.to);
      add(lossOf(place, place.degree, ['any value', to === null ? 'alternatives' : textOf(to)]), at, isNew);
      return;
    }
    open.add(place);
    for (const loss of place.losses) add(loss, at);
    for (const one of place.unmatched) {
      if (leastOf(one) === NO) continue;
      if (one.degree === YES && one.partner) visitPair(one.partner, at);
      else add(lossOf(place, leastOf(one), CHOICE), at);
    }
    open.delete(place);
  }

  function visitPair({ losses, steps }: Pair, at: string): void {
    for (const loss of losses) add(loss, at);
    for (const [{ as, at: inside, isNew }, place] of steps) {
      if (as === undefined) visit(place, `${at}${inside}`, isNew);
      else if (place.degree !== NO) add(lossOf(place, place.degree, [as, as], as), at);
    }
  }

  function add(loss: Loss, at: string, isNew = false): void {
    if (rows.length <= MOST_DIFFERENCES) rows.push({ ...loss, at: `${at}${loss.at}`, isNew });
  }
}

function differencesOf(lost: readonly Row[], gained: readonly Row[]): Difference[] {
  const turned = gained.map(({ texts: [text, other], sources: [source, to], ...row }): Row => {
    return { ...row, texts: [other, text], sources: [to, source] };
  });
  const places = Map.groupBy([...lost, ...turned], ({ at }) => at);
  const known = new Set(lost);
  const differences = [...places].map(([at, rows]): Difference => {
    const [losing, others] = [rows.filter((row) => known.has(row)), rows.filter((row) => !known.has(row))];
    const degreeOf = (some: readonly Row[]): Degree => Math.max(...some.map(({ degree }) => degree), NO) as Degree;
    const texts = new Map(rows.map(({ texts: [text, other] }) => [text, text === other ? `another ${other}` : other]));
    const gained = degreeOf(others);
    return {
      at,
      gained,
      relation: relationOf(degreeOf(losing), gained) as Difference['relation'],
      expected: [...texts.keys()].join(', '),
      actual: [...new Set(texts.values())].join(', '),
      source: rows[0]?.sources[0] ?? '',
      isNew: losing.length > 0 && losing.every(({ isNew }) => isNew),
    };
  });
  const [rest] = differences.slice(MOST_DIFFERENCES);
  if (rest === undefined) return differences;
  const texts = { expected: 'every change', actual: `only the first ${MOST_DIFFERENCES}` };
  return [...differences.slice(0, MOST_DIFFERENCES), { ...rest, ...texts, at: '', relation: 'unknown', isNew: false }];
}

function relationOf(lost: Degree, gained: Degree): Relation {
  if (lost === YES) return gained === NO ? 'narrower' : 'both';
  if (lost === MAYBE || gained === MAYBE) return 'unknown';
  return gained === YES ? 'wider' : 'equal';
}

function openIn({ cases }: Cases): Case[] {
  return cases.filter(({ value }) => value === undefined);
}

function withoutSame({ same }: View, own: Cases, others: Cases): Case[] {
  const isSame = (one: Case, other: Case): boolean => {
    const [parts, all] = [ownParts(one.parts), ownParts(other.parts)];
    const isLike = ({ pointer }: Part, index: number): boolean => same(pointer, all[index]?.pointer ?? '', IN_PLACE);
    return one.type === other.type && parts.length === all.length && parts.every(isLike);
  };
  return openIn(own).filter((one) => !openIn(others).some((other) => isSame(one, other)));
}

/** Whether the other side rejects a listed value. */
function rejects({ view, to, asText }: Place, { cases }: Cases): boolean {
  const accepts = (value: Json): boolean => to.every((pointer) => view.to.accepts(pointer, value));
  return cases.some(({ value }) => {
    if (value === undefined || accepts(value)) return false;
    return !asText || typeof value === 'string' || !accepts(String(value));
  });
}

/** Whether a value may match two branches of a `oneOf` that only the other side has, so that it is invalid. */
function overlaps({ to, same }: View, { choices }: Cases, others: Cases): boolean {
  return [...others.choices.values()].some((branches) => {
    const isKnown = [...choices.values()].some(
      (all) => all.length === branches.length && branches.every((one, index) => same(all[index] ?? '', one)),
    );
    return !isKnown && !areExclusive(to, branches);
  });
}

function textOf({ cases }: Cases): string {
  const types = JSON_TYPES.filter((type) => cases.some((one) => one.type === type));
  const values = cases.flatMap(({ value }) => (value === undefined ? [] : [value]));
  if (types.length >= JSON_TYPES.length - 1 && values.length === 3) return 'any value';
  if (cases.length === 0) return 'no value';
  const isListed = values.some((value) => value !== null && typeof value !== 'boolean');
  if (values.length === cases.length && isListed)
    return `one of ${values.map((one) => JSON.stringify(one)).join(', ')}`;
  return types.join(' or ');
}
