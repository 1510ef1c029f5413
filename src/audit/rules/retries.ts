import { count } from '../../text/words.ts';
import { type Chain, followsAtOnce, gotNoToken, type RefusedAttempt } from '../attempts.ts';
import { type AuditRule, type Case, observeAlike, type RuleJudgement, subject } from '../rule.ts';
import { LOOP, QUEUED, span } from '../times.ts';
import { firstFrom, inTimeOrder, nextAfter, requestHeader, type Sent, type Traffic } from '../traffic.ts';

export const unauthorizedNotRetried: AuditRule<'unauthorized-not-retried'> = {
  id: 'unauthorized-not-retried',
  title: 'No retry after 401',
  part: 'refresh',
  severity: 'error',
  message: (_, operation) => `${subject(operation)} returned 401, and the caller did not retry it with a new token.`,
  needs: 'a 401 whose call is sent again with a new token',
  evidence: (occasions, kept) => `${count(occasions, 'response')} of 401, ${kept} retried`,
  judge(of) {
    const { attempts, readAt, traffic } = of;
    const repeated = new Set(attempts.deadRepeats.flatMap(({ refused, repeated: again }) => [refused, again]));
    const retried = attempts.refusals.filter(({ retry }) => retry !== null);
    const missing = attempts.refusals.filter(
      (one) => one.isFirst && one.retry === null && !repeated.has(one.refused) && !isExcused(one, traffic),
    );
    const isOpen = ({ deadline }: RefusedAttempt): boolean => readAt !== null && readAt <= deadline;
    const end = readAt ?? traffic.end;
    return {
      occasions: retried.length + missing.length,
      kept: retried.filter((one) => isPlain(one, traffic)).length,
      observations: observeAlike(
        missing.filter((one) => !isOpen(one)),
        ({ refused }) => refused.operationId,
        ({ refused: first }, alike) => ({
          operationId: first.operationId,
          expected: 'one retry with a new token',
          actual: 'no retry',
          detail: `No retry followed the 401 of #${first.seq} in the remaining ${span(Math.max(0, end - first.end))} of the journal.`,
          evidence: alike.map(({ refused }) => refused),
        }),
      ),
      open: missing.some(isOpen),
    };
  },
};

export const retriedWithDeadToken: AuditRule<'retried-with-dead-token'> = {
  id: 'retried-with-dead-token',
  title: 'A rejected token sent again',
  part: 'refresh',
  severity: 'error',
  message: (_, operation) => `${subject(operation)} was called with a token that had already been rejected.`,
  needs: 'a 401 and then a call with another token',
  evidence: (occasions, kept) =>
    `${count(occasions, 'response')} of 401 before later calls, ${kept} followed by another token`,
  judge(of) {
    const { traffic, attempts } = of;
    const pairs = attempts.deadRepeats;
    const refused = traffic.calls.filter(({ status, token }) => status === 401 && token !== null);
    const followed = refused.flatMap((one) => {
      const next = nextAfter(one, one.end, traffic.calls);
      return next === undefined ? [] : [next.token !== one.token];
    });
    const occasions = Math.max(followed.length, pairs.length);
    return {
      occasions,
      kept: Math.min(occasions - pairs.length, followed.filter(Boolean).length),
      observations: observeAlike(
        pairs,
        ({ repeated }) => repeated.operationId,
        (first, all) => ({
          operationId: first.repeated.operationId,
          expected: 'a new token after 401',
          actual: 'the rejected token',
          detail: `#${first.repeated.seq} carried the rejected token of #${first.refused.seq} again, ${span(first.repeated.start - first.refused.end)} after the 401.`,
          evidence: inTimeOrder(all.flatMap((pair) => [pair.refused, pair.repeated])),
        }),
      ),
    };
  },
};

