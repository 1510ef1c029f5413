import type { Contract } from '../../contract/contract.ts';
import type { PlannedExample, PlannedOperation } from '../compile/plan.ts';
import { synthesizeExamples } from '../compile/synthesize-examples.ts';
import { type Answer, answer, warning } from '../message/answer.ts';
import { isJsonMedia } from '../message/call.ts';
import { PROBLEM_TYPE } from '../message/problem.ts';
import type { RefusedChange } from './refusals.ts';

export type DocumentedRefusal = (operation: PlannedOperation, refused: RefusedChange) => Promise<Answer>;

interface DocumentedBody {
  readonly type: string;
  readonly example: PlannedExample;
}

/**
 * Gives refusals the bodies that the contract documents for their statuses. A header keeps the reason. Without such a
 * body, or if none can be made, a refusal is unchanged. Each body is made on first use.
 */
export function createRefusal(contract: () => Promise<Contract>, seed: number): DocumentedRefusal {
  const known = new Map<string, Promise<DocumentedBody | undefined>>();
  return async (operation, { answer: given, detail }) => {
    const status = String(given.status);
    const key = `${status} ${operation.operationId}`;
    let making = known.get(key);
    if (!making) {
      making = contract().then((loaded) => documentedBody(loaded, operation, status, seed));
      known.set(key, making);
    }
    const made = await making;
    if (made === undefined) return given;
    const { type, example } = made;
    const body = { type, bytes: Buffer.from(example.body) };
    return answer(given.status, body, example.provenance, warning(`refused: ${detail}`));
  };
}

async function documentedBody(
  contract: Contract,
  operation: PlannedOperation,
  status: string,
  seed: number,
): Promise<DocumentedBody | undefined> {
  const response = contract.operation(operation.operationId)?.responses.find((one) => one.status === status);
  const media = response?.content.find(({ type }) => isJsonMedia(type) && type !== PROBLEM_TYPE);
  if (media === undefined) return undefined;
  const [example] = await synthesizeExamples(contract, operation, media.type, seed, status).catch(() => []);
  return example && { type: media.type, example };
}
