import { namedFields, walkFields } from '../drift/fields.ts';
import { describedParts, itemSchema, listIn } from '../drift/responses.ts';
import type { Sample } from '../drift/rule.ts';
import type { FieldCoverage, OperationCoverage } from '../report/report.ts';
import type { Contract, Operation } from '../spec/contract.ts';
import { joinPointer } from '../spec/pointer.ts';

/** What of the contract a run has seen: per operation, and per field how often it was there. */
export function coverageOf(contract: Contract, samples: readonly Sample[]): OperationCoverage[] {
  return contract.operations.map((operation) => {
    const own = samples.filter((sample) => sample.operation.operationId === operation.operationId);
    return {
      operationId: operation.operationId,
      located: operation.located,
      exercised: own.length > 0,
      fields: fieldsOf(contract, operation, own),
      notShown: [...operation.notShown, ...unchecked(contract, operation, own)],
    };
  });
}

function fieldsOf(contract: Contract, operation: Operation, samples: readonly Sample[]): FieldCoverage[] {
  const counts = new Map<string, { schema: string; seen: number; of: number }>();
  for (const { at, schema } of expectedFields(contract, operation, samples)) {
    counts.set(at, { schema, seen: 0, of: 0 });
  }
  for (const sample of samples) {
    for (const { at, value, schema } of describedParts(contract, sample)) {
      walkFields(contract, schema, value, at, {
        known(place, pointer, present) {
          const count = counts.get(place) ?? { schema: pointer, seen: 0, of: 0 };
          counts.set(place, { ...count, seen: count.seen + (present ? 1 : 0), of: count.of + 1 });
        },
        unknown() {},
      });
    }
  }
  return [...counts].map(([pointer, { schema, seen, of }]) => ({
    pointer,
    provenance: contract.provenanceOf(schema),
    seen,
    of,
  }));
}

/** Fields that a good answer would be checked for, whether or not one came. */
function expectedFields(
  contract: Contract,
  operation: Operation,
  samples: readonly Sample[],
): { at: string; schema: string }[] {
  const schemas = operation.responses
    .filter(({ status }) => status.startsWith('2'))
    .flatMap(({ content }) => content)
    .filter(({ schema }) => schema !== undefined)
    .map(({ pointer }) => joinPointer(pointer, 'schema'));
  const shown =
    contract.at(joinPointer(operation.pointer, 'x-response-schema')) === undefined ? [] : ['x-response-schema'];
  const named = schemas.length > 0 ? schemas : shown.map((name) => joinPointer(operation.pointer, name));
  const items = itemSchema(contract, operation);
  const list = samples
    .map(({ content }) => (content.kind === 'json' ? listIn(content.value) : null))
    .find((found) => found !== null);
  return [
    ...named.flatMap((schema) => namedFields(contract, schema, '')),
    ...(items === null ? [] : namedFields(contract, items, `${list?.at ?? ''}/*`)),
  ];
}

/** A list whose items could not be told from the rest of the answer. */
function unchecked(contract: Contract, operation: Operation, samples: readonly Sample[]): string[] {
  if (itemSchema(contract, operation) === null) return [];
  const found = samples.some(({ content }) => content.kind === 'json' && listIn(content.value) !== null);
  return samples.length > 0 && !found ? ['items: not checked'] : [];
}
