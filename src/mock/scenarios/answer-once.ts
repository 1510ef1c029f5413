import type { ScenarioAnswer, ScenarioDefinition } from '../../../generated/mock/scenario.ts';
import { ToolError } from '../../errors.ts';
import type { ScenarioHandle } from '../mock.ts';
import type { Scenarios } from './scenarios.ts';

const NAME = 'answer-once';

/**
 * Replaces the mock's answer to the next request (or so many requests) of an operation. Several answers are sent in
 * turn.
 * @param answer A status, or an answer as in `schemas/scenario.schema.json`.
 * @throws ToolError `usage` with a JSON pointer.
 */
export async function answerOnce(
  scenarios: Pick<Scenarios, 'activate'>,
  operation: string,
  answer: number | ScenarioAnswer,
  times = 1,
): Promise<ScenarioHandle> {
  const given = typeof answer === 'number' ? { status: answer } : answer;
  const definition: ScenarioDefinition = { name: NAME, rules: [{ operations: [operation], times, answer: given }] };
  try {
    return await scenarios.activate(definition, times);
  } catch (error) {
    throw error instanceof ToolError ? placed(error) : error;
  }
}

/** Points to the fault in the caller's input, not in the rule that was built from it. */
function placed(error: ToolError): ToolError {
  const { code, message, place, hint } = error;
  const pointer = place?.pointer?.replace('/rules/0/operations/0', '/operation').replace('/rules/0/answer', '/answer');
  return new ToolError(code, message, { place: { file: NAME, ...(pointer && { pointer }) }, hint, cause: error });
}
