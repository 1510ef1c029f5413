import type { Contract, Operation } from '../contract/contract.ts';
import { basisFrom } from '../contract/provenance.ts';
import { casesOf, isObject, listOf, type Part, partsOf, targetOf } from '../contract/schema-facts.ts';
import type { Observed } from '../judge/causes/cause.ts';
import { wrappedList } from '../judge/causes/moved-contents.ts';
import { changesOf } from '../judge/causes/rebuild.ts';
import { type Description, describeParts } from '../judge/fields.ts';
import {
  type Given,
  type GivenKind,
  givenBy,
  isPossible,
  namedBy,
  presenceOf,
  type Side,
  shapeBySchemas,
} from '../judge/given.ts';
import type { Observation } from '../judge/rule.ts';
import { neverBut } from '../judge/rules/contents.ts';
import { addChange, type Rebuilt, sourceOf } from '../judge/rules/rebuilt.ts';
import { sortOf } from '../judge/rules/schemas.ts';
import { actualOf, expectedOf } from '../judge/schemas.ts';
import { textOfSchema, typesOfShape } from '../judge/shape-text.ts';
import { joinPointer } from '../pointer.ts';
import { accepts } from './accepts.ts';

export interface Sides {
  readonly before: Contract;
  readonly after: Side;
  readonly operation: Operation;
  readonly recorded: boolean;
}

/**
 * How sure it is that a rule would say something of answers of the later side: it would of some; what is known of them does not let it
 * be told; or a recording says nothing of what the earlier side asks for.
 */
export type Certainty = 'differs' | 'open' | 'silent';

export interface Remark extends Observed {
  readonly certainty: Certainty;
  /** Of an object that was built otherwise: the places of fields that are gone or new for this reason alone. */
  readonly explains?: readonly string[];
}

/** What one of the schemas that describe an answer of the earlier side says of a place. */
export interface Wanted {
  /** Pointer of the schema of the whole: what its parts rest on counts from there. */
  readonly root: string;
  /** Pointers of the schemas that hold there. */
  readonly must: readonly string[];
  /** Of those that are only alternatives: they name fields, and nothing is held to them. */
  readonly may: readonly string[];
  /** Where the list is whose items the root describes. */
  readonly list: 'here' | 'here or inside' | null;
}

export interface Pair {
  readonly at: string;
  readonly wanted: readonly Wanted[];
  /** Pointers of the schemas of the later side that hold there together. */
  readonly given: readonly string[];
  /** Which kind of what is given is looked at, by its index; null for all. */
  readonly only: number | null;
  /** True where it is only asked whether what is given fits. */
  readonly bare: boolean;
}

/** A choice that the earlier side leaves, and what is said where none of its branches fits; `certainty` where none does for certain. */
export interface Choice extends Remark {
  readonly branches: readonly Pair[];
}

export interface Looked {
  readonly remarks: Remark[];
  readonly choices: Choice[];
  readonly next: Pair[];
}

interface Look {
  readonly sides: Sides;
  readonly pair: Pair;
  readonly looked: Looked;
  readonly wanted: readonly Read[];
  readonly given: Given;
  readonly kinds: readonly GivenKind[];
}

interface Read extends Wanted {
  readonly parts: readonly Part[];
  readonly all: Description;
}

/** Holds all that the later side lets come to a place to what the earlier side asks for there. */
export function look(sides: Sides, pair: Pair): Looked {
  const looked: Looked = { remarks: [], choices: [], next: [] };
  const given = givenBy(sides.after, pair.given);
  const kinds = pair.only === null ? given.kinds : given.kinds.slice(pair.only, pair.only + 1);
  const wanted = pair.wanted.map((one): Read => {
    const parts = partsOf(sides.before, one.must, { beside: one.may });
    return { ...one, parts, all: describeParts(sides.before, parts) };
  });
  const place: Look = { sides, pair, looked, wanted, given, kinds };
  for (const { own, part } of bindingIn(wanted)) keywords(place, own, part);
  if (!pair.bare) firstContents(place);
  if (kinds.some(({ type }) => type === 'object')) object(place);
  if (kinds.some(({ type }) => type === 'array')) list(place);
  return looked;
}

/** The schemas that hold. What is documented and was recorded as well counts as documented. */
function* bindingIn(wanted: readonly Read[]): Iterable<{ readonly own: Read; readonly part: Part }> {
  const told = new Set<string>();
  for (const own of wanted) {
    for (const part of own.parts) {
      if (!part.binding || told.has(part.pointer)) continue;
      told.add(part.pointer);
      yield { own, part };
    }
  }
}

