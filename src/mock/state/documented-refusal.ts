import type { Contract } from '../../contract/contract.ts';
import type { PlannedOperation } from '../compile/plan.ts';
import { synthesizeExamples } from '../compile/synthesize-examples.ts';
import { type Answer, answer, warning } from '../message/answer.ts';
import { isJsonMedia } from '../message/call.ts';
import { PROBLEM_TYPE } from '../message/problem.ts';
import type { RefusedChange } from './refusals.ts';

/**
 * A refusal with the body that the contract documents for its status. A header keeps the reason. Without such a body,
 * or if none can be made, the refusal is unchanged.
 */
export async function documentedRefusal(
  contract: Contract,
  operation: PlannedOperation,
  { answer: given, detail }: RefusedChange,
  seed: number,
): Promise<Answer> {
  const status = String(given.status);
  const response = contract.operation(operation.operationId)?.responses.find((one) => one.status === status);
  const media = response?.content.find(({ type }) => isJsonMedia(type) && type !== PROBLEM_TYPE);
  if (media === undefined) return given;
  const [example] = await synthesizeExamples(contract, operation, media.type, seed, status).catch(() => []);
  if (example === undefined) return given;
  const body = { type: media.type, bytes: Buffer.from(example.body) };
  return answer(given.status, body, example.provenance, warning(`refused: ${detail}`));
}
