import type { Answer } from '../message/answer.ts';
import { problem } from '../message/problem.ts';
import type { PlannedOperation } from './plan.ts';

export function withdrawn(operation: PlannedOperation, status: 404 | 410): Answer | undefined {
  if (!operation.deprecated) return undefined;
  return problem('operation-withdrawn', `${operation.operationId} was withdrawn; ${advice(operation)}`, { status });
}

/** What to call instead; a `Link` cannot say that the method changed too. */
function advice(operation: PlannedOperation): string {
  const { successor } = operation;
  if (!successor) return 'it has no successor';
  const change =
    successor.method === operation.method
      ? ''
      : ` (the method changed from ${operation.method} to ${successor.method})`;
  return `call ${successor.method} ${successor.path}${change}`;
}
