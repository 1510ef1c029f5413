import type { Contract } from '../../contract/contract.ts';
import { basisFrom } from '../../contract/provenance.ts';
import { joinPointer } from '../../pointer.ts';
import { type Description, describe, type Fields, walkFields } from '../fields.ts';
import { describedParts } from '../responses.ts';
import { type AnswerRule, BY_PROVENANCE, type Observation, ofSample, placeOf, type Sample } from '../rule.ts';
import { shapeOf } from '../shape.ts';
import { listed } from '../shape-text.ts';

/** An object that was built otherwise as a whole: one change, though many fields are not where they were. */
export interface Rebuilt {
  readonly rule: 'fields-moved' | 'object-replaced';
  readonly observation: Observation;
  /** Places of the fields that are gone or new for this reason alone. */
  readonly explains: readonly string[];
}

/** What became of the fields of an object. */
export interface Rebuild {
  readonly rule: Rebuilt['rule'];
  /** Fields that were required and have gone. */
  readonly lost: readonly string[];
  readonly fresh: readonly string[];
  readonly expected: string;
  readonly actual: string;
}

/** A sample is made anew for each judgement, and three rules ask for the same. */
const known = new WeakMap<Sample, readonly Rebuilt[]>();

/** The objects of a good answer whose required fields stand elsewhere now, or that hold none of their fields any more. */
function rebuiltObjects(contract: Contract, sample: Sample): readonly Rebuilt[] {
  const made = known.get(sample) ?? findRebuilt(contract, sample);
  known.set(sample, made);
  return made;
}

/** Places of a good answer that need no finding of their own. */
export function explainedPlaces(contract: Contract, sample: Sample): ReadonlySet<string> {
  return new Set(rebuiltObjects(contract, sample).flatMap(({ explains }) => explains));
}

/** Places of the objects themselves. */
export function rebuiltPlaces(contract: Contract, sample: Sample): ReadonlySet<string> {
  return new Set(rebuiltObjects(contract, sample).map(({ observation }) => observation.pointer));
}

/** A rule over one sort of rebuilt objects. */
function rebuiltRule<Id extends Rebuilt['rule']>(
  info: Pick<AnswerRule<Id>, 'id' | 'title' | 'message'>,
): AnswerRule<Id> {
  return {
    ...info,
    severity: BY_PROVENANCE,
    reference: 'API reference, Resources and their fields',
    judges: ['live', 'diff', 'assumptions'],
    of: 'answer',
    *judge(sample, { contract }) {
      for (const { rule, observation } of rebuiltObjects(contract, sample)) if (rule === info.id) yield observation;
    },
  };
}

/** Fields that were required together stand in another object than before: the answer was wrapped, unwrapped or regrouped. */
export const fieldsMoved: AnswerRule<'fields-moved'> = rebuiltRule({
  id: 'fields-moved',
  title: 'Fields of an object stand elsewhere now',
  message: (seen) => `${placeOf(seen)} was built otherwise: ${seen.expected} → ${seen.actual}.`,
});

/** An object that holds none of its fields any more, nor do they stand together elsewhere in it. */
export const objectReplaced: AnswerRule<'object-replaced'> = rebuiltRule({
  id: 'object-replaced',
  title: 'An object holds none of its fields',
  message: (seen) => `${placeOf(seen)} has none of its fields (${seen.expected}) and is ${seen.actual}.`,
});

function findRebuilt(contract: Contract, sample: Sample): Rebuilt[] {
  const found = new Map<string, Rebuilt>();
  for (const part of describedParts(contract, sample)) {
    const basis = basisFrom(contract, part.schema);
    walkFields(contract, part.schema, part.value, part.at, {
      object(at, value, fields) {
        for (const change of changesOf(contract, namedOf(value), fields)) {
          const source = fields.required.get(change.lost[0] ?? '') ?? part.schema;
          addChange(found, at, change, {
            ...ofSample(sample),
            ...(change.rule === 'object-replaced' ? { found: shapeOf(value) } : {}),
            source,
            provenance: basis(source),
          });
        }
      },
    });
  }
  return [...found.values()];
}

