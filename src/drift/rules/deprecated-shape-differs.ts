import { joinPointer } from '../../spec/pointer.ts';
import type { Observation, RunRule, Sample } from '../rule.ts';
import { shapeOf } from '../shape.ts';

/** Where two answers to the same question differ in shape: `[place, expected, actual]`. */
export function shapeDifferences(
  successor: unknown,
  deprecated: unknown,
): [at: string, expected: string, actual: string][] {
  const wanted = typesByPlace(shapeOf(successor));
  const given = typesByPlace(shapeOf(deprecated));
  const differences: [string, string, string][] = [];
  for (const at of new Set([...wanted.keys(), ...given.keys()])) {
    // Where the parents differ already, they tell; lists may simply differ in number.
    const parent = at.slice(0, at.lastIndexOf('/'));
    if (at !== '' && (!wanted.has(parent) || wanted.get(parent) !== given.get(parent))) continue;
    if (at.endsWith('/*') && !(wanted.has(at) && given.has(at))) continue;
    const expected = wanted.get(at) ?? 'no such field';
    const actual = given.get(at) ?? 'no such field';
    if (expected === actual || expected === 'null' || actual === 'null') continue;
    differences.push([at, expected, actual]);
  }
  return differences;
}

function typesByPlace(shape: readonly string[]): Map<string, string> {
  const types = new Map<string, string[]>();
  for (const line of shape) {
    const cut = line.lastIndexOf(': ');
    const at = line.slice(0, cut);
    types.set(at, [...(types.get(at) ?? []), line.slice(cut + 2)]);
  }
  return new Map(
    [...types].map(([at, list]) => [
      at,
      list.length === 1 ? (list[0] ?? '') : list.filter((type) => type !== 'null').join(' or '),
    ]),
  );
}

/** A deprecated form that answers in another shape than its successor. */
export const deprecatedShapeDiffers: RunRule = {
  id: 'deprecated-shape-differs',
  scope: 'run',
  *judge({ samples, contract }): Iterable<Observation> {
    for (const operation of contract.operations) {
      if (operation.successor === null) continue;
      const old = sampleOf(samples, operation.operationId);
      const current = sampleOf(samples, operation.successor);
      if (old?.content.kind !== 'json' || current?.content.kind !== 'json') continue;
      for (const [pointer, expected, actual] of shapeDifferences(current.content.value, old.content.value)) {
        yield {
          operationId: operation.operationId,
          pointer,
          expected,
          actual,
          source: joinPointer(operation.pointer, 'x-successor'),
          exchanges: [old.exchange.seq, current.exchange.seq],
        };
      }
    }
  },
};

function sampleOf(samples: readonly Sample[], operationId: string): Sample | undefined {
  return samples.findLast((sample) => sample.operation.operationId === operationId);
}
