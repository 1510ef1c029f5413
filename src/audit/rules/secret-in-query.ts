import { queryNames } from '../query.ts';
import type { AuditRule } from '../rule.ts';
import { groupBy } from '../traffic.ts';
import { isTokenName } from './token-in-url.ts';

/** Passwords, account numbers and the like do not belong into a query. */
export const secretInQuery: AuditRule = {
  id: 'secret-in-query',
  judge({ traffic, keys }) {
    const found = traffic.sent.flatMap((sent) =>
      queryNames(sent.entry.path)
        .filter((name) => keys.isSensitive(name) && !isTokenName(name))
        .map((name) => ({ sent, name })),
    );
    const groups = groupBy(found, ({ sent, name }) => `${sent.operation?.operationId} ${name}`);
    return {
      occasions: traffic.sent.length,
      kept: traffic.sent.length - new Set(found.map(({ sent }) => sent)).size,
      observations: [...groups.values()].map((group) => {
        const [first] = group;
        return {
          operationId: first?.sent.operation?.operationId ?? null,
          expected: 'no secret in the query',
          actual: `field ${first?.name}`,
          evidence: group.map(({ sent }) => sent),
          times: group.length,
          // RFC 6749 forbids it for credentials of the client
          severity: first?.sent.isTokenRequest ? ('error' as const) : ('warning' as const),
        };
      }),
    };
  },
};
