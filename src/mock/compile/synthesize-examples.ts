import type { Contract, Json } from '../../contract/contract.ts';
import { documentFor } from '../../contract/direction.ts';
import { weakest } from '../../contract/provenance.ts';
import { CONTRADICTION } from '../../model/mock-answer.ts';
import { makeBest } from '../../schema/make.ts';
import { joinPointer } from '../../text/pointer.ts';
import { isJsonMedia } from '../message/call.ts';
import { MADE_UP, type PlannedExample, type PlannedOperation } from './plan.ts';
import { bodyText, type WrittenExample, writtenIn } from './plan-response.ts';
import { chosenResponse, provenanceShown } from './provenance.ts';

/**
 * Makes examples if no written example fits the schema: it adapts the written ones, or else generates one. Runs on
 * request, since a contract may have thousands of schemas. If no value satisfies the schema, the warning says so.
 * @param status of a response other than the usual one
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
  const good: readonly Example[] = at === null ? [...written, NOTHING] : await fitting(contract, at, written, seed);
  const base = weakest(located, contract.provenanceOf(response.pointer));
  const { file, line } = contract.placeOf(at ?? media.pointer);
  const warningOf = ({ value, fault }: Example): string | undefined => {
    if (fault) return `${CONTRADICTION} (${file}:${line}): ${fault}`;
    return isJsonMedia(type) || typeof value === 'string' ? undefined : `the mock writes this ${type} as JSON`;
  };
  return good.map((example) => {
    const { value, when } = example;
    const warning = warningOf(example);
    const provenance = weakest(base, provenanceShown(contract, value, at));
    return { key: MADE_UP, when, body: bodyText(type, value), provenance, ...(warning !== undefined && { warning }) };
  });
}

type Example = Omit<WrittenExample, 'key'> & { readonly fault?: string | null };

/** Of an answer without a schema and an example, nothing is known. */
const NOTHING: Example = { value: '', when: null };

async function fitting(
  contract: Contract,
  at: string,
  written: readonly Example[],
  seed: number,
): Promise<readonly Example[]> {
  const { compilerOf } = await import('../../contract/ajv.ts');
  const judge = compilerOf(documentFor(contract.document, 'response'))(at);
  const madeFrom = (like?: Json) => makeBest(contract, at, { seed, direction: 'response', judge, like });
  return written.length === 0
    ? [{ ...madeFrom(), when: null }]
    : written.map(({ value, when }) => ({ ...madeFrom(value), when }));
}