export const retriedMoreThanOnce: AuditRule<'retried-more-than-once'> = {
  id: 'retried-more-than-once',
  title: 'More than one retry',
  part: 'refresh',
  isPerProgram: true,
  severity: 'error',
  message: (_, operation) => `${subject(operation)} was retried again after its first retry returned 401.`,
  needs: 'a retry that gets 401 and is the last',
  evidence: (occasions, kept) => `${count(occasions, 'retry', 'retries')} also rejected, ${kept} not retried again`,
  judge(of) {
    const several = of.attempts.chains.filter((chain) => chain.length < LOOP && isSeveral(chain, of));
    return judgeChains(of, several, 'one retry', 'several retries');
  },
};

export const refreshLoop: AuditRule<'refresh-loop'> = {
  id: 'refresh-loop',
  title: 'An endless loop of new tokens and retries',
  part: 'refresh',
  isPerProgram: true,
  severity: 'error',
  message: (_, operation) =>
    `${subject(operation)} was retried in a loop, each time with a new token that was also rejected.`,
  needs: 'a retry that gets 401 and is the last',
  evidence: (occasions, kept) => `${count(occasions, 'retry', 'retries')} also rejected, ${kept} without a loop`,
  judge(of) {
    const loops = of.attempts.chains.filter(({ length }) => length >= LOOP);
    const longest = of.attempts.chains.reduce((most, { length }) => Math.max(most, length), 0);
    const judged = judgeChains(of, loops, 'one retry, then the answer', 'a loop of refreshes');
    return longest < 3 ? judged : { ...judged, seen: longest, needed: LOOP };
  },
};

function judgeChains(of: Case, tooLong: readonly Chain[], expected: string, actual: string): RuleJudgement {
  const refused = of.attempts.chains.filter(([, retry]) => retry?.status === 401);
  const observations = observeAlike(
    tooLong,
    ([first]) => first.operationId,
    (chain, all) => {
      const tokens = new Set(chain.map(({ token }) => token)).size;
      const within = span((chain.at(-1) ?? chain[0]).end - chain[0].start);
      const detail = `It was sent ${chain.length} times with ${tokens} tokens within ${within}.`;
      return { operationId: chain[0].operationId, expected, actual, detail, evidence: all.flat() };
    },
  );
  const kept = of.attempts.mayLoop ? 0 : refused.filter(({ length }) => length === 2).length;
  return { occasions: refused.length, kept, observations };
}

/** If another call used the new token in between, this may be a new call and not a retry. */
function isPlain({ refused, retry }: RefusedAttempt, { tokens }: Traffic): boolean {
  const uses = tokens.get(retry?.token ?? '')?.uses ?? [];
  const first = uses[firstFrom(uses, refused.end, ({ start }) => start)];
  return first === undefined || retry === null || first === retry || first.end > retry.start;
}

function isExcused({ refused, deadline }: RefusedAttempt, traffic: Traffic): boolean {
  // a streamed body cannot be sent again
  if (requestHeader(refused.entry, 'transfer-encoding')?.toLowerCase().includes('chunked')) return true;
  return gotNoToken(refused, deadline, traffic);
}

/**
 * More than one retry: each attempt requested its token at once after the refusal before it. If another request overlaps
 * with them, or the same request is also sent with an older token, an attempt may be the retry of a separate call.
 */
function isSeveral(chain: Chain, { traffic }: Case): boolean {
  return chain.some((sending, index) => {
    const [first = sending, retry = sending] = chain.slice(index - 2, index);
    return (
      index >= 2 &&
      followsAtOnce(first, retry, traffic) &&
      traffic.inTurn(first, sending) &&
      !isAmongOthers([first, retry, sending], traffic)
    );
  });
}

/** Whether another attempt with an older token is sent from the first to some time after the last: it had waited. */
function isAmongOthers(attempts: readonly [Sent, Sent, Sent], { calls, tokens }: Traffic): boolean {
  const [{ start, key }, , last] = attempts;
  const issuedAt = ({ token }: Sent): number => tokens.get(token ?? '')?.issuedAt ?? 0;
  const at = (time: number): number => firstFrom(calls, time, (call) => call.start);
  return calls
    .slice(at(start), at(last.end + QUEUED))
    .some((call) => call.key === key && !attempts.includes(call) && issuedAt(call) < issuedAt(last));
}