function keywords(place: Look, own: Read, part: Part): void {
  const { sides, pair, looked, kinds } = place;
  for (const [keyword, value] of Object.entries(part.schema)) {
    if (kinds.length === 0 && keyword === 'type') {
      looked.remarks.push(contradiction(place, own, part, keyword, { type: '' }, unsure(sides, keyword)));
    }
    for (const [index, kind] of kinds.entries()) {
      const said = (certainty: Certainty): Remark => contradiction(place, own, part, keyword, kind, certainty);
      if (keyword === 'anyOf' || keyword === 'oneOf') {
        const branches = listOf(value).map((_, branch): Pair => {
          const must = [joinPointer(part.pointer, keyword, branch)];
          const wanted = [{ root: own.root, must, may: [], list: null }];
          return { ...pair, wanted, only: pair.only ?? index, bare: true };
        });
        looked.choices.push({ branches, ...said(unsure(sides, keyword, kind)) });
        continue;
      }
      const answer = accepts(keyword, value, kind);
      if (answer === 'yes') continue;
      const moved = keyword === 'type' && kind.type === 'object' ? wrapped(place, own) : null;
      if (moved !== null) {
        looked.remarks.push(moved);
        continue;
      }
      // A text that is not of its format need not be told that it misses the pattern, too.
      if (keyword === 'pattern' && accepts('format', part.schema.format ?? '', kind) === 'no') continue;
      const differs = answer === 'no' || (answer === 'unsaid' && !sides.after.recording);
      looked.remarks.push(said(differs ? 'differs' : unsure(sides, keyword, kind)));
    }
  }
}

function wrapped(place: Look, { root, all }: Read): Remark | null {
  const { before, after } = place.sides;
  const [items] = all.items;
  if (items === undefined || all.namers.length > 0) return null;
  const change = wrappedList(before, all.items, namedBy(after, place.given));
  if (change === null) return null;
  const { rule, expected, actual } = change;
  const source = joinPointer(items.replace(/\/items$/, ''), 'type');
  const observation = { ...seenAt(place), expected, actual, source, provenance: basisFrom(before, root)(source) };
  return { rule, observation, certainty: 'differs' };
}

function firstContents(place: Look): void {
  const { sides, pair, wanted, given, kinds } = place;
  const never = wanted.map(({ must, may }) => neverBut(sides.before, [...must, ...may])).find((one) => one !== null);
  if (never === undefined || never === null) return;
  const isFilled =
    never.what === 'null'
      ? kinds.some(({ type }) => type !== 'null')
      : given.items.length > 0 && kinds.some(({ type }) => type === 'array');
  if (!isFilled) return;
  const found = shapeBySchemas(sides.after, pair.given, never.what === 'null' ? undefined : 'array');
  const seen = { expected: never.what, actual: typesOfShape(found), found, source: never.source };
  tell(place, 'contents-new', { ...seenAt(place), ...seen });
}

/** Why it cannot be told whether the later side keeps to a keyword. */
function unsure({ after }: Sides, keyword: string, kind?: GivenKind): Certainty {
  const speaks = kind?.facts.parts.some(({ schema }) => schema[keyword] !== undefined) === true;
  return after.recording && !speaks ? 'silent' : 'open';
}

/** What an answer is that contradicts a keyword: of a type, or an object with or without a field. */
type Contradicting = { readonly type: string } | { readonly name: string };

/** What the rule of a keyword says of an answer that contradicts it. */
function contradiction(
  place: Look,
  { root, all }: Read,
  { pointer, schema }: Part,
  keyword: string,
  by: Contradicting,
  certainty: Certainty = 'differs',
): Remark {
  const { sides, pair, given } = place;
  const { before, after } = sides;
  const type = 'type' in by ? by.type : '';
  const name = 'name' in by ? by.name : undefined;
  const isRequired = keyword === 'required' && name !== undefined;
  const source = joinPointer(pointer, keyword, ...(isRequired ? [listOf(schema.required).indexOf(name)] : []));
  const sort = sortOf(keyword);
  const actual = actualOf(keyword, type);
  const [described] = keyword === 'type' ? [pointer] : (all.properties.get(name ?? '') ?? []);
  const provenance = basisFrom(before, root)(source);
  const presence = isRequired && provenance === 'observed' ? presenceOf(after, given, name) : undefined;
  return {
    certainty,
    rule: sort === 'required' ? 'required-missing' : `${sort}-contradicted`,
    observation: {
      ...seenAt(place, name),
      expected: expectedOf(keyword, schema[keyword]),
      actual,
      wanted: described === undefined ? undefined : (textOfSchema(before, described) ?? undefined),
      found: actual === type ? shapeBySchemas(after, pair.given, type) : undefined,
      source,
      provenance,
      presence,
    },
  };
}

function tell({ looked }: Look, rule: Remark['rule'], observation: Observation): void {
  looked.remarks.push({ rule, observation, certainty: 'differs' });
}

