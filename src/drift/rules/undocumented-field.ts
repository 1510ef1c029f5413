import { walkFields } from '../fields.ts';
import { describedParts } from '../responses.ts';
import type { Observation, SampleRule } from '../rule.ts';
import { typeOf } from '../shape.ts';

/** A field beside those that the contract names. New, not broken. */
export const undocumentedField: SampleRule = {
  id: 'undocumented-field',
  scope: 'sample',
  *judge(sample, { contract }) {
    const parts = describedParts(contract, sample);
    const known = new Set<string>();
    const found = new Map<string, Observation>();
    for (const { at, value, schema } of parts) {
      walkFields(contract, schema, value, at, {
        known: (place) => void known.add(place),
        unknown(place, child, parent) {
          found.set(place, {
            operationId: sample.operation.operationId,
            pointer: place,
            expected: 'no such field',
            actual: typeOf(child),
            source: parent,
            exchanges: [sample.exchange.seq],
          });
        },
      });
    }
    // What one of two schemas of the same part names is named.
    for (const [place, observation] of found) if (!known.has(place)) yield observation;
  },
};
