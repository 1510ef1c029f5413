import { createRedactor } from '../http/redact.ts';
import type { Contract } from '../spec/contract.ts';
import { fillPath } from '../spec/path-template.ts';
import { removalOf } from './clean-up.ts';
import type { SuiteResult } from './engine.ts';
import type { PlanRow } from './options.ts';
import type { Policy } from './policy.ts';

/** Nothing was sent yet, so that a secret can only stand in a configured parameter. */
const shown = createRedactor();

/**
 * The calls that the checks announce, those of skipped checks left out. A token is fetched as needed and stands first; last stands
 * the removal of what the run creates, whose ids nobody knows yet.
 */
export function planRows(
  results: readonly SuiteResult[],
  contract: Contract,
  parameters: Readonly<Record<string, string>>,
  policy: Policy,
): PlanRow[] {
  const rows: PlanRow[] = [];
  for (const { meta, notes } of results) {
    if ((notes.skipped ?? '') !== '') continue;
    for (const call of meta.calls) {
      const operation = contract.operation(call.operationId);
      if (operation?.path == null || operation.method === null) continue;
      rows.push({
        checkId: meta.id,
        kind: meta.kind,
        operationId: call.operationId,
        effect: operation.effect,
        method: call.method ?? operation.method,
        path: operation.path,
        target: shown.target(fillPath(operation.path, { ...parameters, ...call.parameters }) ?? operation.path),
        auth: call.auth,
        purpose: call.purpose,
        times: call.times ?? 1,
      });
    }
  }
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
      target: shown.target(fillPath(path, { ...parameters, [parameter]: 'created-in-this-run' }) ?? path),
      auth: 'token',
      purpose: 'succeed',
      times: (found.get(operationId)?.times ?? 0) + row.times,
    });
  }
  return [...found.values()];
}
