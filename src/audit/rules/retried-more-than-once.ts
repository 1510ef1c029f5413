import type { Attempts } from '../attempts.ts';
import type { AuditRule, Observation } from '../rule.ts';
import { LOOP, span } from '../times.ts';
import { groupBy, type Sent } from '../traffic.ts';

/** The retry is one; what it is answered is the answer. */
export const retriedMoreThanOnce: AuditRule = {
  id: 'retried-more-than-once',
  judge({ attempts }) {
    const long = chainsOf(attempts, 3, LOOP - 1);
    const groups = groupBy(long, ([first]) => first?.operation?.operationId ?? '');
    return {
      exercised: refusedRetry(attempts),
      observations: [...groups.values()].flatMap((group): Observation[] => {
        const [chain] = group;
        const first = chain?.[0];
        const last = chain?.at(-1);
        if (chain === undefined || first === undefined || last === undefined) return [];
        return [
          {
            operationId: first.operation?.operationId ?? null,
            expected: 'one retry',
            actual: 'several retries',
            detail: `It was sent ${chain.length} times within ${span(last.end - first.start)}.`,
            evidence: group.flat(),
            times: group.length,
          },
        ];
      }),
    };
  },
};

/** Chains of so many sendings. */
export function chainsOf({ chains }: Attempts, from: number, to: number): (readonly Sent[])[] {
  return chains.map(({ attempts }) => attempts).filter(({ length }) => length >= from && length <= to);
}

/** Whether a retry was refused as well: only then can there be a second one. */
export function refusedRetry({ chains }: Attempts): boolean {
  return chains.some(({ attempts }) => attempts[1]?.status === 401);
}
