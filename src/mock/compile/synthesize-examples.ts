import type { Contract } from '../../contract/contract.ts';
import { documentFor } from '../../contract/direction.ts';
import { weakest } from '../../contract/provenance.ts';
import { completeExample, sampleThat } from '../../contract/sample.ts';
import { ToolError } from '../../errors.ts';
import { joinPointer } from '../../text/pointer.ts';
import { isJsonMedia } from '../message/call.ts';
import { MADE_UP, type PlannedExample, type PlannedOperation } from './plan.ts';
import { writtenIn } from './plan-response.ts';
import { chosenResponse, provenanceShown } from './provenance.ts';

/**
 * Makes examples if no written example fits the schema: it adapts the written ones, or else generates one. Runs on
 * request, since a contract may have thousands of schemas. Empty if no example can be made for a type other than JSON.
 * @param status of a response other than the usual one
 * @throws ToolError `spec-invalid` with the place of a JSON schema for which no value was found
 */
export async function synthesizeExamples(
  contract: Contract,
  { operationId, located }: PlannedOperation,
  type: string,
  seed: number,
  status?: string,
): Promise<readonly PlannedExample[]> {
  const operation = contract.operation(operationId);
  const response =
    status === undefined
      ? operation && chosenResponse(operation)
      : operation?.responses.find((one) => one.status === status);
  const media = response?.content.find((one) => one.type === type);
  if (!response || media?.schema === undefined) return [];
  const at = joinPointer(media.pointer, 'schema');
  const { compilerOf } = await import('../../contract/ajv.ts');
  const holds = compilerOf(documentFor(contract.document, 'response'))(at);
  const options = { seed, direction: 'response' } as const;
  const written = writtenIn(contract, media.pointer).map(({ value, when }) => ({
    value: completeExample(contract, at, value, options),
    when,
  }));
  const fitting = written.filter(({ value }) => holds(value));
  const made = fitting.length > 0 ? undefined : sampleThat(holds, contract, at, options);
  const good = made === undefined ? fitting : [{ value: made, when: null }];
  if (good.length === 0 && isJsonMedia(type))
    throw new ToolError('spec-invalid', 'No value was found that satisfies this schema. Add an example.', {
      place: contract.placeOf(at),
    });
  const base = weakest(located, contract.provenanceOf(response.pointer));
  return (
    good
      // outside JSON, only the encoding of a string is known
      .filter(({ value }) => isJsonMedia(type) || typeof value === 'string')
      .map(({ value, when }) => {
        const body = isJsonMedia(type) ? JSON.stringify(value) : String(value);
        return { key: MADE_UP, when, body, provenance: weakest(base, provenanceShown(contract, value, at)) };
      })
  );
}
