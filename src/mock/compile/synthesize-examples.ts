import type { Contract } from '../../contract/contract.ts';
import { documentFor } from '../../contract/direction.ts';
import { weakest } from '../../contract/provenance.ts';
import { completeExample, sampleThat } from '../../contract/sample.ts';
import { ToolError } from '../../errors.ts';
import { joinPointer } from '../../text/pointer.ts';
import { isJsonMedia } from '../message/call.ts';
import { MADE_UP, type PlannedExample, type PlannedOperation } from './plan.ts';
import { type WrittenExample, writtenIn } from './plan-response.ts';
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
  if (!response || !media) return [];
  const at = media.schema === undefined ? null : joinPointer(media.pointer, 'schema');
  const written = writtenIn(contract, media.pointer);
  const good = at === null ? written : await fitting(contract, at, written, { type, seed });
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

type Example = Omit<WrittenExample, 'key'>;

async function fitting(
  contract: Contract,
  at: string,
  written: readonly Example[],
  { type, seed }: { readonly type: string; readonly seed: number },
): Promise<readonly Example[]> {
  const { compilerOf } = await import('../../contract/ajv.ts');
  const holds = compilerOf(documentFor(contract.document, 'response'))(at);
  const options = { seed, direction: 'response' } as const;
  const good = written
    .map(({ value, when }) => ({ value: completeExample(contract, at, value, options), when }))
    .filter(({ value }) => holds(value));
  if (good.length > 0) return good;
  const made = sampleThat(holds, contract, at, options);
  if (made === undefined && isJsonMedia(type))
    throw new ToolError('spec-invalid', 'No value was found that satisfies this schema. Add an example.', {
      place: contract.placeOf(at),
    });
  return made === undefined ? [] : [{ value: made, when: null }];
}
