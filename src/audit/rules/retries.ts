import { count } from '../../text/words.ts';
import { type Attempts, gotNoToken } from '../attempts.ts';
import { type AuditRule, type Case, isOpen, observeAlike, type RuleJudgement, subject } from '../rule.ts';
import { LOOP, LOOP_UNTOLD, QUEUED, span } from '../times.ts';
import { bySending, firstFrom, headerOf, inOrder, nextAfter, type Sent } from '../traffic.ts';

export const unauthorizedNotRetried: AuditRule<'unauthorized-not-retried'> = {
  id: 'unauthorized-not-retried',
  title: 'No retry after 401',
  reference: 'API reference, Authentication 7; Errors',
  severity: 'error',
  message: (_, operation) => `${subject(operation)} was answered 401 and is not sent again with a new token.`,
  evidence: (occasions, kept) => `${count(occasions, 'refusal')} seen, ${kept} retried`,
  judge(of) {
    const { attempts, all, readAt } = of;
    const repeated = new Set(attempts.deadRepeats.flatMap(({ refused, repeated: again }) => [refused, again]));
    const answered = attempts.chains.filter(([first, retry]) => first.status === 401 && retry !== undefined);
    const isPlain = plainRetries(attempts.chains);
    const retried = answered.filter(isPlain).length;
    const lonely = attempts.unretried.filter((first) => !repeated.has(first));
    const missing = lonely.filter((refused) => !isExcused(refused, of));
    const { open = [], closed = [] } = Object.groupBy(missing, ({ end }) => (isOpen(end, of) ? 'open' : 'closed'));
    const end = readAt ?? all.end;
    return {
      occasions: answered.length + missing.length,
      kept: retried,
      observations: observeAlike(
        closed,
        ({ operationId }) => operationId,
        (first, evidence) => ({
          operationId: first.operationId,
          expected: 'one retry with a new token',
          actual: 'no retry',
          detail: `No retry followed the 401 of #${first.seq} within ${span(Math.max(0, end - first.end))}, until the journal ended.`,
          evidence,
        }),
      ),
      open: open.length > 0,
    };
  },
};

export const retriedWithDeadToken: AuditRule<'retried-with-dead-token'> = {
  id: 'retried-with-dead-token',
  title: 'A refused token sent again',
  reference: 'API reference, Authentication 7',
  severity: 'error',
  message: (_, operation) => `${subject(operation)} is sent with a token that had been refused before.`,
  evidence: (occasions, kept) => `${count(occasions, 'refusal')} with more to send, ${kept} followed by another token`,
  judge(of) {
    const { traffic, attempts } = of;
    const pairs = [...attempts.deadRepeats, ...findKept(of)];
    // after a refusal another call follows: with which token?
    const lastStart = traffic.calls.at(-1)?.start ?? 0;
    const refused = traffic.calls.filter(({ status, token }) => status === 401 && token !== null);
    const followed = refused.filter(({ end }) => lastStart > end).length;
    const left = refused.filter((one) => nextAfter(one, one.end, traffic.calls)?.token !== one.token).length;
    const retried = attempts.chains.filter(({ length }) => length > 1).length;
    const occasions = Math.max(followed, retried, pairs.length);
    return {
      occasions,
      kept: Math.min(occasions - pairs.length, left),
      observations: observeAlike(
        pairs,
        ({ repeated }) => repeated.operationId,
        (first, all) => ({
          operationId: first.repeated.operationId,
          expected: 'a new token after 401',
          actual: 'the token that had been refused',
          detail: `#${first.repeated.seq} carries, ${span(first.repeated.start - first.refused.end)} later, the token that #${first.refused.seq} was refused with.`,
          evidence: inOrder(all.flatMap((pair) => [pair.refused, pair.repeated])),
        }),
      ),
    };
  },
};

export const retriedMoreThanOnce: AuditRule<'retried-more-than-once'> = {
  id: 'retried-more-than-once',
  title: 'More than one retry',
  reference: 'API reference, Authentication 7',
  severity: 'error',
  message: (_, operation) => `${subject(operation)} is sent again after its one retry was refused as well.`,
  evidence: (occasions, kept) => `${count(occasions, 'retry', 'retries')} refused as well, ${kept} left at that`,
  judge(of) {
    const several = of.attempts.chains.filter(({ length }) => length >= 3);
    const short = several.filter((chain) => !isLoop(chain, of));
    return { ...judgeChains(of, short, 'one retry', 'several retries'), kept: refusedRetries(of) - several.length };
  },
};

export const refreshLoop: AuditRule<'refresh-loop'> = {
  id: 'refresh-loop',
  title: 'An endless loop of new tokens and retries',
  reference: 'API reference, Authentication 7',
  severity: 'error',
  message: (_, operation) =>
    `${subject(operation)} is sent again and again, each time with a new token that is refused too.`,
  evidence: (occasions, kept) => `${count(occasions, 'retry', 'retries')} refused as well, ${kept} without a loop`,
  judge(of) {
    const loops = of.attempts.chains.filter((chain) => isLoop(chain, of));
    return judgeChains(of, loops, 'one retry, then the answer', 'a loop of refreshes');
  },
};

function judgeChains(of: Case, tooLong: Attempts['chains'], expected: string, actual: string): RuleJudgement {
  const occasions = refusedRetries(of);
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
  return { occasions, kept: occasions - tooLong.length, observations };
}

/**
 * Whether the second sending of a call is its retry. If another call was made with the new token and answered in
 * between, it may be the same call made anew.
 */
function plainRetries(chains: Attempts['chains']): (chain: Attempts['chains'][number]) => boolean {
  const made = Map.groupBy(chains.map(([first]) => first).sort(bySending), ({ token }) => token);
  return ([first, retry]) => {
    if (retry === undefined) return false;
    const others = made.get(retry.token) ?? [];
    const other = others[firstFrom(others, first.end, ({ start }) => start)];
    return other === undefined || other.end > retry.start || other.seq > retry.seq;
  };
}

function isExcused(refused: Sent, { traffic, lastElsewhere }: Case): boolean {
  // a streamed body cannot be sent again
  if (headerOf(refused.entry, 'transfer-encoding')?.toLowerCase().includes('chunked')) return true;
  // another part of the same program may have sent it, on a connection that nothing links to this one
  if ((lastElsewhere(refused.key)?.start ?? 0) >= refused.end) return true;
  return gotNoToken(refused, traffic);
}

/**
 * Calls that carry a token long after it was refused and its successor accepted: no request waits so long for a
 * connection.
 */
function findKept({ traffic, attempts }: Case): { refused: Sent; repeated: Sent }[] {
  const dead = new Map<string, { refused: Sent; since: number }>();
  for (const [refused, retry] of attempts.chains) {
    if (refused.token === null || retry === undefined || retry.status === null || retry.status === 401) continue;
    const known = dead.get(refused.token);
    if (known === undefined || retry.end < known.since) dead.set(refused.token, { refused, since: retry.end });
  }
  return [...dead].flatMap(([id, { refused, since }]) =>
    (traffic.tokens.get(id)?.uses ?? [])
      .filter(({ start }) => start > since + QUEUED)
      .map((repeated) => ({ refused, repeated })),
  );
}

/** How many retries were refused as well: only then can there be a second one. */
function refusedRetries({ attempts }: Case): number {
  return attempts.chains.filter(([, retry]) => retry?.status === 401).length;
}

function isLoop({ length }: readonly Sent[], { intent }: Case): boolean {
  return length >= (intent === undefined ? LOOP_UNTOLD : LOOP);
}
