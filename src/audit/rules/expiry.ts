import { count } from '../../text/words.ts';
import { type AuditRule, type Case, isOpen, type RuleObservation } from '../rule.ts';
import {
  AT_ONCE,
  type DefaultLifetime,
  defaultLifetime,
  MARGIN_SHARE,
  marginsOf,
  RECORDER_SLACK,
  span,
} from '../times.ts';
import { choices, firstFrom, inTimeOrder, type Sent, type Token, type Traffic } from '../traffic.ts';

export const tokenNotRenewedInTime: AuditRule<'token-not-renewed-in-time'> = {
  id: 'token-not-renewed-in-time',
  title: 'A token used to its last second',
  part: 'reuse',
  severity: 'warning',
  message: () => 'The caller used a token within the margin before its expiry and did not request a new one.',
  needs: 'a token request shortly before an expiry',
  evidence: (occasions, kept) => `${count(occasions, 'token')} near the expiry, ${kept} renewed in time`,
  judge(of) {
    const { traffic, tolerance, contract } = of;
    const { shortest, longest } = marginsOf(contract);
    const observations: RuleObservation[] = [];
    let occasions = 0;
    let open = false;
    const chosenAt = choices(traffic);
    for (const { issues, uses, expiresAt, expiresIn } of traffic.tokens.values()) {
      const issue = issues.at(-1);
      if (expiresAt === null || expiresIn === null || issue === undefined) continue;
      const margin = Math.min(shortest, expiresIn * 1000 * MARGIN_SHARE);
      // no clocks have to be compared if the token was certainly chosen after an answer
      const slack = traffic.sequential ? Math.min(tolerance, margin / 2) : tolerance;
      if (margin <= slack) continue;
      // a request at a time when the caller may consider the token expired is not a renewal in time
      const earliestEnd = issue.end + expiresIn * 1000 - RECORDER_SLACK;
      if (isAskedWithin(traffic.tokenRequests, Math.max(issue.end + 1, expiresAt - longest), earliestEnd))
        occasions += 1;
      const unrenewed = uses.filter(
        (use) =>
          // the rules about use after expiry report later calls more precisely
          use.start <= expiresAt + tolerance &&
          chosenAt(use) >= expiresAt - margin + slack &&
          !isAskedWithin(traffic.tokenRequests, issue.end + 1, use.start + AT_ONCE),
      );
      const last = unrenewed.at(-1);
      if (last === undefined) continue;
      // a token request in flight is not in the journal yet
      if (isOpen(last.start, of)) {
        open = true;
        continue;
      }
      observations.push({
        expected: 'a new token 30 to 60 s before the expiry',
        actual: 'none within the margin',
        detail: `The token of #${issue.seq} (expires_in ${expiresIn}) was in use ${span(Math.max(0, expiresAt - last.start))} before its expiry, without a request for a new one.`,
        evidence: inTimeOrder([issue, ...unrenewed]),
      });
    }
    return { occasions: occasions + observations.length, kept: occasions, observations, open };
  },
};

const DROPPED = 'dropped at the default lifetime';

export const lifetimeAssumed: AuditRule<'lifetime-assumed'> = {
  id: 'lifetime-assumed',
  title: 'A lifetime assumed instead of expires_in',
  part: 'lifetime',
  isPerProgram: true,
  severity: 'error',
  message: ({ actual }) =>
    actual === DROPPED
      ? 'The caller dropped a token after the default lifetime, although its expires_in was longer.'
      : 'The caller used a token after its expires_in. It assumes a longer lifetime.',
  needs: 'a token with another lifetime than the default, replaced before it gets 401',
  evidence: (occasions, kept) =>
    `${count(occasions, 'token')} with another lifetime than the default, ${kept} renewed by expires_in`,
  judge(of) {
    const expected = 'the lifetime of expires_in';
    const observations: RuleObservation[] = findExpiredUses(of)
      .filter(({ withinDefault }) => withinDefault)
      .map(({ detail, evidence }) => ({ detail, evidence, expected, actual: 'used beyond expires_in' }));
    for (const { reason, held, issue, request } of of.renewals) {
      if (reason !== 'default-lifetime' || held === null || issue === null) continue;
      observations.push({
        expected,
        actual: DROPPED,
        detail: `The token of #${issue.seq} came with expires_in ${held.expiresIn} and was replaced after ${span(request.start - issue.end)}.`,
        evidence: inTimeOrder([issue, request]),
      });
    }
    const byDefault = defaultLifetime(of.contract);
    const tokens = [...of.traffic.tokens.values()];
    const lastCall = of.traffic.calls.reduce((latest, { start }) => Math.max(latest, start), Number.NEGATIVE_INFINITY);
    const exercised = tokens.filter((token) => byDefault !== null && isExercised(token, lastCall, byDefault));
    const occasions = Math.max(exercised.length, observations.length);
    // a 401 ends a token whatever its caller assumes
    const read = exercised.filter(({ refusals }) => refusals.length === 0).length;
    return { occasions, kept: Math.max(0, read - observations.length), observations };
  },
};

