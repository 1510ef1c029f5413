import { finalAttempt } from '../call.ts';
import { responseFor } from '../responses.ts';
import type { RunRule } from '../rule.ts';

/** A 3xx or 4xx that the contract does not mention, in answer to a call that should succeed. */
export const undocumentedStatus: RunRule = {
  id: 'undocumented-status',
  scope: 'run',
  *judge({ calls, contract, judgements, samples }) {
    // Of a target that serves nothing at all, no status says anything of an operation.
    if (!samples.some(({ operation }) => operation.auth !== 'issues')) return;
    for (const call of calls) {
      const last = finalAttempt(call);
      const status = last?.response?.status;
      const operation = contract.operation(call.operationId);
      if (call.purpose !== 'succeed' || last === undefined || status === undefined || operation === undefined) continue;
      if (status < 300 || status >= 500 || [401, 408, 429].includes(status)) continue;
      if (responseFor(operation, status) !== undefined) continue;
      // said already, and better
      const kind = judgements.get(call)?.kind;
      if (kind === 'status-changed' || kind === 'withdrawn') continue;
      yield {
        operationId: operation.operationId,
        pointer: '',
        expected: operation.responses
          .map((response) => response.status)
          .sort()
          .join(' or '),
        actual: String(status),
        source: operation.pointer,
        exchanges: [last.seq],
      };
    }
  },
};
