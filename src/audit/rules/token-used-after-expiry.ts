import { inOrder } from '../evidence.ts';
import { findExpiredUses } from '../expired-uses.ts';
import type { AuditRule, Case, Observation } from '../rule.ts';
import { GIVEN_UP, span } from '../times.ts';
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
    const kept = heeded(traffic);
    const openUntil = lastLateUse(of);
    return { occasions: kept + observations.length, kept, observations, ...(openUntil === null ? {} : { openUntil }) };
  },
};

/** When the last use after an expiry can be judged, where that lies ahead. */
function lastLateUse({ traffic, tolerance, readAt }: Case): number | null {
  if (readAt === null) return null;
  const last = Math.max(
    ...[...traffic.tokens.values()].flatMap(({ uses, expiresAt }) =>
      expiresAt === null ? [] : uses.map(({ start }) => start).filter((start) => start > expiresAt + tolerance),
    ),
  );
  return Number.isFinite(last) && readAt - last <= GIVEN_UP ? last + GIVEN_UP + 1 : null;
}

/** Tokens whose expiry was heeded: a call after it carries another that is alive. */
function heeded({ tokens, calls }: Traffic): number {
  const last = calls.findLast(({ token, start }) => {
    const expiresAt = tokens.get(token ?? '')?.expiresAt ?? null;
    return expiresAt !== null && start <= expiresAt;
  });
  if (last === undefined) return 0;
  return [...tokens.values()].filter(
    ({ expiresAt, uses }) =>
      expiresAt !== null && last.start > expiresAt && (uses.at(-1)?.start ?? 0) <= expiresAt && uses.length > 0,
  ).length;
}