/** Adds what became of an object at a place. What is documented stands first: a part that was recorded too adds fields only. */
export function addChange(
  found: Map<string, Rebuilt>,
  at: string,
  { rule, lost, fresh, expected, actual }: Rebuild,
  seen: Omit<Observation, 'pointer' | 'expected' | 'actual'>,
): void {
  const key = `${rule}\n${at}\n${actual}`;
  const before = found.get(key);
  found.set(key, {
    rule,
    observation: before?.observation ?? { ...seen, pointer: at, expected, actual },
    explains: [...(before?.explains ?? []), ...[...lost, ...fresh].map((name) => joinPointer(at, name))],
  });
}

/** An object by the names of its fields, whether it is a value or only described. */
export interface NamedObject {
  has(name: string): boolean;
  names(): readonly string[];
  /** What stands in a field, where that is an object. */
  inside(name: string): NamedObject | null;
}

function namedOf(value: Fields): NamedObject {
  return {
    has: (name) => Object.hasOwn(value, name),
    names: () => Object.keys(value),
    inside: (name) => {
      const child = value[name];
      return typeof child !== 'object' || child === null || Array.isArray(child) ? null : namedOf(child as Fields);
    },
  };
}

/** What became of the fields of an object where they are not what its schemas require. */
export function* changesOf(contract: Contract, object: NamedObject, fields: Description): Iterable<Rebuild> {
  // fields that are not named have a schema, too
  if (fields.patterns.length + fields.rest.length > 0) return;
  const known = new Set([...fields.properties.keys(), ...fields.required.keys()]);
  const lost = new Set([...fields.required.keys()].filter((name) => !object.has(name)).sort());
  if (lost.size === 0) return;
  const names = object.names();
  const fresh = new Set(names.filter((name) => !known.has(name)).sort());
  const hollow = fresh.size === names.length;
  for (;;) {
    const down = movedDown(object, lost, fresh, hollow);
    const changes = down === null ? [...movedUp(contract, fields, lost, fresh, hollow)] : [down];
    if (changes.length === 0) break;
    for (const change of changes) {
      yield change;
      for (const name of change.lost) lost.delete(name);
      for (const name of change.fresh) fresh.delete(name);
    }
  }
  if (!hollow || lost.size < 2) return;
  const actual = fresh.size > 0 ? 'other fields' : 'none of them';
  yield { rule: 'object-replaced', lost: [...lost], fresh: [...fresh], expected: listed([...lost]), actual };
}

type Names = ReadonlySet<string>;

/** The fields stand together in a new object inside: `{ data: … }`. A single one only where it was all there was. */
function movedDown(object: NamedObject, lost: Names, fresh: Names, hollow: boolean): Rebuild | null {
  for (const name of lost.size === 0 ? [] : fresh) {
    const inside = objectWith(lost, object.inside(name), '', 0);
    if (inside === null) continue;
    const moved = [...lost].filter((field) => inside.object.has(field));
    if (moved.length < 2 && !hollow) continue;
    return {
      rule: 'fields-moved',
      lost: moved,
      fresh: [name],
      expected: `${listed(moved)} at this level`,
      actual: `the same inside ${joinPointer('', name)}${inside.at}`,
    };
  }
  return null;
}

const DEEPEST = 3;

/** The first object that has most of some fields: one itself, or one inside of it. */
function objectWith(
  names: Names,
  object: NamedObject | null,
  at: string,
  depth: number,
): { readonly at: string; readonly object: NamedObject } | null {
  if (object === null || depth > DEEPEST) return null;
  const own = object.names();
  if (own.filter((name) => names.has(name)).length * 2 > names.size) return { at, object };
  for (const name of [...own].sort()) {
    const place = objectWith(names, object.inside(name), joinPointer(at, name), depth + 1);
    if (place !== null) return place;
  }
  return null;
}

/** The objects around fields have gone, and they stand where those stood. */
function* movedUp(
  contract: Contract,
  { properties }: Description,
  lost: Names,
  fresh: Names,
  hollow: boolean,
): Iterable<Rebuild> {
  const left = new Set(fresh);
  for (const name of left.size === 0 ? [] : lost) {
    const inner = describe(contract, properties.get(name) ?? []);
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
