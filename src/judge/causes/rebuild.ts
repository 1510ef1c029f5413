import type { Contract } from '../../contract/contract.ts';
import { isObject, type JsonObject, typeOf } from '../../schema/json.ts';
import { looksLikeCode } from '../../schema/key-names.ts';
import { describe, type SchemaFacts } from '../../schema/schema-facts.ts';
import { formsOf, formsWritten, type StringForm } from '../../schema/string-forms.ts';
import { joinPointer, parsePointer } from '../../text/pointer.ts';
import { recordsAt } from '../recorded-presence.ts';
import { numeric } from '../shape.ts';
import { listed } from '../shape-text.ts';
import { commonStyle, folded } from './names.ts';

export interface Rebuild {
  readonly rule: 'fields-moved' | 'object-replaced' | 'fields-renamed';
  /** Removed fields, required ones first. */
  readonly lost: readonly string[];
  readonly fresh: readonly string[];
  readonly expected: string;
  readonly actual: string;
  /** The original names, if only their spelling changed. */
  readonly wanted?: string;
  /** Pointers from the object to deeper fields that are removed or new for the same reason. */
  readonly inside?: readonly string[];
}

interface Search {
  readonly contract: Contract;
  readonly object: JsonObject;
  readonly fields: SchemaFacts;
  /** Missing required fields, and new fields, that no change explains yet. Each change removes its fields from both. */
  readonly lost: ReadonlySet<string>;
  readonly fresh: ReadonlySet<string>;
  /** True if no known field is left. */
  readonly hollow: boolean;
  /** True if at most one known field is left. */
  readonly sparse: boolean;
}

const DEEPEST = 4;
/** `actual` of fields that moved one level up. */
export const HERE = 'the same at this level';

export function* changesOf(contract: Contract, object: JsonObject, fields: SchemaFacts): Iterable<Rebuild> {
  // unnamed fields have a schema as well
  if (fields.patterns.length + fields.others.length > 0) return;
  const names = Object.keys(object);
  const lost = new Set([...fields.demanded.keys()].filter((name) => !Object.hasOwn(object, name)).sort());
  const isKnown = (name: string): boolean => fields.properties.has(name) || fields.demanded.has(name);
  const fresh = new Set(names.filter((name) => !isKnown(name)).sort());
  if (lost.size + fresh.size === 0) return;
  const kept = names.length - fresh.size;
  const search = { contract, object, fields, lost, fresh, hollow: kept === 0, sparse: kept < 2 };
  for (const find of [restyled, moved, renamedContents, movedInside, renamedValues, replaced]) {
    if (find !== restyled && haveOtherKeys(search)) return;
    for (const change of find(search)) {
      yield change;
      for (const name of change.lost) lost.delete(name);
      for (const name of change.fresh) fresh.delete(name);
      if (find !== moved) Object.assign(search, { hollow: false, sparse: false });
    }
  }
}

function namesOf({ properties, demanded }: SchemaFacts): string[] {
  return [...new Set([...properties.keys(), ...demanded.keys()])];
}

/** Names changed their spelling: `order_id` for `orderId`. This is one change, however many fields it affects. */
function* restyled({ object, fields, fresh }: Search): Iterable<Rebuild> {
  const absent = namesOf(fields).filter((name) => !Object.hasOwn(object, name));
  const byFold = new Map(
    absent
      .sort()
      .reverse()
      .map((name) => [folded(name), name]),
  );
  const pairs = [...fresh].flatMap((name): [string, string][] => {
    const was = byFold.get(folded(name));
    byFold.delete(folded(name));
    return was === undefined ? [] : [[was, name]];
  });
  if (pairs.length === 0) return;
  const all = pairs.map(([was]) => was).sort();
  const names = pairs.map(([, name]) => name);
  yield {
    rule: 'fields-renamed',
    lost: [true, false].flatMap((wanted) => all.filter((name) => fields.demanded.has(name) === wanted)),
    fresh: names,
    expected: 'the names',
    actual: `the same in ${commonStyle(names)}`,
    wanted: listed(all),
  };
}

