import type { Contract } from '../../contract/contract.ts';
import { basisFrom } from '../../contract/provenance.ts';
import { isObject } from '../../schema/json.ts';
import type { Provenance } from '../../schema/schema-document.ts';
import type { SchemaFacts } from '../../schema/schema-facts.ts';
import { joinPointer } from '../../text/pointer.ts';
import { changesOf, HERE, type Rebuild, wrappedList } from '../causes/rebuild.ts';
import { answerSchemas, basisOfAnswer, walkAnswer } from '../responses.ts';
import { type AnswerRule, BY_PROVENANCE, type Observation, ofSample, placeOf, type Sample } from '../rule.ts';
import { shapeOf } from '../shape.ts';

export interface Rebuilt {
  readonly rule: Rebuild['rule'];
  readonly observation: Observation;
  readonly explains: readonly string[];
}

/** Each judgement creates new samples, and three rules ask for the same one. */
const known = new WeakMap<Sample, readonly Rebuilt[]>();

function rebuiltObjects(contract: Contract, sample: Sample): readonly Rebuilt[] {
  const made = known.get(sample) ?? findRebuilt(contract, sample);
  known.set(sample, made);
  return made;
}

export function explainedPlaces(contract: Contract, sample: Sample): ReadonlySet<string> {
  return new Set(rebuiltObjects(contract, sample).flatMap(({ explains }) => explains));
}

export function rebuiltPlaces(contract: Contract, sample: Sample): ReadonlySet<string> {
  return new Set(rebuiltObjects(contract, sample).map(({ observation }) => observation.pointer));
}

function rebuiltRule(info: Pick<AnswerRule, 'id' | 'title' | 'message' | 'spreads'>): AnswerRule {
  return {
    ...info,
    severity: BY_PROVENANCE,
    judges: ['live', 'diff', 'assumptions'],
    of: 'answer',
    *judge(sample, { contract }) {
      for (const { rule, observation } of rebuiltObjects(contract, sample)) if (rule === info.id) yield observation;
    },
  };
}

export const fieldsMoved: AnswerRule = rebuiltRule({
  id: 'fields-moved',
  title: 'Fields of an object have moved',
  spreads: ({ pointer, expected, actual }) => {
    // An envelope around each answer contains different fields in each.
    if (pointer !== '') return [];
    const level = actual === HERE ? expected.slice(expected.lastIndexOf('inside /')) : 'at this level';
    return [{ about: '', expected: `the fields ${level}`, actual }];
  },
  message: (seen) => `In ${placeOf(seen)}, ${seen.expected} are now ${seen.actual.replace(/^the same /, '')}.`,
});

export const fieldsRenamed: AnswerRule = rebuiltRule({
  id: 'fields-renamed',
  title: 'Fields of an object were renamed',
  spreads: ({ expected, actual }) => [{ about: '', expected, actual }],
  message: (seen) => `${placeOf(seen)} has fields under other names: ${seen.expected} → ${seen.actual}.`,
});

export const objectReplaced: AnswerRule = rebuiltRule({
  id: 'object-replaced',
  title: 'An object has none of its fields, or one',
  spreads: ({ pointer, actual }) =>
    pointer === '' ? [{ about: '', expected: 'its own fields', actual, least: 2 }] : [],
  message: (seen) => `${placeOf(seen)} lacks its fields (${seen.expected}) and is ${seen.actual}.`,
});

type Basis = (pointer: string) => Provenance;
type Source = Pick<Observation, 'source' | 'provenance'>;

function findRebuilt(contract: Contract, sample: Sample): readonly Rebuilt[] {
  const found = new Map<string, Rebuilt>();
  const all = basisOfAnswer(contract, sample);
  const last = answerSchemas(contract, sample.operation, sample.status).at(-1)?.schema ?? '';
  const own = basisFrom(contract, last);
  walkAnswer(contract, sample, ({ at, value, node }) => {
    if (!isObject(value)) return;
    const { items, naming, others, patterns } = node;
    for (const change of naming.length > 0 ? changesOf(contract, value, node) : []) {
      const shape = change.rule === 'object-replaced' ? { found: shapeOf(value) } : {};
      const source = naming.at(-1) ?? last;
      const contradicted = contradictedBy(change, node, all, own) ?? { source, provenance: own(source) };
      addChange(found, at, change, { ...ofSample(sample), ...shape, ...contradicted });
    }
    // A place that is also described as an object does not need a list.
    if (items[0] === undefined || naming.length + others.length + patterns.length > 0) return;
    const change = wrappedList(node.at(items), value);
    const source = joinPointer(items[0].replace(/\/items$/, ''), 'type');
    if (change !== null) addChange(found, at, change, { ...ofSample(sample), source, provenance: all(source) });
  });
  return outermost([...found.values()]);
}

/** Prefers a documented source for renamed fields: the spelling is documented even for an optional field. */
function contradictedBy(
  { rule, lost, wanted }: Rebuild,
  { demanded, properties }: SchemaFacts,
  all: Basis,
  own: Basis,
): Source | undefined {
  const ofField = wanted === undefined ? own : all;
  const sources = lost.flatMap((name): Source[] => [
    ...[demanded.get(name) ?? []].flat().map((source) => ({ source, provenance: all(source) })),
    ...(properties.get(name) ?? []).map((source) => ({ source, provenance: ofField(source) })),
  ]);
  const documented =
    rule === 'fields-renamed' ? sources.find(({ provenance }) => provenance === 'documented') : undefined;
  return documented ?? sources[0];
}

function addChange(
  found: Map<string, Rebuilt>,
  at: string,
  { rule, lost, fresh, expected, actual, wanted, inside = [] }: Rebuild,
  seen: Omit<Observation, 'pointer' | 'expected' | 'actual'>,
): void {
  const own = rule === 'object-replaced' ? '' : expected;
  const key = [rule, at, own, actual].join('\n');
  const before = found.get(key);
  const named = [...lost, ...fresh].map((name) => joinPointer(at, name));
  found.set(key, {
    rule,
    observation: before?.observation ?? { ...seen, pointer: at, expected, actual, wanted },
    explains: [...(before?.explains ?? []), ...named, ...inside.map((place) => `${at}${place}`)],
  });
}

/** A rename in an object covers the same rename in the objects inside it. One new spelling is one change. */
function outermost(changes: readonly Rebuilt[]): readonly Rebuilt[] {
  const isUnder = (one: Rebuilt, other: Rebuilt): boolean =>
    one !== other &&
    one.rule === 'fields-renamed' &&
    other.rule === one.rule &&
    other.observation.expected === one.observation.expected &&
    other.observation.actual === one.observation.actual &&
    one.observation.pointer.startsWith(`${other.observation.pointer}/`);
  const kept = changes.filter((one) => !changes.some((other) => isUnder(one, other)));
  return kept.map((one) => {
    const all = [one, ...changes.filter((other) => isUnder(other, one))];
    const gravest = all.find(({ observation }) => observation.provenance === 'documented') ?? one;
    const { source, provenance } = gravest.observation;
    return {
      rule: one.rule,
      observation: { ...one.observation, source, ...(provenance === undefined ? {} : { provenance }) },
      explains: all.flatMap(({ explains }) => explains),
    };
  });
}