/** What all observations of a place, or of a field there, have in common. */
function seenAt({ sides, pair }: Look, name?: string): Pick<Observation, 'operationId' | 'pointer' | 'exchanges'> {
  const pointer = name === undefined ? pair.at : joinPointer(pair.at, name);
  return { operationId: sides.operation.operationId, pointer, exchanges: [] };
}

/** Looks at an object: what stands elsewhere, is gone or is new; and goes on to its fields. */
function object(place: Look): void {
  const { pair, looked, wanted, given } = place;
  const rebuilt = pair.bare ? [] : rebuiltFrom(place);
  for (const one of rebuilt) looked.remarks.push({ ...one, certainty: 'differs' });
  const explained = new Set(rebuilt.flatMap(({ explains }) => explains));
  const isExplained = (name: string): boolean => explained.has(joinPointer(pair.at, name));
  for (const { own, part } of bindingIn(wanted)) {
    for (const name of listOf(part.schema.required)) {
      if (typeof name !== 'string' || given.always.has(name) || isExplained(name)) continue;
      looked.remarks.push(contradiction(place, own, part, 'required', { name }));
    }
    if (part.schema.additionalProperties !== false) continue;
    for (const name of given.fields.keys()) {
      if (holding(part, own.all, name).length > 0) continue;
      looked.remarks.push(contradiction(place, own, part, 'additionalProperties', { name }));
    }
  }
  if (!pair.bare) {
    if (rebuilt.length === 0) conditional(place);
    unknown(place, isExplained);
  }
  const list = onlyList(place);
  for (const [name, schemas] of given.fields) goToField(place, name, schemas, name === list);
  const others = wanted.flatMap((own) => under(place, own, pointersTo(own, 'additionalProperties'), own.all.rest));
  for (const schemas of given.others) goTo(place, `${pair.at}/*`, others, schemas);
}

/** Fields that are documented for some cases only, and were always there when they were recorded. */
function conditional(place: Look): void {
  const { sides, wanted, given } = place;
  for (const [name, schemas] of wanted.flatMap(({ all }) => [...all.properties])) {
    const source = schemas.find((pointer) => sides.before.at(joinPointer(pointer, 'x-always-there')) === true);
    if (source === undefined || given.always.has(name)) continue;
    const observation: Observation = {
      ...seenAt(place, name),
      expected: 'the field',
      actual: 'no such field',
      wanted: textOfSchema(sides.before, schemas[0] ?? source) ?? undefined,
      source,
      presence: presenceOf(sides.after, given, name),
    };
    tell(place, 'required-missing', observation);
  }
}

function rebuiltFrom(place: Look): Rebuilt[] {
  const { sides, pair, wanted, given } = place;
  const { before, after } = sides;
  const found = new Map<string, Rebuilt>();
  for (const { root, all } of wanted) {
    if (all.namers.length === 0) continue;
    const isNamed = (name: string): boolean => wanted.some((one) => schemasFor(one.all, name).length > 0);
    for (const change of changesOf(before, namedBy(after, given), all, isNamed)) {
      const source = sourceOf(change, all, basisFrom(before, root)) ?? root;
      addChange(found, pair.at, change, {
        ...seenAt(place),
        found: change.rule === 'object-replaced' ? shapeBySchemas(after, pair.given, 'object') : undefined,
        source,
        provenance: basisFrom(before, root)(source),
      });
    }
  }
  return [...found.values()];
}

function unknown(place: Look, isExplained: (name: string) => boolean): void {
  const { sides, wanted, given } = place;
  const naming = wanted.map(({ all }) => all.namers).filter((namers) => namers.length > 0);
  const observed = naming.flatMap(
    (namers) => namers.find((namer) => sides.before.provenanceOf(namer) === 'observed') ?? [],
  );
  const recording = observed.at(-1);
  const source = recording ?? naming.at(-1)?.[0];
  // What came with a structure that was recorded otherwise is told as that.
  if (source === undefined || (recording === undefined && sides.recorded)) return;
  const others = given.others.map((schemas) => ['*', schemas] as const);
  for (const [name, schemas] of [...given.fields, ...others]) {
    const isKnown = wanted.some(({ all }) => all.required.has(name) || schemasFor(all, name).length > 0);
    if (isKnown || isExplained(name)) continue;
    const found = shapeBySchemas(sides.after, schemas);
    const seen = { expected: 'no such field', actual: typesOfShape(found), found, source };
    const rule = recording === undefined ? 'undocumented-field' : 'unrecorded-field';
    tell(place, rule, { ...seenAt(place, name), ...seen });
  }
}

/** Pointers of all schemas for a field, by its name or for all others. */
function schemasFor({ properties, patterns, rest }: Description, name: string): readonly string[] {
  const own = properties.get(name);
  if (own !== undefined) return own;
  const matching = patterns.filter(([pattern]) => pattern.test(name)).map(([, pointer]) => pointer);
  return matching.length > 0 ? matching : rest;
}