/** The object may be a map: its names are codes, or its members in the only record are alike. */
function haveOtherKeys({ contract, object, fields, fresh }: Search): boolean {
  const names = namesOf(fields);
  if (fresh.size === 0 || fields.naming.some((pointer) => contract.provenanceOf(pointer) !== 'observed')) return false;
  if ([...names, ...fresh].every(looksLikeCode)) return true;
  const [first = null, ...others] = names.map((name) => lookBySchemas(fields, name));
  const looks = [...others, ...[...fresh].map((name) => lookOf(object[name]))];
  const partOf = (name: string): string => fields.demanded.get(name)?.replace(/\/required\/\d+$/, '') ?? '';
  const isOfOneRecord = (name: string): boolean => recordsAt(contract, partOf(name)) === 1;
  if (first === null || isPlain(first) || others.length === 0 || !names.every(isOfOneRecord)) return false;
  return looks.every((look) => areAlike(first, look));
}

function* moved(search: Search): Iterable<Rebuild> {
  for (let before = -1; before !== search.lost.size + search.fresh.size; ) {
    before = search.lost.size + search.fresh.size;
    const [down] = movedDown(search);
    yield* down === undefined ? movedUp(search) : [down];
  }
}

/** The fields are now together in a new inner object: `{ data: … }`. A single field counts only if `hollow`. */
function* movedDown({ contract, object, lost, fresh, hollow }: Search): Iterable<Rebuild> {
  for (const name of lost.size === 0 ? [] : fresh) {
    const inside = objectsIn(object[name], describe(contract, []), joinPointer('', name)).find(
      (one) => Object.keys(one.object).filter((field) => lost.has(field)).length * 2 > lost.size,
    );
    const found = [...lost].filter((field) => inside !== undefined && Object.hasOwn(inside.object, field));
    if (inside === undefined || (found.length < 2 && !hollow)) continue;
    // If no known field is left, all new fields belong to the envelope.
    const isEnvelope = hollow && found.length === lost.size;
    yield {
      rule: 'fields-moved',
      lost: found,
      fresh: isEnvelope ? [name, ...[...fresh].filter((other) => other !== name)] : [name],
      expected: `${listed(found)} at this level`,
      actual: `the same inside ${inside.at}`,
    };
  }
}

/** Fields are now at the level of the object that contained them. If it remains, only objects and lists count. */
function* movedUp({ contract, object, fields, lost, fresh, hollow }: Search): Iterable<Rebuild> {
  for (const outer of fields.properties.keys()) {
    const inner = fields.member(outer);
    const always = [...inner.demanded.keys()].sort();
    const left = object[outer];
    const isGone = lost.has(outer);
    // The document may describe some of the fields at this level, although no answer had them here.
    const isHere = (name: string): boolean => Object.hasOwn(object, name) && !fields.demanded.has(name);
    const found = isGone
      ? namesOf(inner).filter(isHere)
      : always.filter((name) => {
          const look = isObject(left) && !Object.hasOwn(left, name) ? lookBySchemas(inner, name) : null;
          return fresh.has(name) && hasParts(look) && areAlike(look, lookOf(object[name]));
        });
    const isAll = !isGone || always.every(isHere);
    if (!isAll || found.length < (isGone && !hollow ? 2 : 1)) continue;
    // If no required field is left, all lost fields belong to the envelope. A documented one has its own severity.
    const basisOf = (name: string): string => contract.provenanceOf(fields.demanded.get(name) ?? '');
    const isEnvelope = fields.demanded.keys().every((name) => lost.has(name) && basisOf(name) === basisOf(outer));
    yield {
      rule: 'fields-moved',
      lost: isGone ? [outer, ...[...lost].filter((name) => isEnvelope && name !== outer)] : [],
      fresh: found.filter((name) => fresh.has(name)).sort(),
      ...(!isGone && { inside: found.map((name) => joinPointer('', outer, name)) }),
      expected: `${listed(isGone && always.length > 0 ? always : found)} inside ${joinPointer('', outer)}`,
      actual: HERE,
    };
  }
}

