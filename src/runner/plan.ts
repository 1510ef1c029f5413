import { createRedactor } from '../http/redact.ts';
import type { Contract } from '../spec/contract.ts';
import { removalOf } from './clean-up.ts';
import type { PlanRow } from './options.ts';
import type { Policy } from './policy.ts';
import { destinationOf } from './request.ts';
import type { Session } from './session.ts';
import type { Suite } from './suite-run.ts';

/** Nothing was sent yet, so that a secret can only stand in a configured parameter. */
const shown = createRedactor();

/**
 * The calls that the checks announce, those of skipped checks left out. A token is fetched as needed and stands first; last stands
 * the removal of what the run creates, whose ids nobody knows yet.
 */
export function planRows(
  { checks }: Pick<Suite, 'checks'>,
  { target, policy }: Pick<Session, 'target' | 'policy'>,
): PlanRow[] {
  const { contract, parameters } = target;
  const rows = [...checks.values()]
    .filter(({ skip }) => skip === null)
    .flatMap(({ id, kind, calls }) =>
      calls.map(({ operationId, effect, method, path, target: asked, auth, purpose, times }): PlanRow => {
        return {
          checkId: id,
          kind,
          operationId,
          effect,
          method,
          path,
          target: shown.target(asked),
          auth,
          purpose,
          times,
        };
      }),
    );
  const token = contract.operation(contract.token?.operationId ?? '');
  if (rows.some(({ auth }) => auth === 'token') && token?.path != null && token.method !== null) {
    rows.unshift({
      checkId: 'run.token',
      kind: 'any',
      operationId: token.operationId,
      effect: token.effect,
      method: token.method,
      path: token.path,
      target: token.path,
      auth: 'client',
      purpose: 'succeed',
      times: 1,
    });
  }
  return [...rows, ...removals(rows, contract, parameters, policy)];
}

function removals(
  rows: readonly PlanRow[],
  contract: Contract,
  parameters: Readonly<Record<string, string>>,
  policy: Policy,
): PlanRow[] {
  const found = new Map<string, PlanRow>();
  for (const row of rows) {
    const created = contract.operation(row.operationId);
    if (created === undefined || row.purpose !== 'succeed') continue;
    const removal = removalOf(contract, created.creates);
    if (removal === null || policy.settings.embedded || policy.refusalOf(removal.operation) !== null) continue;
    const { operation, parameter } = removal;
    const { operationId, effect, path, method } = operation;
    if (path === null || method === null) continue;
    found.set(operationId, {
      checkId: 'run.clean-up',
      kind: 'any',
      operationId,
      effect,
      method,
      path,
      target: shown.target(destinationOf(operation, parameters, { [parameter]: 'created-in-this-run' }).target ?? path),
      auth: 'token',
      purpose: 'succeed',
      times: (found.get(operationId)?.times ?? 0) + row.times,
    });
  }
  return [...found.values()];
}