/** Name of the field with the items of a list whose envelope is not shown: of the only list. */
function onlyList({ sides, wanted, given }: Look): string | undefined {
  if (!wanted.some(({ list }) => list === 'here or inside')) return undefined;
  const lists = [...given.fields].filter(([, schemas]) => shapeBySchemas(sides.after, schemas, 'array').types.size > 0);
  return lists.length === 1 ? lists[0]?.[0] : undefined;
}

function goToField(place: Look, name: string, schemas: readonly string[], isList: boolean): void {
  const { pair, wanted } = place;
  const places = new Map<string, Wanted[]>();
  for (const own of wanted) {
    const must = own.parts.filter(({ binding }) => binding).flatMap((part) => holding(part, own.all, name));
    const list = isList && own.list === 'here or inside' ? 'here' : null;
    const at = own.all.properties.has(name) || list !== null ? joinPointer(pair.at, name) : `${pair.at}/*`;
    places.set(at, [...(places.get(at) ?? []), ...under(place, own, must, schemasFor(own.all, name), list)]);
  }
  for (const [at, each] of places) goTo(place, at, each, schemas);
}

/** Pointers of the schemas that hold for a field by one part. */
function holding({ pointer, schema }: Part, { patterns }: Description, name: string): string[] {
  const { properties, additionalProperties } = schema;
  const own = isObject(properties) && Object.hasOwn(properties, name) ? [joinPointer(pointer, 'properties', name)] : [];
  const prefix = `${joinPointer(pointer, 'patternProperties')}/`;
  for (const [pattern, at] of patterns) if (at.startsWith(prefix) && pattern.test(name)) own.push(at);
  return own.length === 0 && isObject(additionalProperties) ? [joinPointer(pointer, 'additionalProperties')] : own;
}

function list(place: Look): void {
  const { sides, pair, looked, wanted, given } = place;
  const at = `${pair.at}/*`;
  const items = wanted.flatMap((own) => {
    const must = own.list === null ? pointersTo(own, 'items') : [own.root];
    return under(place, own, must, own.all.items);
  });
  for (const schemas of given.items) goTo(place, at, items, schemas);
  const [source] = items.flatMap(({ must }) => must);
  if (given.items.length > 0 || source === undefined) return;
  looked.remarks.push(notComparable(place, at, source, sides.after.recording ? 'silent' : 'open'));
}

/** Pointers of the schemas that a keyword holds in the parts that hold. */
function pointersTo({ parts }: Read, keyword: string): string[] {
  const having = parts.filter(({ binding, schema }) => binding && isObject(schema[keyword]));
  return having.map(({ pointer }) => joinPointer(pointer, keyword));
}

/** What a schema of the earlier side says of a place below; empty where it says nothing. */
function under(
  { sides: { before }, pair }: Look,
  { root }: Read,
  holding: readonly string[],
  named: readonly string[],
  list: Wanted['list'] = null,
): Wanted[] {
  // A recording names fields by a reference, too.
  const target = (pointer: string): string =>
    before.provenanceOf(pointer) === 'observed' ? pointer : targetOf(before, pointer);
  const must = holding.map(target);
  const all = named.map(target);
  const may = pair.bare ? [] : all.filter((pointer) => !must.includes(pointer));
  return must.length + may.length === 0 && list === null ? [] : [{ root, must, may, list }];
}

/** More combinations of alternatives than this are not tried. */
const MOST_CASES = 1000;

/** Goes on to a place: to one pair for each combination of alternatives that the later side leaves. */
function goTo(place: Look, at: string, wanted: readonly Wanted[], schemas: readonly string[]): void {
  const { sides, pair, looked } = place;
  const next = pairsAt(sides, { at, wanted, only: null, bare: pair.bare }, schemas);
  for (const one of next.slice(0, MOST_CASES)) looked.next.push(one);
  const [source = ''] = wanted.flatMap(({ must }) => must);
  if (next.length > MOST_CASES) looked.remarks.push(notComparable(place, at, source, 'open'));
}

export function pairsAt({ after }: Sides, place: Omit<Pair, 'given'>, schemas: readonly string[]): Pair[] {
  if (place.wanted.length === 0) return [];
  const targets = schemas.map((pointer) => targetOf(after.contract, pointer));
  const cases = casesOf(after.contract, targets)
    .take(MOST_CASES + 1)
    .toArray();
  const possible = cases.filter((given) => isPossible(after, given));
  return (possible.length > 0 ? possible : cases).map((given) => ({ ...place, given }));
}

function notComparable(place: Look, pointer: string, source: string, certainty: Certainty): Remark {
  const observation = { ...seenAt(place), pointer, expected: 'what it was', actual: 'not known', source };
  return { rule: 'structure-contradicted', observation, certainty };
}
