import type { SampleRule } from '../rule.ts';
import { unknownFields } from '../unknown-fields.ts';

/** A field that was not there when the answer was recorded. */
export const unrecordedField: SampleRule = {
  id: 'unrecorded-field',
  scope: 'sample',
  *judge(sample, { contract }) {
    for (const { recorded, observation } of unknownFields(contract, sample)) if (recorded) yield observation;
  },
};
