import type { SampleRule } from '../rule.ts';
import { unknownFields } from '../unknown-fields.ts';

/** A field beside those that the contract names, where nothing was recorded. New, not broken. */
export const undocumentedField: SampleRule = {
  id: 'undocumented-field',
  scope: 'sample',
  *judge(sample, { contract }) {
    for (const { recorded, observation } of unknownFields(contract, sample)) if (!recorded) yield observation;
  },
};
