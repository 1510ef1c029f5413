import type { AuditRule } from '../rule.ts';
import { groupBy } from '../traffic.ts';

/** Deprecated forms are still served for a while; callers migrate. */
export const deprecatedOperationCalled: AuditRule = {
  id: 'deprecated-operation-called',
  judge({ traffic, contract }) {
    const located = traffic.calls.filter(({ operation }) => operation !== null);
    const deprecated = located.filter(({ operation }) => operation?.deprecated === true);
    return {
      occasions: located.length,
      kept: located.length - deprecated.length,
      observations: [...groupBy(deprecated, ({ operation }) => operation?.operationId ?? '').values()].map((group) => {
        const operation = group[0]?.operation;
        const successor = contract.operation(operation?.successor ?? '');
        const place =
          successor === undefined
            ? 'not known'
            : `${successor.method ?? ''} ${successor.path ?? successor.operationId}`;
        const moved = successor !== undefined && successor.method !== operation?.method;
        return {
          operationId: operation?.operationId ?? null,
          expected: moved ? `${place}, with ${successor.method} in place of ${operation?.method}` : place,
          actual: `${operation?.method} ${operation?.path}`,
          evidence: group,
          times: group.length,
          ...(operation == null ? {} : { source: operation.pointer }),
        };
      }),
    };
  },
};
