import { isRecorded } from '../responses.ts';
import type { SampleRule } from '../rule.ts';
import { unknownFields } from '../unknown-fields.ts';

/** A field beside those that the contract names, where nothing was recorded. New, not broken. */
export const undocumentedField: SampleRule = {
  id: 'undocumented-field',
  scope: 'sample',
  *judge(sample, { contract }) {
    // What is in none of its objects that were recorded is told as that, or came with a structure that is told as another.
    if (isRecorded(contract, sample.operation, sample.status)) return;
    for (const { recorded, observation } of unknownFields(contract, sample)) if (!recorded) yield observation;
  },
};