export const tokenUsedAfterExpiry: AuditRule<'token-used-after-expiry'> = {
  id: 'token-used-after-expiry',
  title: 'A token used after its expiry',
  part: 'lifetime',
  severity: 'error',
  message: () => 'The caller used a token after its expiry.',
  needs: 'calls before and after the expiry of a token',
  evidence: (occasions, kept) => `${count(occasions, 'token')} expired between calls, ${kept} not used afterwards`,
  judge(of) {
    const observations = findExpiredUses(of)
      .filter(({ withinDefault }) => !withinDefault)
      .map(({ detail, evidence }) => {
        return { detail, evidence, expected: 'a token that has not expired', actual: 'an expired token' };
      });
    const kept = heeded(of.traffic);
    return { occasions: kept + observations.length, kept, observations, open: hasOpenUse(of) };
  },
};

/** Uses of an expired token without a token request that was in flight or had failed. */
function findExpiredUses(of: Case) {
  const { traffic, tolerance, contract } = of;
  const byDefault = defaultLifetime(contract);
  const { longest } = marginsOf(contract);
  const chosenAt = choices(traffic);
  const isTrying = attemptsOf(traffic);
  return [...traffic.tokens.values()].flatMap(({ issues, uses, expiresAt, expiresIn }) => {
    const issue = issues.at(-1);
    // a token with no life left may be tried once: it cannot be kept
    if (issue === undefined || expiresAt === null || expiresIn === null || expiresIn <= 0) return [];
    const late = uses.filter(
      (use) =>
        chosenAt(use) > expiresAt + tolerance &&
        // a token request in flight is not in the journal yet
        !isOpen(use.start, of) &&
        !isTrying(use, Math.max(issue.end, expiresAt - longest)),
    );
    const [first] = late;
    if (first === undefined) return [];
    const until = span((late.at(-1) ?? first).start - expiresAt);
    return {
      detail: `The token of #${issue.seq} came with expires_in ${expiresIn} and was used until ${until} after its expiry.`,
      evidence: inTimeOrder([issue, ...late]),
      /** True if the stated lifetime is shorter than the default one, and the default one had not passed. */
      withinDefault:
        byDefault !== null &&
        expiresIn < byDefault.from &&
        first.start <= issue.end + byDefault.seconds * 1000 + tolerance,
    };
  });
}

/** Whether a token request had failed, or was in flight, when a call was sent: the caller had no better token. */
function attemptsOf({ tokenRequests }: Traffic): (use: Sent, since: number) => boolean {
  const failed = tokenRequests.filter(({ status }) => status === null || status >= 300);
  return (use, since) => {
    const last = tokenRequests[firstFrom(tokenRequests, use.start + 1, ({ start }) => start) - 1];
    const isInFlight = last !== undefined && last.start >= since && last.end >= use.start;
    return isInFlight || isAskedWithin(failed, since, use.start);
  };
}

function hasOpenUse(of: Case): boolean {
  return [...of.traffic.tokens.values()].some(({ uses, expiresAt }) => {
    const start = uses.at(-1)?.start;
    return expiresAt !== null && start !== undefined && start > expiresAt + of.tolerance && isOpen(start, of);
  });
}

function heeded({ tokens, calls }: Traffic): number {
  const last = calls.findLast(({ token, start }) => {
    const expiresAt = tokens.get(token ?? '')?.expiresAt ?? null;
    return expiresAt !== null && start <= expiresAt;
  });
  if (last === undefined) return 0;
  return [...tokens.values()].filter(
    ({ expiresAt, uses, refusals }) =>
      expiresAt !== null &&
      last.start > expiresAt &&
      (uses.at(-1)?.start ?? 0) <= expiresAt &&
      uses.length > 0 &&
      refusals.length === 0,
  ).length;
}

function isAskedWithin(requests: readonly Sent[], from: number, to: number): boolean {
  const next = requests[firstFrom(requests, from, ({ start }) => start)];
  return next !== undefined && next.start <= to;
}

/** True if calls continue past the moment at which expires_in and the default lifetime differ. */
function isExercised({ issues, expiresAt, expiresIn }: Token, lastCall: number, byDefault: DefaultLifetime): boolean {
  const issue = issues.at(-1);
  if (issue === undefined || expiresAt === null || expiresIn === null || expiresIn <= 0) return false;
  if (expiresIn < byDefault.from) return lastCall > expiresAt;
  return expiresIn > byDefault.to && lastCall > issue.end + byDefault.seconds * 1000;
}
