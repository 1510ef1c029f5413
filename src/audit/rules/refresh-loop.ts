import type { AuditRule, Observation } from '../rule.ts';
import { span } from '../times.ts';
import { groupBy } from '../traffic.ts';
import { chainsOf, loopFrom, refusedRetries } from './retried-more-than-once.ts';

/** When new tokens are refused too, the caller stops. */
export const refreshLoop: AuditRule = {
  id: 'refresh-loop',
  judge({ attempts, intent }) {
    const loops = chainsOf(attempts, loopFrom(intent), Number.POSITIVE_INFINITY);
    const occasions = refusedRetries(attempts);
    const groups = groupBy(loops, ([first]) => first?.operation?.operationId ?? '');
    return {
      occasions,
      kept: occasions - loops.length,
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
