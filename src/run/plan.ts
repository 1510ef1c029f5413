import type { Operation } from '../contract/contract.ts';
import { createRedactor } from '../redact/redact.ts';
import type { AnnouncedCall } from './announce.ts';
import { removalOf } from './clean-up.ts';
import type { PlanRow } from './options.ts';
import { destinationOf, type Values } from './request.ts';
import type { Session } from './session.ts';
import type { Suite } from './suite-run.ts';

/** Nothing was sent yet, so that a secret can only stand in a configured parameter. */
const shown = createRedactor();

/**
 * The calls that the checks announce, those of skipped checks left out. A token is fetched as needed and stands first; last stands
 * the removal of what the run creates, whose ids nobody knows yet.
 */
export function planRows({ checks }: Pick<Suite, 'checks'>, session: Pick<Session, 'target' | 'policy'>): PlanRow[] {
  const { contract, parameters } = session.target;
  const rows = [...checks.values()]
    .filter(({ skip }) => skip === null)
    .flatMap(({ id, kind, calls }) => calls.map((call) => rowOf(id, kind, call)));
  const token = contract.operation(contract.token?.operationId ?? '');
  const needed = token !== undefined && rows.some(({ auth }) => auth === 'token');
  const first = needed ? [rowOf('run.token', 'any', ownCall(token, 'client', parameters))] : [];
  return [...first, ...rows, ...removals(rows, session)];
}

function removals(rows: readonly PlanRow[], { target, policy }: Pick<Session, 'target' | 'policy'>): PlanRow[] {
  const { contract, parameters } = target;
  const found = new Map<Operation, PlanRow>();
  for (const { operationId, purpose, times } of rows) {
    const removal = removalOf(contract, contract.operation(operationId)?.creates ?? null);
    if (purpose !== 'succeed' || removal === null || policy.settings.embedded) continue;
    const { operation, parameter } = removal;
    if (policy.refusalOf(operation) !== null) continue;
    const call = ownCall(operation, 'token', { ...parameters, [parameter]: 'created-in-this-run' });
    const before = found.get(operation)?.times ?? 0;
    found.set(operation, { ...rowOf('run.clean-up', 'any', call), times: before + times });
  }
  return [...found.values()];
}

type PlannedCall = Omit<PlanRow, 'checkId' | 'kind'>;

/** A call that the run makes on its own account. */
function ownCall(operation: Operation, auth: AnnouncedCall['auth'], values: Values): PlannedCall {
  const { operationId, effect, method, path } = operation;
  const target = destinationOf(operation, values).target ?? path ?? '';
  return { operationId, effect, method: method ?? '', path: path ?? '', target, auth, purpose: 'succeed', times: 1 };
}

function rowOf(checkId: string, kind: PlanRow['kind'], call: PlannedCall): PlanRow {
  const { operationId, effect, method, path, target, auth, purpose, times } = call;
  return { checkId, kind, operationId, effect, method, path, target: shown.target(target), auth, purpose, times };
}
