import type { Contract } from '../spec/contract.ts';
import { walkFields } from './fields.ts';
import { explainedPlaces } from './rebuilt.ts';
import { createShape, observe, type Shape } from './record/shape.ts';
import { describedParts } from './responses.ts';
import type { Observation, Sample } from './rule.ts';
import { typesOfShape } from './shape-text.ts';

/** A field beside those that the contract names, and whether a recording names the others. */
export interface UnknownField {
  readonly recorded: boolean;
  readonly observation: Observation;
}

/** Fields of a good answer that no schema names, in objects of which some schema names fields. */
export function unknownFields(contract: Contract, sample: Sample): UnknownField[] {
  const known = new Set<string>();
  const found = new Map<string, { recorded: boolean; shape: Shape; source: string }>();
  for (const { at, value, schema } of describedParts(contract, sample)) {
    walkFields(contract, schema, value, at, {
      known: (place) => void known.add(place),
      mapped: (place) => void known.add(place),
      unknown(place, child, parent, namers) {
        const recording = namers.find((namer) => contract.provenanceOf(namer) === 'observed');
        const before = found.get(place);
        // The same part is described twice where it was recorded too; the items of a list are parts of their own.
        if (before?.recorded === true && recording === undefined) return;
        const shape =
          before !== undefined && before.recorded === (recording !== undefined) ? before.shape : createShape();
        observe(shape, child);
        found.set(place, { recorded: recording !== undefined, shape, source: recording ?? parent });
      },
    });
  }
  // What one of two schemas of the same part names is named; what only moved is told as that.
  const explained = explainedPlaces(contract, sample);
  return [...found]
    .filter(([place]) => !known.has(place) && !explained.has(place))
    .map(([place, { recorded, shape, source }]) => ({
      recorded,
      observation: {
        operationId: sample.operation.operationId,
        pointer: place,
        expected: 'no such field',
        actual: typesOfShape(shape),
        found: shape,
        source,
        exchanges: [sample.exchange.seq],
      },
    }));
}
