import type { PlannedOperation } from '../compile/plan.ts';
import { type Answer, withHeaders } from '../message/answer.ts';
import { problem } from '../message/problem.ts';
import type { Entities } from '../state/entities.ts';
import { idOf } from '../state/entities.ts';
import { createRefusals, notFound } from '../state/refusals.ts';

/** Seconds after which a caller may ask again. */
const RETRY_AFTER = '1';

type Make = (operation: PlannedOperation, entities: Entities) => Answer;

/** The refusals that can be asked for where the contract describes none of the status, each as the mock makes it. */
const MAKES: Readonly<Record<number, Make>> = {
  404: ({ operationId, path }, { file }) => {
    const name = [...path.matchAll(/\{([^{}]+)\}/g)].at(-1)?.[1] ?? '';
    const [kind] = Object.entries(file.kinds).find(([, one]) => idOf(one) === name) ?? [];
    return kind === undefined ? problem('not-found', `${operationId} finds nothing`) : notFound(kind, name).answer;
  },
  409: (operation, entities) =>
    byRule(operation, entities, 409) ??
    problem('conflict', `the state of things does not allow ${operation.operationId}`),
  422: (operation, entities) => {
    const refused = byRule(operation, entities, 422);
    if (refused) return refused;
    const { operationId, request } = operation;
    const [name] = request?.media.flatMap(({ members }) => Object.keys(members ?? {})) ?? [];
    if (name === undefined) return problem('invalid-query', `${operationId} cannot be done with this request`);
    const errors = [{ in: 'body' as const, pointer: `/${name}`, message: 'is refused' }];
    return problem('invalid-body', `/${name} is refused`, { members: { errors } });
  },
  429: ({ operationId }) =>
    problem('too-many-requests', `${operationId} was called too often; wait ${RETRY_AFTER} s`, {
      headers: ['retry-after', RETRY_AFTER],
    }),
  500: ({ operationId }) => problem('server-error', `${operationId} failed, as was asked for`),
};

/** The refusal of the first rule of an operation that refuses with the status. */
function byRule({ operationId }: PlannedOperation, { file, operations }: Entities, status: number): Answer | undefined {
  const refusals = createRefusals(file);
  const rules = [operations[operationId]?.guard ?? []].flat();
  return rules.map((rule) => refusals.guard(rule).answer).find((answer) => answer.status === status);
}

export const PREFERABLE: readonly string[] = Object.keys(MAKES);

/** The refusal that a caller prefers (`Prefer: code=404`); undefined where the contract has an answer of the status, or the mock none. */
export function preferredRefusal(operation: PlannedOperation, code: number, entities: Entities): Answer | undefined {
  const own = [String(code), `${String(code)[0]}XX`, 'default'];
  if (operation.statuses.some((status) => own.includes(status.replace('xx', 'XX')))) return undefined;
  const made = MAKES[code]?.(operation, entities);
  return made && withHeaders(made, ['preference-applied', `code=${code}`]);
}
