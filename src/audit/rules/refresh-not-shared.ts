import { count } from '../../text/words.ts';
import type { Renewal } from '../renewals.ts';
import type { AuditRule, RuleObservation } from '../rule.ts';
import { SAME_MOMENT, span } from '../times.ts';
import { gaveToken, inTimeOrder, type Sent, type Traffic } from '../traffic.ts';
import { tokenNotCached } from './renewals.ts';

const AT_ONCE = 'token requests at once';

export const refreshNotShared: AuditRule<'refresh-not-shared'> = {
  id: 'refresh-not-shared',
  title: 'Several token requests instead of one',
  part: 'reuse',
  isPerProgram: true,
  severity: 'warning',
  // parallel calls that each request a token request several at once
  followsFrom: tokenNotCached,
  message: ({ actual }) =>
    actual === AT_ONCE
      ? 'The caller requested several tokens at once. One request can serve all waiting calls.'
      : 'The caller replaced a token several times, because each late 401 caused its own token request.',
  needs: 'parallel calls that wait for one token',
  evidence: (occasions, kept) =>
    `${count(occasions, 'moment')} when several calls needed a token, ${kept} served by one request`,
  judge(of) {
    const renewals = of.renewals.filter(({ request }) => gaveToken(request));
    const atOnce = renewals.filter(({ reason }) => reason === 'beside');
    const late = renewals.filter(({ reason }) => reason === 'late-refusal');
    const observations: RuleObservation[] = [];
    if (atOnce.length > 0) {
      observations.push({
        expected: 'one token request for all waiting calls',
        actual: AT_ONCE,
        detail: `${atOnce.length} were sent before another one had returned.`,
        evidence: inTimeOrder(atOnce.flatMap(({ cause, request }) => [cause, request])),
        times: atOnce.length,
      });
    }
    if (late.length > 0) {
      observations.push({
        expected: 'one new token for one rejected token',
        actual: 'a new token for each late 401',
        detail: lateDetail(late),
        evidence: inTimeOrder(late.flatMap(({ issue, cause, request }) => [issue, cause, request])),
        times: late.length,
      });
    }
    const needs = sharedNeeds(of.traffic);
    const occasions = Math.max(needs, observations.length);
    return { occasions, kept: observations.length > 0 ? 0 : needs, observations };
  },
};

function lateDetail(late: readonly Renewal[]): string {
  const [first] = late;
  if (first === undefined || first.cause === null || first.issue === null) return '';
  const after = first.cause.end - first.issue.end;
  return `${count(late.length, 'token request')} followed late 401s; the first followed the 401 of #${first.cause.seq}, ${span(Math.max(0, after))} after #${first.issue.seq} had returned a new token.`;
}

function sharedNeeds({ tokens, calls }: Traffic): number {
  if (calls.length < 2) return 0;
  return [...tokens.values()].filter(
    ({ uses, refusals, issuedAt }) =>
      anyOverlap(refusals) ||
      (issuedAt !== null && anyOverlap(uses.filter(({ start }) => start - issuedAt <= SAME_MOMENT))),
  ).length;
}

function anyOverlap(sent: readonly Sent[]): boolean {
  return sent.some((one, index) => {
    const before = sent[index - 1];
    return before !== undefined && one.start < before.end && before.start < one.end;
  });
}
