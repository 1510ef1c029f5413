import { count } from '../../text/words.ts';
import type { Caller } from '../callers.ts';
import { findRenewals, type Renewal } from '../renewals.ts';
import type { AuditRule, Case, RuleObservation } from '../rule.ts';
import { SAME_MOMENT, span } from '../times.ts';
import { bySending, carriesTokens, gaveToken, inTimeOrder, type Sent, type Traffic } from '../traffic.ts';
import { tokenNotCached } from './renewals.ts';

const AT_ONCE = 'token requests at once';
const ONE_OR_SEVERAL = 'token requests at the same moment, of one program or of several';

export const refreshNotShared: AuditRule<'refresh-not-shared'> = {
  id: 'refresh-not-shared',
  title: 'Several token requests instead of one',
  reference: 'API reference, Authentication 6',
  severity: 'warning',
  // parallel calls that each request a token request several at once
  followsFrom: tokenNotCached,
  message({ actual, times = 2 }) {
    if (actual === AT_ONCE)
      return 'The caller requested several tokens at once. One request can serve all waiting calls.';
    return actual === ONE_OR_SEVERAL
      ? `${times} token requests with the same credentials and the same user agent, from the same address, at the same moment: one program without a shared token, or ${times} programs. --callers one or --callers by-connection says which.`
      : 'The caller replaced a token several times, because each late 401 caused its own token request.';
  },
  evidence: (occasions, kept) =>
    `${count(occasions, 'moment')} at which several calls needed a token, ${kept} served by one request`,
  judge(of) {
    const renewals = findRenewals(of).filter(({ request }) => gaveToken(request));
    const atOnce = renewals.filter(({ reason }) => reason === 'beside');
    const late = renewals.filter(({ reason }) => reason === 'late-refusal');
    const observations: RuleObservation[] = [...doubtOf(of)];
    if (atOnce.length > 0) {
      observations.push({
        expected: 'one token request for all that wait',
        actual: AT_ONCE,
        detail: `${atOnce.length} were sent while another was under way.`,
        evidence: inTimeOrder(atOnce.flatMap(({ cause, request }) => [cause, request])),
        times: atOnce.length,
      });
    }
    if (late.length > 0) {
      observations.push({
        expected: 'one new token for one that was refused',
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
  return `${late.length} of them; the first came for the 401 of #${first.cause.seq}, ${span(Math.max(0, after))} after #${first.issue.seq} had brought a new token.`;
}

/**
 * Unlinked parts of the journal with the same credentials and `user-agent` that requested a token at the same moment.
 * The user decides whether they are one program. Reported once, with the first of the similar parts.
 */
function doubtOf({ traffic, alike, areCallersUnknown }: Case): RuleObservation[] {
  // otherwise each part would report all parts
  if (!areCallersUnknown || alike[0]?.traffic !== traffic) return [];
  const requests = alike
    .filter((peer) => carriesTokens(peer.traffic))
    .flatMap((peer) => peer.traffic.tokenRequests.filter(gaveToken).map((request) => ({ peer, request })))
    .sort((a, b) => bySending(a.request, b.request));
  let moment = new Map<Caller, Sent>();
  let most = moment;
  let since = Number.NEGATIVE_INFINITY;
  for (const { peer, request } of requests) {
    if (request.start - since > SAME_MOMENT) {
      moment = new Map();
      since = request.start;
    }
    if (!moment.has(peer)) moment.set(peer, request);
    if (moment.size > most.size) most = moment;
  }
  if (most.size < 2) return [];
  return [
    {
      expected: 'one token request for all that wait',
      actual: ONE_OR_SEVERAL,
      evidence: [...most.values()],
      callers: [...most.keys()].map(({ name }) => name),
      times: most.size,
    },
  ];
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
