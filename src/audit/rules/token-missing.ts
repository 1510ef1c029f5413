import { queryNames } from '../query.ts';
import type { AuditRule } from '../rule.ts';
import { groupBy } from '../traffic.ts';
import { isTokenName } from './token-in-url.ts';

const ACTUAL = {
  none: 'no Authorization',
  basic: 'Basic credentials',
  other: 'another Authorization scheme',
  'not-a-token': 'a Bearer that is no token',
} as const;

/** Every operation but the token endpoint is called with `Authorization: Bearer`. */
export const tokenMissing: AuditRule = {
  id: 'token-missing',
  judge({ traffic, all }) {
    const calls = traffic.calls.filter(({ operation }) => operation?.auth === 'bearer');
    const without = calls.filter(
      ({ carries, entry }) =>
        carries !== 'bearer' &&
        // a capture that shows no Authorization anywhere has left it out
        (carries !== 'none' || all.showsTokens) &&
        !queryNames(entry.path).some(isTokenName),
    );
    const groups = groupBy(without, ({ operation, carries }) => `${operation?.operationId} ${carries}`);
    return {
      occasions: all.showsTokens ? calls.length : 0,
      kept: all.showsTokens ? calls.filter(({ carries }) => carries === 'bearer').length : 0,
      observations: [...groups.values()].map((group) => ({
        operationId: group[0]?.operation?.operationId ?? null,
        expected: 'Authorization: Bearer',
        actual: ACTUAL[group[0]?.carries as keyof typeof ACTUAL],
        evidence: group,
        times: group.length,
      })),
    };
  },
};
