import type { Contract, Operation } from '../../spec/contract.ts';
import { joinPointer, parsePointer } from '../../spec/pointer.ts';
import { namedFields } from '../fields.ts';
import { jsonMedia } from '../responses.ts';
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

/**
 * Where a deprecated form differs from its successor in shape, or null where one of the two was not answered with JSON. A field that
 * only one of them sends counts if it is in all answers of that one, and if no recording says that it comes and goes.
 */
export function pairDifferences(
  contract: Contract,
  samples: readonly Sample[],
  operation: Operation,
): ReturnType<typeof shapeDifferences> | null {
  const [old, current] = [operation.operationId, operation.successor].map((id) =>
    samples.filter(({ operation, content }) => operation.operationId === id && content.kind === 'json'),
  );
  const [lastOld, lastCurrent] = [old?.at(-1), current?.at(-1)];
  if (lastOld === undefined || lastCurrent === undefined) return null;
  const all = [...(old ?? []), ...(current ?? [])];
  const optional = new Set([lastOld, lastCurrent].flatMap((sample) => optionalFields(contract, sample)));
  const sends = (sample: Sample, at: string): boolean => typesByPlace(shapeOf(bodyOf(sample))).has(at);
  return shapeDifferences(bodyOf(lastCurrent), bodyOf(lastOld)).filter(([at, expected, actual]) => {
    if (expected !== 'no such field' && actual !== 'no such field') return true;
    const having = expected === 'no such field' ? old : current;
    return !optional.has(at) && all.every((sample) => sends(sample, at) === having?.includes(sample));
  });
}

function bodyOf({ content }: Sample): unknown {
  return content.kind === 'json' ? content.value : undefined;
}

/** Places of fields that a recording names and does not require. */
function optionalFields(contract: Contract, { operation, status }: Sample): string[] {
  const media = jsonMedia(operation, status);
  if (media === undefined) return [];
  const schema = joinPointer(media.pointer, 'schema');
  return namedFields(contract, schema, '').flatMap(({ at, schema: field }) => {
    const parent = contract.at(field.slice(0, field.lastIndexOf('/properties/')));
    const required = parent !== null && typeof parent === 'object' && 'required' in parent ? parent.required : [];
    const name = parsePointer(at)?.at(-1);
    return Array.isArray(required) && required.some((one) => one === name) ? [] : [at];
  });
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
      if (old === undefined || current === undefined) continue;
      for (const [pointer, expected, actual] of pairDifferences(contract, samples, operation) ?? []) {
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
