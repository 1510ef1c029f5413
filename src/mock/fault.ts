import { ToolError } from '../errors.ts';
import type { Answer } from './answer.ts';
import { problem } from './problem.ts';

/** Nothing that a request holds may lead here; what does is a fault of ours and is said as one, without its message. */
export function fault(error: unknown): Answer {
  if (error instanceof ToolError) return problem(501, 'fault', error.describe());
  return problem(500, 'fault', 'the mock failed; please report it with the request that led to this');
}
