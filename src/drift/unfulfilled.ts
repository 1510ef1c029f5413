import { type OnlyWhen, onlyWhen } from '../spec/conditions.ts';
import type { Knowledge, Sample } from './rule.ts';

/**
 * The condition of a field (`x-only-when`) where it is known not to hold of the object that has the field, or lacks it. A call names
 * one record; what a list holds are others, each of which has to say for itself.
 *
 * @param at pointer of the field in the answer
 * @param schemas all that describe the field
 */
export function unfulfilled(
  { call }: Sample,
  { contract, circumstances }: Knowledge,
  { at, schemas, object }: { readonly at: string; readonly schemas: readonly string[]; readonly object: object },
): OnlyWhen | null {
  const only = onlyWhen(contract, schemas);
  if (only === null) return null;
  const parameters = at.includes('/*') ? {} : call.parameters;
  return circumstances.holds(only.condition, { record: object, parameters }) === false ? only : null;
}
