import { count } from '../../text/words.ts';
import { isOtherRefusal, type Renewal } from '../renewals.ts';
import type { AuditRule, Case } from '../rule.ts';
import { marginsOf, span } from '../times.ts';
import { inTimeOrder, type Sent } from '../traffic.ts';

/** Keep a token until shortly before its expiry. One early renewal may be a restart; a second one is a habit. */
export const tokenNotCached: AuditRule<'token-not-cached'> = {
  id: 'token-not-cached',
  title: 'New tokens while the current one was still valid',
  part: 'reuse',
  isPerProgram: true,
  severity: 'warning',
  message: () => 'The caller requested a new token while its current one was still valid.',
  needs: 'several calls with one long-lived token',
  evidence: (occasions, kept) => `${count(occasions, 'long-lived token')}, ${kept} reused`,
  judge(of) {
    const needless = of.renewals.filter((renewal) => renewal.reason === 'needless' && isEarly(renewal, of));
    const [first] = needless;
    const { longest } = marginsOf(of.contract);
    const kept = [...of.traffic.tokens.values()].filter(
      ({ uses, issues, expiresIn }) =>
        issues.length > 0 && uses.length > 1 && expiresIn !== null && expiresIn * 1000 > 2 * longest,
    ).length;
    if (needless.length < 2 || first === undefined)
      return { occasions: kept, kept, observations: [], seen: needless.length, needed: 2 };
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
          detail: `${needless.length} valid tokens were replaced, after ${served} calls in all; the first had ${span(left)} of ${span(lifetime)} left.`,
          evidence: inTimeOrder(needless.flatMap(({ issue, request }) => [issue, request])),
          times: needless.length,
        },
      ],
    };
  },
};

export const renewedWithout401: AuditRule<'renewed-without-401'> = {
  id: 'renewed-without-401',
  title: 'A new token because of 403 or 429',
  part: 'refresh',
  reference: 'RFC 6750, 3.1; RFC 6585, 4',
  isPerProgram: true,
  severity: 'warning',
  // without a cache, a new token follows every answer, and so a 403
  followsFrom: tokenNotCached,
  message: ({ actual }) => `The caller repeated a call with ${actual}, although 403 and 429 do not reject the token.`,
  needs: 'a 403 or 429',
  evidence: (occasions, kept) => `${count(occasions, 'response')} of 403 or 429, ${kept} without a token request`,
  judge(of) {
    const renewals = of.renewals.filter(({ reason }) => reason === 'other-refusal');
    const refused = of.traffic.calls.filter((call) => call.token !== null && isOtherRefusal(call)).length;
    const statuses = [...new Set(renewals.map(({ cause }) => cause?.status))].join(' and ');
    const observation = {
      expected: 'the same token: 403 and 429 do not reject it',
      actual: `a new token after ${statuses}`,
      detail: `${renewals.length} of ${refused} responses caused a token request.`,
      evidence: inTimeOrder(renewals.flatMap(({ cause, request }) => [cause, request])),
      times: renewals.length,
    };
    return {
      occasions: refused,
      kept: Math.max(0, refused - renewals.length),
      observations: renewals.length === 0 ? [] : [observation],
    };
  },
};

/** More than half of its life was left. After several calls, it counts only if the same program replaced it. */
function isEarly({ held, issue, request, served }: Renewal, { single }: Case): boolean {
  if (held === null || issue === null || held.expiresIn === null) return false;
  const left = issue.end + held.expiresIn * 1000 - request.start;
  if (left <= (held.expiresIn * 1000) / 2) return false;
  if (served <= 1 || single) return true;
  const { connection } = request.entry;
  const isSame = ({ entry }: Sent): boolean => entry.connection === connection;
  return connection === null || isSame(issue) || held.uses.some(isSame);
}
