import type { PlannedOperation } from '../compile/plan.ts';
import type { Answer } from '../message/answer.ts';
import { type ProblemKind, problem } from '../message/problem.ts';

const REFUSALS: Readonly<Record<number, ProblemKind>> = {
  404: 'not-found',
  409: 'conflict',
  422: 'invalid-body',
  429: 'too-many-requests',
  500: 'server-error',
};

/** The preferred refusal; undefined if the contract describes an answer of this status, or if the mock has none. */
export function preferredRefusal({ operationId, statuses }: PlannedOperation, code: number): Answer | undefined {
  const kind = REFUSALS[code];
  const described = [String(code), `${String(code)[0]}XX`, 'default'];
  if (kind === undefined || statuses.some((status) => described.includes(status.replace('xx', 'XX')))) return undefined;
  const retry = code === 429 ? ['retry-after', '1'] : [];
  return problem(kind, `${operationId} is refused, as the request prefers`, {
    headers: ['preference-applied', `code=${code}`, ...retry],
  });
}
