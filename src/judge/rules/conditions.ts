import { type OnlyWhen, onlyWhen } from '../../contract/conditions.ts';
import { typeOf } from '../../schema/json.ts';
import type { Field } from '../../schema/walk.ts';
import { placesIn } from '../places.ts';
import { walkAnswer } from '../responses.ts';
import { type AnswerRule, BY_PROVENANCE, type Knowledge, placeOf, type Sample } from '../rule.ts';

export const fieldAgainstCondition: AnswerRule = {
  id: 'field-against-condition',
  title: 'A field is present although its condition is false',
  severity: BY_PROVENANCE,
  judges: ['live'],
  message: (observation) =>
    `${placeOf(observation)} is documented only for ${observation.about} records, and this record is not ${observation.about}.`,
  of: 'answer',
  judge: (sample, knowledge) =>
    placesIn(sample, (see) =>
      walkAnswer(knowledge.contract, sample, (visit) => {
        const { at, value } = visit;
        if (visit.kind !== 'named' || value === undefined || value === null) return;
        const only = unfulfilled(sample, knowledge, visit);
        if (only === null) return;
        see(at, { expected: 'no such field', actual: typeOf(value), about: only.condition, source: only.pointer });
      }),
    ),
};

/**
 * The condition of a field (`x-only-when`), if it is known to be false for the object that has or lacks the field.
 * Parameters describe one record, not list items.
 */
export function unfulfilled(
  { call }: Sample,
  { circumstances }: Knowledge,
  { at, node, object }: Field,
): OnlyWhen | null {
  const only = onlyWhen(node);
  if (only === null) return null;
  const parameters = at.includes('/*') ? {} : call.parameters;
  return circumstances.holds(only.condition, { record: object, parameters }) === false ? only : null;
}
