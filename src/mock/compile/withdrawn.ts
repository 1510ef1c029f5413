import type { Answer } from '../message/answer.ts';
import { problem } from '../message/problem.ts';
import type { PlannedOperation } from './plan.ts';

export function withdrawn(
  { operationId, deprecated, successor }: PlannedOperation,
  status: 404 | 410,
): Answer | undefined {
  if (!deprecated) return undefined;
  const advice = successor ? `call ${successor.method} ${successor.path}` : 'it has no successor';
  return problem('operation-withdrawn', `${operationId} was withdrawn; ${advice}`, { status });
}
