import type { Attempts, Intent } from '../attempts.ts';
import type { AuditRule, Observation } from '../rule.ts';
import { LOOP, LOOP_UNTOLD, span } from '../times.ts';
import { groupBy, type Sent } from '../traffic.ts';

/** The retry is one; what it is answered is the answer. */
export const retriedMoreThanOnce: AuditRule = {
  id: 'retried-more-than-once',
  judge({ attempts, intent }) {
    const long = chainsOf(attempts, 3, loopFrom(intent) - 1);
    const occasions = refusedRetries(attempts);
    const kept = occasions - chainsOf(attempts, 3, Number.POSITIVE_INFINITY).length;
    const groups = groupBy(long, ([first]) => first?.operation?.operationId ?? '');
    return {
      occasions,
      kept,
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

/** How many retries were refused as well: only then can there be a second one. */
export function refusedRetries({ chains }: Attempts): number {
  return chains.filter(({ attempts }) => attempts[1]?.status === 401).length;
}

/** From how many sendings on a request is in a loop. */
export function loopFrom(intent: Intent | undefined): number {
  return intent === undefined ? LOOP_UNTOLD : LOOP;
}
