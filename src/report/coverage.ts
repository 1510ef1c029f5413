import type { Contract, Media, Operation } from '../contract/contract.ts';
import { basisFrom } from '../contract/provenance.ts';
import { namedFields } from '../judge/fields.ts';
import { basisOfAnswer, itemSchema, itemsOf, walkAnswer } from '../judge/responses.ts';
import type { Sample } from '../judge/rule.ts';
import { type Call, mustBeRefused } from '../model/call.ts';
import type { FieldCoverage, OperationCoverage } from '../model/report.ts';
import { joinPointer, pointerOfReference } from '../text/pointer.ts';

export function coverageOf(
  contract: Contract,
  samples: readonly Sample[],
  calls: readonly Call[],
  operations: readonly Operation[] = contract.operations,
): OperationCoverage[] {
  const called = new Set(calls.filter(reachedTarget).map(({ operationId }) => operationId));
  return operations.map((operation) => {
    const own = samples.filter((sample) => sample.operation.operationId === operation.operationId);
    return {
      operationId: operation.operationId,
      located: operation.located,
      exercised: own.length > 0 || called.has(operation.operationId),
      goodAnswers: own.length,
      fields: fieldsOf(contract, operation, own),
      notShown: [...operation.notShown, ...unchecked(contract, operation, own)],
    };
  });
}

function reachedTarget(call: Call): boolean {
  if (mustBeRefused(call)) return false;
  return call.attempts.some(({ response, failure }) => response !== null || failure?.kind !== 'aborted');
}

function fieldsOf(contract: Contract, operation: Operation, samples: readonly Sample[]): FieldCoverage[] {
  const counts = new Map<string, Omit<FieldCoverage, 'pointer'>>();
  for (const { at, provenance } of expectedFields(contract, operation, samples)) {
    counts.set(at, { provenance, seen: 0, of: 0 });
  }
  for (const sample of samples) {
    const basis = basisOfAnswer(contract, sample);
    walkAnswer(contract, sample, ({ kind, at, value, node }) => {
      if (kind !== 'named') return;
      // a field of several schemas counts for the first, which is a documented one if possible
      const [schema = ''] = node.pointers;
      const { provenance, seen, of } = counts.get(at) ?? { provenance: basis(schema), seen: 0, of: 0 };
      counts.set(at, { provenance, seen: seen + (value === undefined ? 0 : 1), of: of + 1 });
    });
  }
  return [...counts].map(([pointer, count]) => ({ pointer, ...count }));
}

export function expectedFields(contract: Contract, operation: Operation, samples: readonly Sample[]) {
  const schemas = goodContent(operation)
    .filter(({ schema }) => schema !== undefined)
    .map(({ pointer }) => joinPointer(pointer, 'schema'));
  const shown = joinPointer(operation.pointer, 'x-response-schema');
  const named = schemas.length === 0 && contract.at(shown) !== undefined ? [shown] : schemas;
  const items = itemSchema(contract, operation);
  const list = samples.map((sample) => itemsOf(contract, sample)).find((found) => found !== null);
  const fields = (entry: string, at: string) =>
    namedFields(contract, entry, at).map((field) => ({
      ...field,
      provenance: basisFrom(contract, entry)(field.schema),
    }));
  return [
    ...named.flatMap((schema) => fields(schema, '')),
    ...(items === null ? [] : fields(items, `${list?.at ?? ''}/*`)),
  ];
}

export const ITEMS_NOT_CHECKED = 'items: not checked';

function unchecked(contract: Contract, operation: Operation, samples: readonly Sample[]): string[] {
  const items = itemSchema(contract, operation);
  if (items === null || samples.length === 0) return [];
  const found = samples.some((sample) => itemsOf(contract, sample) !== null);
  return found || isPlacedByRecording(contract, operation, items) ? [] : [ITEMS_NOT_CHECKED];
}

function isPlacedByRecording(contract: Contract, operation: Operation, items: string): boolean {
  const schema = contract.at(items);
  const reference = typeof schema === 'object' && schema !== null && '$ref' in schema ? schema.$ref : undefined;
  const target = typeof reference === 'string' ? (pointerOfReference(reference) ?? items) : items;
  return goodContent(operation)
    .flatMap(({ pointer }) => namedFields(contract, joinPointer(pointer, 'schema'), ''))
    .some((field) => field.schema.startsWith(`${target}/properties/`));
}

export function goodContent({ responses }: Operation): Media[] {
  return responses.filter(({ status }) => status.startsWith('2')).flatMap(({ content }) => content);
}
