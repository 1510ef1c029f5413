import { queryNames } from '../query.ts';
import type { AuditRule } from '../rule.ts';
import { groupBy, type Sent } from '../traffic.ts';

/** Whether a query field of this name holds a token. */
export function isTokenName(name: string): boolean {
  return /^(?:access|id|bearer|auth)?[_-]?token$|^(?:bearer|jwt)$/i.test(name);
}

/** The token goes into the header, never into the URL. */
export const tokenInUrl: AuditRule = {
  id: 'token-in-url',
  judge({ traffic }) {
    const found = traffic.sent.flatMap((sent) => {
      const place = placeOf(sent);
      return place === null ? [] : [{ sent, place }];
    });
    const groups = groupBy(found, ({ sent, place }) => `${sent.operation?.operationId} ${place}`);
    return {
      occasions: traffic.calls.length,
      kept: Math.max(0, traffic.calls.length - found.length),
      observations: [...groups.values()].map((group) => ({
        operationId: group[0]?.sent.operation?.operationId ?? null,
        expected: 'Authorization: Bearer',
        actual: group[0]?.place ?? '',
        evidence: group.map(({ sent }) => sent),
        times: group.length,
      })),
    };
  },
};

function placeOf({ entry }: Sent): string | null {
  if (queryNames(entry.path).some(isTokenName)) return 'query';
  // a JWT is found by its looks and masked where it stands
  const path = entry.path.replace(/[?#].*$/s, '');
  return path.split('/').includes('[redacted]') ? 'path' : null;
}
