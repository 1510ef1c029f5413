import { AT_ONCE, FORGOTTEN, GIVEN_UP, LOOP, QUEUED, RECORDER_SLACK } from './times.ts';
import { bySending, firstFrom, gaveToken, isOnOneConnection, nextAfter, type Sent, type Traffic } from './traffic.ts';

/** The attempts of one request. Each attempt after the first uses a token requested after the previous refusal. */
export type Chain = readonly [first: Sent, ...again: Sent[]];

export interface RefusedAttempt {
  readonly refused: Sent;
  /** False if it may be a retry: then its own 401 is the answer. */
  readonly isFirst: boolean;
  /** The first attempt of the same request with another token; null if it did not come in time. */
  readonly retry: Sent | null;
  /** Time at which a missing retry counts as given up. Milliseconds since the epoch. */
  readonly deadline: number;
}

export interface DeadRepeat {
  readonly refused: Sent;
  readonly repeated: Sent;
}

export interface Attempts {
  /** Only chains with a refusal. A new token after the refusal is a retry, even if a parallel call requested it. */
  readonly chains: readonly Chain[];
  readonly refusals: readonly RefusedAttempt[];
  readonly deadRepeats: readonly DeadRepeat[];
  /** Refusals that may be a loop, or a call that is made again and again with one retry each. */
  readonly mayLoop: boolean;
}

/** Each decision depends only on earlier exchanges and a bounded time after. Later exchanges never excuse a breach. */
export function findAttempts(traffic: Traffic): Attempts {
  const byKey = Map.groupBy(
    traffic.calls.filter(({ token }) => token !== null),
    ({ key }) => key,
  );
  const refused = [...byKey.values()].filter((sendings) => sendings.some(({ status }) => status === 401));
  const refusals = refused.flatMap((sendings) => refusalsOf(sendings, traffic));
  const firsts = refusals.filter(({ isFirst }) => isFirst);
  return {
    chains: refused.flatMap((sendings) => chainsOf(sendings, traffic)),
    refusals,
    deadRepeats: [...repeatsAtOnce(firsts, traffic), ...keptTokens(firsts, traffic)],
    mayLoop: refused.some((sendings) => pausesTwice(sendings, traffic) || usesManyTokens(sendings)),
  };
}

/** How many open chains are searched for the one that an attempt continues. */
const MOST_BESIDE = 250;

/**
 * A refusal begins a chain. A further attempt continues the latest refusal that may have caused it.
 * A call that begins with a rejected token shows that the retry with this token was the last: its chain ends.
 */
function chainsOf(sendings: readonly Sent[], traffic: Traffic): Chain[] {
  const chains: [Sent, ...Sent[]][] = [];
  let open: [Sent, ...Sent[]][] = [];
  for (const sending of sendings) {
    open = open.filter((chain) => sending.start - lastOf(chain).end < FORGOTTEN).slice(-MOST_BESIDE);
    const isDead = wasRefusedBefore(sending, traffic);
    // with a rejected token, only a call that was not retried yet goes on: equal calls share a renewal
    const waiting = isDead ? open.filter(({ length }) => length === 1) : open;
    const known = waiting.findLast((chain) => goesOn(chain, sending, traffic));
    const ended = known === undefined && isDead ? open.findLast((chain) => isLastRetry(chain, sending)) : known;
    known?.push(sending);
    open = open.filter((chain) => chain !== ended);
    if (sending.status !== 401) continue;
    const chain = known ?? [sending];
    if (known === undefined) chains.push(chain);
    open.push(chain);
  }
  return chains;
}

/** Within a millisecond, the numbers of the journal decide. */
function wasRefusedBefore({ token, start, seq }: Sent, { tokens }: Traffic): boolean {
  const [first] = tokens.get(token ?? '')?.refusals ?? [];
  return first !== undefined && first.end <= start && first.seq < seq;
}

