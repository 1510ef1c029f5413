import type { Contract } from '../../contract/contract.ts';
import { spreadOfNewField } from '../causes/spreads.ts';
import { walkFields } from '../fields.ts';
import { describedParts, isRecorded } from '../responses.ts';
import { type AnswerRule, MOST_TOLD, type Observation, ofSample, placeOf, type Sample } from '../rule.ts';
import { createShape, observe, type Shape } from '../shape.ts';
import { typesOfShape } from '../shape-text.ts';
import { explainedPlaces } from './rebuilt.ts';

export const unrecordedField: AnswerRule<'unrecorded-field'> = {
  id: 'unrecorded-field',
  title: 'A field that is new since the recording',
  severity: { observed: 'warning' },
  reference: 'API reference, Resources and their fields',
  judges: ['live', 'diff'],
  ofPlace: true,
  spreads: spreadOfNewField,
  message: (observation) =>
    `${placeOf(observation)} (${observation.actual}) was not there when the answer was recorded.`,
  of: 'answer',
  *judge(sample, { contract }) {
    for (const { recorded, observation } of unknownFields(contract, sample)) if (recorded) yield observation;
  },
};

export const undocumentedField: AnswerRule<'undocumented-field'> = {
  id: 'undocumented-field',
  title: 'A field that is not documented',
  severity: 'info',
  reference: 'API reference, Resources and their fields',
  judges: ['live', 'diff'],
  ofPlace: true,
  spreads: spreadOfNewField,
  message: (observation) => `${placeOf(observation)} (${observation.actual}) is new or undocumented.`,
  of: 'answer',
  *judge(sample, { contract }) {
    // What is in none of its objects that were recorded is told as that, or came with a structure that is told as another.
    if (isRecorded(contract, sample.operation, sample.status)) return;
    for (const { recorded, observation } of unknownFields(contract, sample)) if (!recorded) yield observation;
  },
};

interface UnknownField {
  readonly recorded: boolean;
  readonly observation: Observation;
}

function unknownFields(contract: Contract, sample: Sample): UnknownField[] {
  const known = new Set<string>();
  const found = new Map<string, { recorded: boolean; by: string; shape: Shape; source: string; times: number }>();
  for (const { at, value, schema } of describedParts(contract, sample)) {
    walkFields(contract, schema, value, at, {
      known: (place) => void known.add(place),
      mapped: (place) => void known.add(place),
      unknown(place, child, parent, namers) {
        const recording = namers.find((namer) => contract.provenanceOf(namer) === 'observed');
        const before = found.get(place);
        // The same part is described twice where it was recorded too; the items of a list are parts of their own.
        if (before?.recorded === true && recording === undefined) return;
        if (before === undefined && found.size > MOST_TOLD) return;
        const recorded = recording !== undefined;
        const same = before?.recorded === recorded ? before : { by: schema, shape: createShape(), times: 0 };
        observe(same.shape, child);
        const times = same.times + (same.by === schema ? 1 : 0);
        found.set(place, { ...same, recorded, source: recording ?? parent, times });
      },
    });
  }
  // What one of two schemas of the same part names is named; what only moved is told as that.
  const explained = explainedPlaces(contract, sample);
  return [...found]
    .filter(([place]) => !known.has(place) && !explained.has(place))
    .map(([place, { recorded, shape, source, times }]) => ({
      recorded,
      observation: {
        ...ofSample(sample),
        pointer: place,
        expected: 'no such field',
        actual: typesOfShape(shape),
        found: shape,
        source,
        times,
      },
    }));
}
