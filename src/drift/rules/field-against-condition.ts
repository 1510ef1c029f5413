import { walkFields } from '../fields.ts';
import { describedParts } from '../responses.ts';
import type { Observation, SampleRule } from '../rule.ts';
import { typeOf } from '../shape.ts';
import { unfulfilled } from '../unfulfilled.ts';

/** A field is there although the condition does not hold under which alone it is documented (`x-only-when`). */
export const fieldAgainstCondition: SampleRule = {
  id: 'field-against-condition',
  scope: 'sample',
  judge(sample, knowledge) {
    // What is documented and what was recorded may both speak of one field.
    const found = new Map<object, Map<string, Observation>>();
    for (const part of describedParts(knowledge.contract, sample)) {
      walkFields(knowledge.contract, part.schema, part.value, part.at, {
        known(at, _, present, schemas, { name, object }) {
          if (!present || object[name] === null) return;
          const only = unfulfilled(sample, knowledge, { at, schemas, object });
          const fields = found.get(object) ?? new Map<string, Observation>();
          if (only === null || fields.has(name)) return;
          found.set(object, fields);
          fields.set(name, {
            operationId: sample.operation.operationId,
            pointer: at,
            expected: 'no such field',
            actual: typeOf(object[name]),
            about: only.condition,
            source: only.pointer,
            exchanges: [sample.exchange.seq],
          });
        },
        unknown() {},
      });
    }
    return [...found.values()].flatMap((fields) => [...fields.values()]);
  },
};