function isLastRetry(chain: Chain, { token, start }: Sent): boolean {
  const last = lastOf(chain);
  return chain.length > 1 && last.token === token && last.end <= start;
}

function lastOf(chain: Chain): Sent {
  return chain.at(-1) ?? chain[0];
}

/** A retry waits only for its token. A further retry follows at once; later, the same call may be a new one. */
function goesOn(chain: Chain, sending: Sent, traffic: Traffic): boolean {
  const last = lastOf(chain);
  if (last.end > sending.start || !isNewer(sending, last, traffic)) return false;
  if (chain.length > 1) return followsAtOnce(last, sending, traffic);
  return sending.start <= deadlineOf(last, traffic) && !gotNoToken(last, sending.start, traffic);
}

/** No retry uses a token that was issued before the rejected one. */
function isNewer(next: Sent, last: Sent, { tokens }: Traffic): boolean {
  const issueOf = ({ token }: Sent): number => tokens.get(token ?? '')?.issues[0]?.seq ?? 0;
  return issueOf(next) > issueOf(last) || (next.token !== last.token && issueOf(next) === 0);
}

export function followsAtOnce(refused: Sent, next: Sent, traffic: Traffic): boolean {
  return pauseBetween(refused, next, traffic) <= AT_ONCE;
}

/** Milliseconds without the request for the token of `next`; NaN if that request does not follow the refusal. */
function pauseBetween({ end, seq }: Sent, next: Sent, { tokens }: Traffic): number {
  const issue = tokens.get(next.token ?? '')?.issues[0];
  // within a millisecond, the numbers of the journal decide
  if (issue === undefined || issue.start < end || issue.seq < seq) return Number.NaN;
  return issue.start - end + (next.start - issue.end);
}

/** Two pauses in a row. If each call is retried at once, only every second attempt comes after a pause. */
function pausesTwice(sendings: readonly Sent[], traffic: Traffic): boolean {
  const isPaused = sendings.map((next, index) => {
    const last = sendings[index - 1];
    const pause = last?.status === 401 ? pauseBetween(last, next, traffic) : 0;
    return pause > AT_ONCE && pause < FORGOTTEN;
  });
  return isPaused.some((paused, index) => paused && isPaused[index - 1] === true);
}

/** Loops that share their tokens look like a call that is made again and again, each time with one retry. */
function usesManyTokens(sendings: readonly Sent[]): boolean {
  const rejected = new Set<string | null>();
  return sendings.some(({ status, token, start }, index) => {
    if (status !== 401 || start - (sendings[index - 1]?.end ?? start) > AT_ONCE) rejected.clear();
    return rejected.add(token).size >= LOOP;
  });
}

function refusalsOf(sendings: readonly Sent[], traffic: Traffic): RefusedAttempt[] {
  const refused = sendings.filter(({ status }) => status === 401);
  const places = new Map(sendings.map((one, index) => [one, index]));
  const byStart = createOthers(sendings);
  const ended = refused.toSorted((a, b) => a.end - b.end);
  const byEnd = createOthers(ended);
  return refused.map((one): RefusedAttempt => {
    const { token, start, end } = one;
    const since = start - (isFresh(one, traffic) ? FORGOTTEN : AT_ONCE);
    const earlier = byEnd.from(
      token,
      firstFrom(ended, since, (each) => each.end),
    );
    const isFirst = earlier === undefined || earlier.end > start + RECORDER_SLACK || bySending(earlier, one) > 0;
    const deadline = deadlineOf(one, traffic);
    // within a millisecond, the numbers of the journal decide
    const after = Math.max(places.get(one) ?? 0, firstFrom(sendings, end - RECORDER_SLACK, (each) => each.start) - 1);
    const next = byStart.from(token, after + 1);
    return { refused: one, isFirst, retry: next !== undefined && next.start <= deadline ? next : null, deadline };
  });
}

function isFresh({ token, start }: Sent, { tokens }: Traffic): boolean {
  return start - (tokens.get(token ?? '')?.issuedAt ?? 0) <= AT_ONCE;
}

