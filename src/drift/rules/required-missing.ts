import { joinPointer } from '../../spec/pointer.ts';
import { walkFields } from '../fields.ts';
import { explainedPlaces, rebuiltPlaces } from '../rebuilt.ts';
import { describedParts } from '../responses.ts';
import type { Knowledge, Observation, Sample, SampleRule } from '../rule.ts';
import { textOfSchema } from '../shape-text.ts';
import { unfulfilled } from '../unfulfilled.ts';
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
    yield* conditionalMissing(sample, knowledge);
  },
};

/** Fields that are documented for some cases only (`x-only-when`), and that were always there when recorded. */
function conditionalMissing(sample: Sample, knowledge: Knowledge): Observation[] {
  const { contract } = knowledge;
  const rebuilt = rebuiltPlaces(contract, sample);
  const found: Observation[] = [];
  for (const { at, value, schema } of describedParts(contract, sample)) {
    walkFields(contract, schema, value, at, {
      known(place, first, present, schemas, { object }) {
        const recorded = schemas.find((pointer) => contract.at(joinPointer(pointer, 'x-always-there')) === true);
        if (present || recorded === undefined || rebuilt.has(place.slice(0, place.lastIndexOf('/')))) return;
        if (unfulfilled(sample, knowledge, { at: place, schemas, object }) !== null) return;
        found.push({
          operationId: sample.operation.operationId,
          pointer: place,
          expected: 'the field',
          actual: 'no such field',
          wanted: textOfSchema(contract, first) ?? undefined,
          source: recorded,
          exchanges: [sample.exchange.seq],
        });
      },
      unknown() {},
    });
  }
  return found;
}