/** An object, or a list of objects, has moved into a sibling field, at any depth, and kept its name. */
function* movedInside({ object, fields, lost, fresh }: Search): Iterable<Rebuild> {
  for (const name of lost) {
    const look = lookBySchemas(fields, name);
    const inside = objectsIn(object, fields, '').find(
      (one) => !one.known.properties.has(name) && hasParts(look) && areAlike(look, lookOf(one.object[name])),
    );
    if (inside === undefined) continue;
    const [other = ''] = parsePointer(inside.at) ?? [];
    yield {
      rule: 'fields-moved',
      lost: [name],
      fresh: fresh.has(other) ? [other] : [],
      inside: [joinPointer(inside.at, name)],
      expected: `${name} at this level`,
      actual: `the same inside ${inside.at}`,
    };
  }
}

/** A list or object has a new name: `items` for `prices`. Its contents match, or it is empty and the only list. */
function* renamedContents(search: Search): Iterable<Rebuild> {
  yield* renamed(search, (look) => !isPlain(look));
}

/** A value without parts has a new name: the field is missing, and exactly one new field has the same sort of value. */
function* renamedValues(search: Search): Iterable<Rebuild> {
  if (!search.hollow) yield* renamed(search, isPlain);
}

function* renamed(search: Search, isMeant: (look: Look) => boolean): Iterable<Rebuild> {
  const { object, fields, lost, fresh, hollow } = search;
  const absent = [...fields.properties.keys()].filter((name) => !lost.has(name) && !Object.hasOwn(object, name));
  const wanted = [...lost, ...absent].flatMap((name) => {
    const look = lookBySchemas(fields, name);
    // An optional list is identified by its items only.
    const isTold = lost.has(name) || (look?.type === 'array' && hasParts(look));
    return look !== null && isTold && isMeant(look) ? [{ name, look }] : [];
  });
  const given = [...fresh].map((name) => ({ name, look: lookOf(object[name]) }));
  const lists = given.filter(({ look }) => look?.type === 'array');
  const isOnlyList = wanted.filter(({ name, look }) => lost.has(name) && look.type === 'array').length === 1;
  for (const { name, look } of wanted) {
    const alike = given.filter((one) => areAlike(look, one.look));
    // With further new fields and no known one, an empty list may be that of any answer.
    const isOwn = hollow ? fresh.size === 1 : hasParts(look);
    const mayBeBare = lost.has(name) && look.type === 'array' && isOnlyList && isOwn;
    const [to, ...others] = mayBeBare && !lists.some((one) => hasParts(one.look)) ? lists : alike;
    if (to === undefined || others.length > 0) continue;
    if (wanted.filter((one) => areAlike(one.look, to.look)).length > 1) continue;
    yield { rule: 'fields-renamed', lost: [name], fresh: [to.name], expected: name, actual: `${to.name} in its place` };
  }
}

function* replaced({ lost, fresh, hollow, sparse }: Search): Iterable<Rebuild> {
  // a new field in place of a single one may be a notice; a single missing field is just missing
  if (lost.size === 0 || lost.size + fresh.size < 2) return;
  // a notice may share the name of one field
  if (!hollow && !(sparse && lost.size > 2)) return;
  const actual = fresh.size > 0 ? 'other fields' : hollow ? 'none of them' : 'one of them';
  yield { rule: 'object-replaced', lost: [...lost], fresh: [...fresh], expected: listed([...lost]), actual };
}

