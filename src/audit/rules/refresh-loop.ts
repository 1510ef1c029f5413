import type { AuditRule, Observation } from '../rule.ts';
import { LOOP, span } from '../times.ts';
import { groupBy } from '../traffic.ts';
import { chainsOf, refusedRetry } from './retried-more-than-once.ts';

/** When new tokens are refused too, the caller stops. */
export const refreshLoop: AuditRule = {
  id: 'refresh-loop',
  judge({ attempts }) {
    const loops = chainsOf(attempts, LOOP, Number.POSITIVE_INFINITY);
    const groups = groupBy(loops, ([first]) => first?.operation?.operationId ?? '');
    return {
      exercised: refusedRetry(attempts),
      observations: [...groups.values()].flatMap((group): Observation[] => {
        const [chain] = group;
        const first = chain?.[0];
        const last = chain?.at(-1);
        if (chain === undefined || first === undefined || last === undefined) return [];
        const tokens = new Set(chain.map(({ token }) => token)).size;
        return [
          {
            operationId: first.operation?.operationId ?? null,
            expected: 'one retry, then the answer',
            actual: 'a loop of refreshes',
            detail: `It was sent ${chain.length} times with ${tokens} tokens within ${span(last.end - first.start)}.`,
            evidence: group.flat(),
            times: group.length,
          },
        ];
      }),
    };
  },
};
