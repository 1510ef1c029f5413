import { inOrder } from '../evidence.ts';
import { findRenewals, type Renewal } from '../renewals.ts';
import type { AuditRule, Observation } from '../rule.ts';
import { span } from '../times.ts';
import { gaveToken, type Sent, type Traffic } from '../traffic.ts';

/** All calls of a program wait for one token request, and a late 401 for a token that has been replaced needs none. */
export const refreshNotShared: AuditRule = {
  id: 'refresh-not-shared',
  judge(of) {
    const renewals = findRenewals(of).filter(({ request }) => gaveToken(request));
    const atOnce = renewals.filter(({ reason }) => reason === 'beside');
    const late = renewals.filter(({ reason }) => reason === 'late-refusal');
    const observations: Observation[] = [];
    if (atOnce.length > 0) {
      observations.push({
        expected: 'one token request for all that wait',
        actual: 'token requests at once',
        detail: `${atOnce.length} were sent while another was under way.`,
        evidence: inOrder(atOnce.flatMap(({ cause, request }) => [cause, request])),
        times: atOnce.length,
      });
    }
    if (late.length > 0) {
      observations.push({
        expected: 'one new token for one that was refused',
        actual: 'a new token for each late 401',
        detail: lateDetail(late),
        evidence: inOrder(late.flatMap(({ issue, cause, request }) => [issue, cause, request])),
        times: late.length,
      });
    }
    return { exercised: observations.length > 0 || isExercised(of.traffic), observations };
  },
};

function lateDetail(late: readonly Renewal[]): string {
  const [first] = late;
  if (first === undefined || first.cause === null || first.issue === null) return '';
  const after = first.cause.end - first.issue.end;
  return `${late.length} of them; the first came for the 401 of #${first.cause.seq}, ${span(Math.max(0, after))} after #${first.issue.seq} had brought a new token.`;
}

/** Several calls needed a token at the same time: a burst right after it came, or several 401s for one token. */
function isExercised({ tokens }: Traffic): boolean {
  return [...tokens.values()].some(({ uses, refusals, issuedAt }) => {
    if (refusals.some((refusal, index) => index > 0 && overlap(refusal, refusals[index - 1] as Sent))) return true;
    if (issuedAt === null) return false;
    const burst = uses.filter(({ start }) => start - issuedAt <= 250);
    return burst.some((call, index) => index > 0 && overlap(call, burst[index - 1] as Sent));
  });
}

function overlap(a: Sent, b: Sent): boolean {
  return a.start < b.end && b.start < a.end;
}