/** The list that an object now wraps: the only one whose items match. Null if no list or several lists match. */
export function wrappedList(items: SchemaFacts, object: JsonObject): Rebuild | null {
  const wanted: Look = { type: 'array', names: namesOf(items), forms: new Set() };
  const lists = [...objectsIn(object, items.at([]), '')].flatMap((one) =>
    Object.entries(one.object).flatMap(([name, value]) => {
      const look = lookOf(value);
      return look?.type === 'array' ? [{ at: joinPointer(one.at, name), look }] : [];
    }),
  );
  const alike = lists.filter(({ look }) => areAlike(wanted, look));
  // An empty list matches only if it is the only list.
  const [found, ...others] = alike.length > 0 ? alike : lists.filter(({ look }) => !hasParts(look));
  if (found === undefined || others.length > 0 || (alike.length === 0 && lists.length > 1)) return null;
  const actual = `the same inside ${found.at}`;
  return { rule: 'fields-moved', lost: [], fresh: [], inside: [''], expected: 'the list at this level', actual };
}

interface Inner {
  readonly at: string;
  readonly object: JsonObject;
  readonly known: SchemaFacts;
}

/** A value and the objects inside it (but not inside its lists), each with its description by the schemas. */
function* objectsIn(value: unknown, known: SchemaFacts, at: string): Generator<Inner> {
  if (!isObject(value) || at.split('/').length > DEEPEST + 1) return;
  yield { at, object: value, known };
  for (const name of Object.keys(value).sort())
    yield* objectsIn(value[name], known.member(name), joinPointer(at, name));
}

interface Look {
  /** An integer is a `number`. An array contains objects or is empty. */
  readonly type: string;
  readonly names: readonly string[];
  readonly forms: ReadonlySet<StringForm>;
}

const NO_FORMS: ReadonlySet<StringForm> = new Set();

function lookOf(value: unknown): Look | null {
  if (isObject(value)) return { type: 'object', names: Object.keys(value), forms: NO_FORMS };
  if (!Array.isArray(value)) {
    return { type: numeric(typeOf(value)), names: [], forms: typeof value === 'string' ? formsOf(value) : NO_FORMS };
  }
  if (!value.every(isObject)) return null;
  return { type: 'array', names: [...new Set(value.flatMap((item) => Object.keys(item)))], forms: NO_FORMS };
}

/** Null if the type is unknown or ambiguous, or if an object or list has no described contents. */
function lookBySchemas(fields: SchemaFacts, name: string): Look | null {
  const own = fields.member(name);
  if (own.items.length > 0) return { type: 'array', names: namesOf(own.at(own.items)), forms: NO_FORMS };
  if (namesOf(own).length > 0) return { type: 'object', names: namesOf(own), forms: NO_FORMS };
  const parts = own.parts.map(({ schema }) => schema);
  const types = parts.flatMap(({ type }) => [type].flat().filter((one) => typeof one === 'string' && one !== 'null'));
  const [type, ...others] = new Set(types.map((one) => numeric(String(one))));
  const forms = parts.flatMap(({ format, pattern, 'x-seen': seen }) => {
    const form = isObject(seen) ? seen.form : undefined;
    return [...formsWritten({ ...(form && { form }), ...(format && { format }), ...(pattern && { pattern }) })];
  });
  if (type === undefined || type === 'object' || type === 'array' || others.length > 0) return null;
  return { type, names: [], forms: new Set(forms) };
}

function isPlain(look: Look): boolean {
  return look.type !== 'object' && look.type !== 'array';
}

function hasParts(look: Look | null): look is Look {
  return look !== null && look.names.length > 0;
}

/** Forms that a text never has by chance. */
const TELLING: readonly StringForm[] = ['date-time', 'date', 'local-date-time', 'uuid', 'email', 'uri', 'iban'];

/** True if most of the seen names are known, whatever their spelling. Values without parts must share type and form. */
function areAlike(known: Look | null, seen: Look | null): boolean {
  if (known === null || seen === null || known.type !== seen.type) return false;
  if (isPlain(known)) return TELLING.every((form) => known.forms.has(form) === seen.forms.has(form));
  const folds = new Set(known.names.map(folded));
  return seen.names.filter((name) => folds.has(folded(name))).length * 2 > seen.names.length;
}
