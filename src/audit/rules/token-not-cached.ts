import { inOrder } from '../evidence.ts';
import { findRenewals, type Renewal } from '../renewals.ts';
import type { AuditRule, Case } from '../rule.ts';
import { marginsOf, span } from '../times.ts';

/** A token is kept until shortly before its expiry. One early renewal may be a restart; the second is a habit. */
export const tokenNotCached: AuditRule = {
  id: 'token-not-cached',
  judge(of) {
    const needless = findRenewals(of).filter((renewal) => renewal.reason === 'needless' && isEarly(renewal, of));
    const [first] = needless;
    const { longest } = marginsOf(of.contract);
    const kept = [...of.traffic.tokens.values()].filter(
      ({ uses, issues, expiresIn }) =>
        issues.length > 0 && uses.length > 1 && expiresIn !== null && expiresIn * 1000 > 2 * longest,
    ).length;
    if (needless.length < 2 || first === undefined) return { occasions: kept, kept, observations: [] };
    const lifetime = (first.held?.expiresIn ?? 0) * 1000;
    const left = (first.issue?.end ?? 0) + lifetime - first.request.start;
    const served = needless.reduce((sum, renewal) => sum + renewal.served, 0);
    return {
      occasions: kept + needless.length,
      kept,
      observations: [
        {
          expected: 'one token until shortly before its expiry',
          actual: 'a new token while the old one was good',
          detail: `${needless.length} tokens were replaced that nobody had refused, after ${served} calls in all; the first had ${span(left)} of ${span(lifetime)} left.`,
          evidence: inOrder(needless.flatMap(({ issue, request }) => [issue, request])),
          times: needless.length,
        },
      ],
    };
  },
};

/**
 * With more than half of its life left. A token that has served several calls counts only where it is certain that the same program
 * replaced it: another one may have been started.
 */
function isEarly({ held, issue, request, served }: Renewal, { single }: Case): boolean {
  if (held === null || issue === null || held.expiresIn === null) return false;
  const left = issue.end + held.expiresIn * 1000 - request.start;
  if (left <= (held.expiresIn * 1000) / 2) return false;
  if (served <= 1 || single) return true;
  const { connection } = request.entry;
  return connection === null || [issue, ...held.uses].some(({ entry }) => entry.connection === connection);
}
