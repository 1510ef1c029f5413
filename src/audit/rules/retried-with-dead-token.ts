import { inOrder } from '../evidence.ts';
import type { AuditRule, Case, Observation } from '../rule.ts';
import { QUEUED, span } from '../times.ts';
import { groupBy, type Sent } from '../traffic.ts';

/** A token that was refused is not sent again. */
export const retriedWithDeadToken: AuditRule = {
  id: 'retried-with-dead-token',
  judge(of) {
    const pairs = [...of.attempts.deadRepeats, ...findKept(of)];
    const groups = groupBy(pairs, ({ repeated }) => repeated.operation?.operationId ?? '');
    return {
      ...countsOf(of, pairs.length),
      observations: [...groups.values()].flatMap((group): Observation[] => {
        const [first] = group;
        if (first === undefined) return [];
        const { refused, repeated } = first;
        return [
          {
            operationId: repeated.operation?.operationId ?? null,
            expected: 'a new token after 401',
            actual: 'the token that had been refused',
            detail: `#${repeated.seq} carries, ${span(repeated.start - refused.end)} later, the token that #${refused.seq} was refused with.`,
            evidence: inOrder(group.flatMap((pair) => [pair.refused, pair.repeated])),
            times: group.length,
          },
        ];
      }),
    };
  },
};

/**
 * Calls that carry a token long after it was refused and its successor accepted in its place: no request waits so long for a
 * connection.
 */
function findKept({ traffic, attempts }: Case): { refused: Sent; repeated: Sent }[] {
  const dead = new Map<string, { refused: Sent; since: number }>();
  for (const { attempts: sendings } of attempts.chains) {
    const [refused, retry] = sendings;
    if (refused?.token == null || retry === undefined || retry.status === null || retry.status === 401) continue;
    const known = dead.get(refused.token);
    if (known === undefined || retry.end < known.since) dead.set(refused.token, { refused, since: retry.end });
  }
  return [...dead].flatMap(([id, { refused, since }]) =>
    (traffic.tokens.get(id)?.uses ?? [])
      .filter(({ start }) => start > since + QUEUED)
      .map((repeated) => ({ refused, repeated })),
  );
}

/** After a refusal another call follows: with which token? */
function countsOf({ traffic, attempts }: Case, broken: number): { occasions: number; kept: number } {
  const lastStart = traffic.calls.at(-1)?.start ?? 0;
  const refused = traffic.calls.filter(({ status, token }) => status === 401 && token !== null);
  const followed = refused.filter(({ end }) => lastStart > end).length;
  const retried = attempts.chains.filter(({ attempts: sendings }) => sendings.length > 1).length;
  const occasions = Math.max(followed, retried, broken);
  return { occasions, kept: occasions - broken };
}
