import { explainedPlaces } from '../rebuilt.ts';
import type { SampleRule } from '../rule.ts';
import { schemaRule } from './schema-contradiction.ts';

const missing = schemaRule('required-missing');

/** A required field is not there, and it did not go with the object that it stood in. */
export const requiredMissing: SampleRule = {
  ...missing,
  *judge(sample, knowledge) {
    const explained = explainedPlaces(knowledge.contract, sample);
    for (const observation of missing.judge(sample, knowledge)) {
      if (!explained.has(observation.pointer)) yield observation;
    }
  },
};
