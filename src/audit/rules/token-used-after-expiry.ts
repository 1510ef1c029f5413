import { inOrder } from '../evidence.ts';
import { findExpiredUses } from '../expired-uses.ts';
import type { AuditRule, Observation } from '../rule.ts';
import { span } from '../times.ts';
import type { Traffic } from '../traffic.ts';

/** After its expiry a token is not used. Where a longer lifetime was assumed, `lifetime-assumed` says it. */
export const tokenUsedAfterExpiry: AuditRule = {
  id: 'token-used-after-expiry',
  judge(of) {
    const { traffic } = of;
    const observations = findExpiredUses(of).flatMap((expired): Observation[] => {
      const { issue, expiresAt, expiresIn, uses, withinDefault } = expired;
      const last = uses.at(-1);
      if (withinDefault || last === undefined) return [];
      return [
        {
          expected: 'a token that has not expired',
          actual: 'an expired token',
          detail: `The token of #${issue.seq} (expires_in ${expiresIn}) was used until ${span(last.start - expiresAt)} after its expiry.`,
          evidence: inOrder([issue, ...uses]),
        },
      ];
    });
    return { exercised: observations.length > 0 || goesOnAfterExpiry(traffic), observations };
  },
};

/** A call after the expiry of one token carries another that is alive. */
function goesOnAfterExpiry({ tokens, calls }: Traffic): boolean {
  let firstExpiry = Number.POSITIVE_INFINITY;
  for (const { expiresAt } of tokens.values()) firstExpiry = Math.min(firstExpiry, expiresAt ?? firstExpiry);
  return calls.some(({ token, start }) => {
    const expiresAt = tokens.get(token ?? '')?.expiresAt ?? null;
    return start > firstExpiry && expiresAt !== null && start <= expiresAt;
  });
}
