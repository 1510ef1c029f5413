import { basisFrom } from '../../spec/basis.ts';
import type { Contract } from '../../spec/contract.ts';
import { joinPointer } from '../../spec/pointer.ts';
import { type Description, describe, walkFields } from '../fields.ts';
import { listed } from '../listed.ts';
import { shapeOf } from '../record/shape.ts';
import { describedParts } from '../responses.ts';
import { type Observation, ofSample, placeOf, type RuleInfo, type Sample, type SampleRule } from '../rule.ts';

/** An object that was built otherwise as a whole: one change, though many fields are not where they were. */
interface Rebuilt {
  readonly rule: 'fields-moved' | 'object-replaced';
  readonly observation: Observation;
  /** Places of the fields that are gone or new for this reason alone. */
  readonly explains: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** What became of the fields of an object. */
interface Change {
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
function rebuiltRule(id: Rebuilt['rule'], info: Pick<RuleInfo, 'title' | 'message'>): SampleRule {
  return {
    ...info,
    reference: 'API reference, Resources and their fields',
    scope: 'sample',
    *judge(sample, { contract }) {
      for (const { rule, observation } of rebuiltObjects(contract, sample)) if (rule === id) yield observation;
    },
  };
}

/** Fields that were required together stand in another object than before: the answer was wrapped, unwrapped or regrouped. */
export const fieldsMoved: SampleRule = rebuiltRule('fields-moved', {
  title: 'Fields of an object stand elsewhere now',
  message: (seen) => `${placeOf(seen)} was built otherwise: ${seen.expected} → ${seen.actual}.`,
});

/** An object that holds none of its fields any more, nor do they stand together elsewhere in it. */
export const objectReplaced: SampleRule = rebuiltRule('object-replaced', {
  title: 'An object holds none of its fields',
  message: (seen) => `${placeOf(seen)} has none of its fields (${seen.expected}) and is ${seen.actual}.`,
});

function findRebuilt(contract: Contract, sample: Sample): Rebuilt[] {
  const found = new Map<string, Rebuilt>();
  for (const part of describedParts(contract, sample)) {
    const basis = basisFrom(contract, part.schema);
    walkFields(contract, part.schema, part.value, part.at, {
      object(at, value, fields) {
        for (const { rule, lost, fresh, expected, actual } of changesOf(contract, value, fields)) {
          const source = fields.required.get(lost[0] ?? '') ?? part.schema;
          const key = `${rule}\n${at}\n${actual}`;
          // What is documented stands first: a part that was recorded too adds fields only.
          const before = found.get(key);
          const explains = [...lost, ...fresh].map((name) => joinPointer(at, name));
          found.set(key, {
            rule,
            observation: before?.observation ?? {
              ...ofSample(sample),
              pointer: at,
              expected,
              actual,
              ...(rule === 'object-replaced' ? { found: shapeOf(value) } : {}),
              source,
              provenance: basis(source),
            },
            explains: [...(before?.explains ?? []), ...explains],
          });
        }
      },
    });
  }
  return [...found.values()];
}

function* changesOf(contract: Contract, value: Fields, fields: Description): Iterable<Change> {
  // fields that are not named have a schema, too
  if (fields.patterns.length + fields.rest.length > 0) return;
  const names = new Set([...fields.properties.keys(), ...fields.required.keys()]);
  let lost = [...fields.required.keys()].filter((name) => !Object.hasOwn(value, name)).sort();
  let fresh = Object.keys(value)
    .filter((name) => !names.has(name))
    .sort();
  const hollow = [...names].every((name) => !Object.hasOwn(value, name));
  while (lost.length > 0) {
    const change = movedDown(value, lost, fresh, hollow) ?? movedUp(contract, fields, lost, fresh, hollow);
    if (change === null) break;
    yield change;
    lost = lost.filter((name) => !change.lost.includes(name));
    fresh = fresh.filter((name) => !change.fresh.includes(name));
  }
  if (!hollow || lost.length < 2) return;
  const actual = fresh.length > 0 ? 'other fields' : 'none of them';
  yield { rule: 'object-replaced', lost, fresh, expected: listed(lost), actual };
}

/** The fields stand together in a new object inside: `{ data: … }`. A single one only where it was all there was. */
function movedDown(value: Fields, lost: readonly string[], fresh: readonly string[], hollow: boolean): Change | null {
  for (const name of fresh) {
    const inside = objectWith(lost, value[name], '', 0);
    if (inside === null) continue;
    const moved = lost.filter((field) => Object.hasOwn(inside.fields, field));
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

/** The first object in a value that has most of some fields. */
function objectWith(
  names: readonly string[],
  value: unknown,
  at: string,
  depth: number,
): { at: string; fields: Fields } | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > DEEPEST) return null;
  const fields = value as Fields;
  if (names.filter((name) => Object.hasOwn(fields, name)).length * 2 > names.length) return { at, fields };
  for (const [name, child] of Object.entries(fields)) {
    const place = objectWith(names, child, joinPointer(at, name), depth + 1);
    if (place !== null) return place;
  }
  return null;
}

/** The object around the fields has gone, and they stand where it stood. */
function movedUp(
  contract: Contract,
  { properties }: Description,
  lost: readonly string[],
  fresh: readonly string[],
  hollow: boolean,
): Change | null {
  for (const name of lost) {
    const inner = describe(contract, properties.get(name) ?? []);
    const moved = fresh.filter((field) => inner.properties.has(field) || inner.required.has(field));
    const all = [...inner.required.keys()].every((field) => moved.includes(field));
    if (!all || moved.length < (hollow ? 1 : 2)) continue;
    const always = [...inner.required.keys()].sort();
    return {
      rule: 'fields-moved',
      lost: [name],
      fresh: moved,
      expected: `${listed(always.length > 0 ? always : moved)} inside ${joinPointer('', name)}`,
      actual: 'the same at this level',
    };
  }
  return null;
}
