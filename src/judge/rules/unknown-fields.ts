import type { Contract } from '../../contract/contract.ts';
import { spreadOfNewField } from '../causes/spreads.ts';
import { placesIn } from '../places.ts';
import { isRecorded, walkAnswer } from '../responses.ts';
import { type AnswerRule, type Observation, placeOf, type Sample } from '../rule.ts';
import { explainedPlaces } from './rebuilt.ts';

export const unrecordedField: AnswerRule = {
  id: 'unrecorded-field',
  title: 'A field that is new since the recording',
  severity: { observed: 'warning' },
  judges: ['live', 'diff'],
  ofPlace: true,
  spreads: spreadOfNewField,
  message: (observation) =>
    `${placeOf(observation)} (${observation.actual}) was not there when the answer was recorded.`,
  of: 'answer',
  judge: (sample, { contract }) => unknownFields(contract, sample, true),
};

export const undocumentedField: AnswerRule = {
  id: 'undocumented-field',
  title: 'A field that is not documented',
  severity: 'info',
  judges: ['live', 'diff'],
  ofPlace: true,
  spreads: spreadOfNewField,
  message: (observation) => `${placeOf(observation)} (${observation.actual}) is new or undocumented.`,
  of: 'answer',
  // A new field in a recorded answer is either unrecorded or part of a structure that another rule reports.
  judge: (sample, { contract }) =>
    isRecorded(contract, sample.operation, sample.status) ? [] : unknownFields(contract, sample, false),
};

/** @param isNew whether to report fields of recorded objects, or fields of objects that are only documented */
function unknownFields(contract: Contract, sample: Sample, isNew: boolean): Observation[] {
  // moved fields are reported as moved
  const explained = explainedPlaces(contract, sample);
  return placesIn(sample, (see) =>
    walkAnswer(contract, sample, (visit) => {
      if (visit.kind !== 'unknown' || explained.has(visit.at)) return;
      const { naming } = visit.holder;
      const recording = naming.find((schema) => contract.provenanceOf(schema) === 'observed');
      if ((recording !== undefined) !== isNew) return;
      see(visit.at, { expected: 'no such field', source: recording ?? naming[0] ?? '' }, visit.value);
    }),
  );
}
