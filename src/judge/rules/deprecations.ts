import type { Operation } from '../../contract/contract.ts';
import { joinPointer } from '../../text/pointer.ts';
import { isRecorded } from '../responses.ts';
import { MOST_TOLD, placeOf, type RunRule, type Sample } from '../rule.ts';
import { createShape, numeric, observe, type Shape, timesSeen } from '../shape.ts';
import { listed } from '../shape-text.ts';
import { explainedPlaces } from './rebuilt.ts';

interface Difference {
  readonly at: string;
  readonly expected: string;
  readonly actual: string;
}

/** A field counts if all objects of one form and no object of its counterpart have it. Types count if disjoint. */
export function* shapeDifferences(current: Shape, deprecated: Shape, at = ''): Generator<Difference> {
  const [wanted, given] = [typesIn(current), typesIn(deprecated)];
  if (wanted.size === 0 || given.size === 0) return;
  if (wanted.isDisjointFrom(given)) {
    yield { at, expected: textOf(wanted), actual: textOf(given) };
    return;
  }
  const [ours, theirs] = [new Set(current.fields.keys()), new Set(deprecated.fields.keys())];
  if (ours.size > 0 && theirs.size > 0 && ours.isDisjointFrom(theirs)) {
    const [expected, actual] = [ours, theirs].map((names) => `object with ${listed([...names].sort())}`);
    yield { at, expected: expected ?? '', actual: actual ?? '' };
    return;
  }
  for (const name of ours.union(theirs)) {
    const place = joinPointer(at, name);
    const [here, there] = [current.fields.get(name), deprecated.fields.get(name)];
    if (here !== undefined && there !== undefined) yield* shapeDifferences(here, there, place);
    else if (isAlways(here, current) || isAlways(there, deprecated)) {
      yield { at: place, expected: textOf(typesIn(here)), actual: textOf(typesIn(there)) };
    }
  }
  if (current.items !== null && deprecated.items !== null) {
    yield* shapeDifferences(current.items, deprecated.items, `${at}/*`);
  }
}

function typesIn(shape: Shape | undefined): Set<string> {
  const types = [...(shape?.types.keys() ?? [])].filter((type) => type !== 'null');
  return new Set(types.map(numeric));
}

function textOf(types: ReadonlySet<string>): string {
  return [...types].sort().join(' or ') || 'no such field';
}

function isAlways(field: Shape | undefined, { types }: Shape): boolean {
  return field !== undefined && typesIn(field).size > 0 && timesSeen(field) === types.get('object');
}

interface Forms {
  readonly deprecated: readonly Sample[];
  readonly current: readonly Sample[];
}

function pairOf(samples: readonly Sample[], { operationId, successor }: Operation): Forms | null {
  const of = (id: string | null): Sample[] =>
    samples.filter(({ operation, content }) => operation.operationId === id && content.kind === 'json');
  const [deprecated, current] = [of(operationId), of(successor)];
  return deprecated.length === 0 || current.length === 0 ? null : { deprecated, current };
}

export function formDifferences(samples: readonly Sample[], operation: Operation): readonly Difference[] | null {
  const pair = pairOf(samples, operation);
  if (pair === null) return null;
  const differences = shapeDifferences(shapeOfAll(pair.current), shapeOfAll(pair.deprecated));
  return differences.take(MOST_TOLD + 1).toArray();
}

function shapeOfAll(samples: readonly Sample[]): Shape {
  const shape = createShape();
  for (const { content } of samples) if (content.kind === 'json') observe(shape, content.value);
  return shape;
}

/** True if a place was rebuilt since the recording: nothing is known about it now. */
function isIn(rebuilt: readonly string[], at: string): boolean {
  return rebuilt.some((place) => at === place || at.startsWith(`${place}/`));
}

export const deprecatedShapeDiffers: RunRule = {
  id: 'deprecated-shape-differs',
  title: 'A deprecated form has another shape than its successor',
  severity: { documented: 'warning', observed: 'warning', assumed: 'info' },
  judges: ['live'],
  message: (observation, operation) =>
    `${placeOf(observation)} is ${observation.actual} in the deprecated form and ${observation.expected} in ${operation?.successor ?? 'its successor'}.`,
  of: 'run',
  *judge({ samples, contract }) {
    for (const operation of contract.operations) {
      const pair = pairOf(samples, operation);
      const last = [pair?.deprecated.at(-1), pair?.current.at(-1)].filter((sample) => sample !== undefined);
      const rebuilt = last.flatMap((sample) => [...explainedPlaces(contract, sample)]);
      // If both forms are recorded, so is the difference, or one form changed, which is a finding of its own.
      if (last.every((sample) => isRecorded(contract, sample.operation, sample.status))) continue;
      for (const difference of formDifferences(samples, operation) ?? []) {
        if (isIn(rebuilt, difference.at)) continue;
        yield {
          operationId: operation.operationId,
          pointer: difference.at,
          expected: difference.expected,
          actual: difference.actual,
          source: joinPointer(operation.pointer, 'x-successor'),
          exchanges: last.map(({ exchange }) => exchange.seq),
        };
      }
    }
  },
};