/** The token endpoint may be slow: the time for a retry starts at its answer. */
function deadlineOf({ end }: Sent, { tokenAnswers }: Traffic): number {
  const answer = tokenAnswers[firstFrom(tokenAnswers, end, (each) => each.end)];
  return GIVEN_UP + (answer !== undefined && answer.start <= end + GIVEN_UP ? answer.end : end);
}

/** True if a token response between a refusal and this time brought no other token, so a retry was impossible. */
export function gotNoToken({ end, token }: Sent, until: number, { tokenAnswers }: Traffic): boolean {
  const at = (time: number): number => firstFrom(tokenAnswers, time, (answer) => answer.end);
  return tokenAnswers
    .slice(at(end), at(until + 1))
    .some((answer) => !gaveToken(answer) || answer.entry.token?.id === token);
}

/**
 * A refused request that is repeated with the same token before any other request.
 * In a parallel program, it may have waited for a connection. Then it is a separate call if the refused one is also
 * retried. A program counts as parallel if it uses several connections.
 * If a third attempt follows and no new token, the program makes the call again and again, and retries nothing.
 */
function repeatsAtOnce(refusals: readonly RefusedAttempt[], traffic: Traffic): DeadRepeat[] {
  const pairs = refusals.flatMap(({ refused, retry, deadline }) => {
    const repeated = nextAfter(refused, refused.end, traffic.sent);
    if (repeated === undefined || repeated.key !== refused.key || repeated.token !== refused.token) return [];
    if (repeated.start - refused.end > AT_ONCE || !traffic.inTurn(refused, repeated)) return [];
    const isSerial =
      retry === null || (isOnOneConnection(refused, repeated, traffic) && !isRetriedTwice(retry, traffic));
    const isRepeat = isSerial && !gotNoToken(refused, deadline, traffic);
    return isRepeat ? [{ refused, repeated, isLeft: retry === null }] : [];
  });
  const sources = new Set(pairs.map(({ refused }) => refused));
  const targets = new Set(pairs.map(({ repeated }) => repeated));
  return pairs.filter(({ refused, repeated, isLeft }) => !isLeft || !(targets.has(refused) || sources.has(repeated)));
}

/** Two equal calls that waited for one connection are both retried. A repeat with the dead token is retried once. */
function isRetriedTwice(retry: Sent, { sent }: Traffic): boolean {
  const second = nextAfter(retry, retry.start, sent);
  return second?.key === retry.key && second.token === retry.token && second.start - retry.end <= AT_ONCE;
}

/** No request waits this long for a connection. */
function keptTokens(refusals: readonly RefusedAttempt[], { tokens }: Traffic): DeadRepeat[] {
  const dead = new Map<string, { refused: Sent; since: number }>();
  for (const { refused, retry } of refusals) {
    if (refused.token === null || retry === null || retry.status === null || retry.status === 401) continue;
    const known = dead.get(refused.token);
    if (known === undefined || retry.end < known.since) dead.set(refused.token, { refused, since: retry.end });
  }
  return [...dead].flatMap(([id, { refused, since }]) =>
    (tokens.get(id)?.uses ?? [])
      .filter(({ start }) => start > since + QUEUED)
      .map((repeated) => ({ refused, repeated })),
  );
}

/** Finds the next attempt with another token, even among many with the same. */
function createOthers(sent: readonly Sent[]) {
  const nextOther = new Uint32Array(sent.length);
  for (let index = sent.length - 1; index >= 0; index -= 1) {
    const isSame = sent[index]?.token === sent[index + 1]?.token;
    nextOther[index] = isSame ? (nextOther[index + 1] ?? sent.length) : index + 1;
  }
  return {
    from(token: string | null, first: number): Sent | undefined {
      return sent[first]?.token === token ? sent[nextOther[first] ?? sent.length] : sent[first];
    },
  };
}
