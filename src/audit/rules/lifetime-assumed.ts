import { inOrder } from '../evidence.ts';
import { findExpiredUses } from '../expired-uses.ts';
import { findRenewals } from '../renewals.ts';
import type { AuditRule, Observation } from '../rule.ts';
import { type DefaultLifetime, defaultLifetime, span } from '../times.ts';
import type { Sent, Token, Traffic } from '../traffic.ts';

/** The lifetime is that of `expires_in` of each response, not the default one. */
export const lifetimeAssumed: AuditRule = {
  id: 'lifetime-assumed',
  judge(of) {
    const observations: Observation[] = [];
    for (const { issue, expiresAt, expiresIn, uses, withinDefault } of findExpiredUses(of)) {
      const last = uses.at(-1);
      if (!withinDefault || last === undefined) continue;
      observations.push({
        expected: 'the lifetime of expires_in',
        actual: 'used beyond expires_in',
        detail: `The token of #${issue.seq} came with expires_in ${expiresIn} and was used until ${span(last.start - expiresAt)} after its expiry.`,
        evidence: inOrder([issue, ...uses]),
      });
    }
    for (const { reason, held, issue, request } of findRenewals(of)) {
      if (reason !== 'default-lifetime' || held === null || issue === null) continue;
      observations.push({
        expected: 'the lifetime of expires_in',
        actual: 'dropped at the default lifetime',
        detail: `The token of #${issue.seq} came with expires_in ${held.expiresIn} and was replaced after ${span(request.start - issue.end)}.`,
        evidence: inOrder([issue, request]),
      });
    }
    const byDefault = defaultLifetime(of.contract);
    const exercised =
      byDefault === null
        ? []
        : [...of.traffic.tokens.values()].filter((token) => isExercised(token, of.traffic, byDefault));
    const occasions = Math.max(exercised.length, observations.length);
    return { occasions, kept: occasions - observations.length, observations };
  },
};

/** Calls go on after the moment at which expires_in and the default lifetime lead to different things. */
function isExercised({ issues, expiresAt, expiresIn }: Token, { calls }: Traffic, byDefault: DefaultLifetime): boolean {
  const issue = issues.at(-1);
  if (issue === undefined || expiresAt === null || expiresIn === null || expiresIn <= 0) return false;
  const after = (at: number): boolean => calls.some(({ start }: Sent) => start > at);
  if (expiresIn < byDefault.from) return after(expiresAt);
  return expiresIn > byDefault.to && after(issue.end + byDefault.seconds * 1000);
}
