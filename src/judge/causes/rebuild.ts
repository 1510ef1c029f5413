import type { Contract, JsonObject } from '../../contract/contract.ts';
import { isObject } from '../../contract/schema-facts.ts';
import { joinPointer } from '../../text/pointer.ts';
import { type Description, describe } from '../fields.ts';
import { listed } from '../shape-text.ts';
import { movedObjects, renamedContents } from './moved-contents.ts';
import { commonStyle, folded } from './names.ts';
import { renamedValues } from './renamed-values.ts';
import { DEEPEST, type Rebuild, type Search } from './search.ts';

/** What became of the fields of an object where they are not what its schemas say. */
export function* changesOf(contract: Contract, object: JsonObject, fields: Description): Iterable<Rebuild> {
  // fields that are not named have a schema, too
  if (fields.patterns.length + fields.rest.length > 0) return;
  const known = new Set([...fields.properties.keys(), ...fields.required.keys()]);
  const names = Object.keys(object);
  const lost = new Set([...fields.required.keys()].filter((name) => !Object.hasOwn(object, name)).sort());
  const fresh = new Set(names.filter((name) => !known.has(name)).sort());
  const kept = names.length - fresh.size;
  const search = { contract, object, fields, lost, fresh, hollow: kept === 0, sparse: kept < 2 };
  for (const find of [restyled, moved, renamedContents, movedObjects, renamedValues, replaced]) {
    for (const change of find(search)) {
      yield change;
      for (const name of change.lost) lost.delete(name);
      for (const name of change.fresh) fresh.delete(name);
      if (find !== moved) Object.assign(search, { hollow: false, sparse: false });
    }
  }
}

function* replaced({ lost, fresh, hollow, sparse }: Search): Iterable<Rebuild> {
  // what stands in place of a single field may be a notice; a single field that is gone is just gone
  if (lost.size === 0 || lost.size + fresh.size < 2) return;
  // a notice may have the name of one field
  if (!hollow && !(sparse && lost.size > 2)) return;
  const actual = fresh.size > 0 ? 'other fields' : hollow ? 'none of them' : 'one of them';
  yield { rule: 'object-replaced', lost: [...lost], fresh: [...fresh], expected: listed([...lost]), actual };
}

/** JsonObject are there with their names spelled otherwise: `order_id` for `orderId`. It is one change, however many fields it hits. */
function* restyled({ object, fields: { properties, required }, fresh }: Search): Iterable<Rebuild> {
  if (fresh.size === 0) return;
  const absent = new Map<string, string>();
  for (const name of [...required.keys(), ...properties.keys()].sort().reverse()) {
    if (!Object.hasOwn(object, name)) absent.set(folded(name), name);
  }
  const pairs = [...fresh].flatMap((name): [string, string][] => {
    const was = absent.get(folded(name));
    if (was === undefined) return [];
    absent.delete(folded(name));
    return [[was, name]];
  });
  if (pairs.length === 0) return;
  const lost = pairs.map(([was]) => was).sort();
  const [first, second] = [true, false].map((wanted) => lost.filter((name) => required.has(name) === wanted));
  const names = pairs.map(([, name]) => name);
  yield {
    rule: 'fields-renamed',
    lost: [...(first ?? []), ...(second ?? [])],
    fresh: names,
    expected: 'the names',
    actual: `the same in ${commonStyle(names)}`,
    wanted: listed(lost),
  };
}

function* moved(search: Search): Iterable<Rebuild> {
  for (;;) {
    const down = movedDown(search);
    const changes = down === null ? [...movedUp(search)] : [down];
    if (changes.length === 0) return;
    yield* changes;
  }
}

/** The fields stand together in a new object inside: `{ data: … }`. A single one only where it was all there was. */
function movedDown({ object, lost, fresh, hollow }: Search): Rebuild | null {
  for (const name of lost.size === 0 ? [] : fresh) {
    const inside = objectWith(lost, object[name], '', 0);
    if (inside === null) continue;
    const moved = [...lost].filter((field) => Object.hasOwn(inside.object, field));
    if (moved.length < 2 && !hollow) continue;
    // Where nothing is left of what was there, all that is new is the envelope.
    const isEnvelope = hollow && moved.length === lost.size;
    return {
      rule: 'fields-moved',
      lost: moved,
      fresh: isEnvelope ? [name, ...[...fresh].filter((other) => other !== name)] : [name],
      expected: `${listed(moved)} at this level`,
      actual: `the same inside ${joinPointer('', name)}${inside.at}`,
    };
  }
  return null;
}

/** The first object that has most of some fields: one itself, or one inside of it. */
function objectWith(
  names: Search['lost'],
  object: unknown,
  at: string,
  depth: number,
): { readonly at: string; readonly object: JsonObject } | null {
  if (!isObject(object) || depth > DEEPEST) return null;
  const own = Object.keys(object);
  if (own.filter((name) => names.has(name)).length * 2 > names.size) return { at, object };
  for (const name of [...own].sort()) {
    const place = objectWith(names, object[name], joinPointer(at, name), depth + 1);
    if (place !== null) return place;
  }
  return null;
}

/** The objects around fields have gone, and they stand where those stood. */
function* movedUp({ contract, fields, lost, fresh, hollow }: Search): Iterable<Rebuild> {
  const left = new Set(fresh);
  for (const name of left.size === 0 ? [] : lost) {
    const inner = describe(contract, fields.properties.get(name) ?? []);
    const always = [...inner.required.keys()].sort();
    const moved = [...new Set([...inner.properties.keys(), ...always])].filter((field) => left.has(field)).sort();
    if (!always.every((field) => left.has(field)) || moved.length < (hollow ? 1 : 2)) continue;
    for (const field of moved) left.delete(field);
    yield {
      rule: 'fields-moved',
      lost: [name],
      fresh: moved,
      expected: `${listed(always.length > 0 ? always : moved)} inside ${joinPointer('', name)}`,
      actual: 'the same at this level',
    };
  }
}
