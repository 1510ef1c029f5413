import type { Contract } from '../spec/contract.ts';
import type { SuiteResult } from './engine.ts';
import type { PlanRow } from './options.ts';
import { fillPath } from './route.ts';

/** The calls that the checks announce, those of skipped checks left out. A token is fetched as needed and stands first. */
export function planRows(
  results: readonly SuiteResult[],
  contract: Contract,
  parameters: Readonly<Record<string, string>>,
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
        target: fillPath(operation.path, { ...parameters, ...call.parameters }) ?? operation.path,
        auth: call.auth,
        purpose: call.purpose,
        times: call.times ?? 1,
      });
    }
  }
  const token = contract.operation('getToken');
  if (rows.some(({ auth }) => auth === 'token') && token?.path != null && token.method !== null) {
    rows.unshift({
      checkId: 'run.token',
      kind: 'any',
      operationId: 'getToken',
      effect: token.effect,
      method: token.method,
      path: token.path,
      target: token.path,
      auth: 'basic',
      purpose: 'succeed',
      times: 1,
    });
  }
  return rows;
}
