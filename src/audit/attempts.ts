import { createTimeline, type Timeline } from './timeline.ts';
import { AT_ONCE, FORGOTTEN, RECORDER_SLACK, RETRY_WINDOW, STALLED } from './times.ts';
import { firstFrom, gaveToken, type Sent, type Traffic } from './traffic.ts';

/** How many candidates are searched for the retry of a refused request. */
const MOST_BESIDE = 250;

/** How often a program means to send each request, by key. More sendings are retries. */
export interface Intent {
  readonly calls: ReadonlyMap<string, number>;
  /**
   * True if each of these calls can succeed, at the latest with a new token. Then only what comes beyond them is a
   * retry.
   */
  readonly recoverable: boolean;
}

type Chain = [first: Sent, ...again: Sent[]];

export interface DeadRepeat {
  readonly refused: Sent;
  readonly repeated: Sent;
}

export interface Attempts {
  readonly chains: readonly Readonly<Chain>[];
  /** First sendings that were answered 401 and, however parallel calls are matched, were not sent again. */
  readonly unretried: readonly Sent[];
  readonly deadRepeats: readonly DeadRepeat[];
}

export function findAttempts(traffic: Traffic, intent?: Intent): Attempts {
  const byKey = Map.groupBy(
    traffic.calls.filter(({ token }) => token !== null),
    ({ key }) => key,
  );
  const found = [...byKey].map(([key, sendings]): Attempts => {
    const meant = intent?.calls.get(key);
    const told = meant !== undefined && intent?.recoverable === true;
    const own = chainsOf(sendings, traffic, meant, told ? sendings.length - meant : Number.POSITIVE_INFINITY);
    untangle(own, traffic);
    return {
      chains: own,
      unretried: findUnretried(own, sendings, traffic, told),
      deadRepeats: findDeadRepeats(own, meant).filter(({ refused }) => !gotNoToken(refused, traffic)),
    };
  });
  return {
    chains: found.flatMap(({ chains }) => chains),
    unretried: found.flatMap(({ unretried }) => unretried),
    deadRepeats: found.flatMap(({ deadRepeats }) => deadRepeats),
  };
}

/**
 * The second sending of a refused request with another token is its retry. A third one is a further retry if it follows
 * at once, or if all calls that the program means to make are accounted for. Otherwise it is a new call.
 */
function chainsOf(
  sendings: readonly Sent[],
  traffic: Traffic,
  meant: number | undefined,
  mostRetries: number,
): Chain[] {
  const chains: Chain[] = [];
  let retriesLeft = mostRetries;
  let open: Chain[] = [];
  const refusedTokens = new Set<string | null>();
  for (const sending of sendings) {
    // long ago is no retry; without this a journal of a caller that never retries would take the square of its length
    if (meant === undefined) open = open.filter((chain) => sending.start - lastOf(chain).end < FORGOTTEN);
    const refused = open.filter(
      (chain) => isRefusedBefore(lastOf(chain), sending) && lastOf(chain).token !== sending.token,
    );
    const retriable = refused.filter((chain) => chain.length === 1 && isTimely(chain[0], sending, traffic));
    const asRetry = retriesLeft > 0 ? likeliest(retriable, traffic) : undefined;
    // a token that was refused before is no new one: with it a new call begins
    const asFurther = refusedTokens.has(sending.token)
      ? undefined
      : refused.find(
          (chain) =>
            chain.length > 1 &&
            (meant === undefined ? isAtOnce(lastOf(chain), sending, traffic) : chains.length >= meant),
        );
    const known = asRetry ?? asFurther;
    const chain: Chain = known ?? [sending];
    if (known === undefined) chains.push(chain);
    else {
      known.push(sending);
      retriesLeft -= 1;
    }
    if (sending.status !== 401) open = open.filter((each) => each !== chain);
    else {
      refusedTokens.add(sending.token);
      if (!open.includes(chain)) open.push(chain);
      if (open.length > MOST_BESIDE) open.shift();
    }
  }
  return chains;
}

function lastOf(chain: Chain): Sent {
  return chain.at(-1) ?? chain[0];
}

function isRefusedBefore(refused: Sent, sending: Sent): boolean {
  return refused.status === 401 && refused.end <= sending.start + RECORDER_SLACK && refused.start < sending.start;
}

/**
 * First sendings that were refused and not sent again. If it is not known which are first ones (`told`), possible
 * retries are left out, and so are sendings whose retry may have been matched with another call.
 */
function findUnretried(
  chains: readonly Chain[],
  sendings: readonly Sent[],
  traffic: Traffic,
  told: boolean,
): readonly Sent[] {
  const lonely = chains.flatMap(([first, retry]) => (retry === undefined && first.status === 401 ? [first] : []));
  if (told || lonely.length === 0) return lonely;
  const refusals = createTimeline(
    sendings.filter(({ status }) => status === 401),
    ({ end }) => end,
  );
  const spare = chains.flatMap(([first, retry]) => {
    if (retry === undefined) return [first];
    return isPossibleRetry(first, refusals, traffic) ? [retry] : [];
  });
  // one of several threads may be held up before it retries
  const patience = traffic.sequential ? AT_ONCE : RETRY_WINDOW + STALLED;
  const soon = createTimeline(spare, ({ start }) => start);
  const fresh = createTimeline(
    spare.filter((each) => isFresh(each, traffic, patience)),
    ({ start }) => start,
  );
  return lonely.filter((first) => {
    if (isPossibleRetry(first, refusals, traffic)) return false;
    const from = first.end - RECORDER_SLACK;
    const isAfter = ({ start }: Sent): boolean => start > first.start;
    return (
      !soon.hasOther(first.token, from, first.end + patience + 1, isAfter) &&
      !fresh.hasOther(first.token, from, first.end + FORGOTTEN, isAfter)
    );
  });
}

/** Then its own 401 is the answer, and nothing has to follow. */
function isPossibleRetry(sending: Sent, refusals: Timeline, traffic: Traffic): boolean {
  const from = sending.start - (isFresh(sending, traffic, AT_ONCE) ? FORGOTTEN : AT_ONCE);
  const to = sending.start + RECORDER_SLACK + 1;
  return refusals.hasOther(sending.token, from, to, ({ start }) => start < sending.start);
}

function isFresh({ token, start }: Sent, { tokens }: Traffic, window: number): boolean {
  return start - (tokens.get(token ?? '')?.issuedAt ?? 0) <= window;
}

function isRetryOf(sending: Sent, refused: Sent, traffic: Traffic): boolean {
  return (
    sending.token !== refused.token && isRefusedBefore(refused, sending) && isTimely(refused, sending, traffic, AT_ONCE)
  );
}

/** Of several calls that may be retried here: one that could get a new token, and was refused last. */
function likeliest(chains: readonly Chain[], traffic: Traffic): Chain | undefined {
  if (chains.length < 2) return chains[0];
  const able = chains.filter(([first]) => !gotNoToken(first, traffic));
  return (able.length > 0 ? able : chains).toSorted(([a], [b]) => b.end - a.end)[0];
}

/** If a third sending follows, and another one could be the retry of the first, it is: parallel calls were mixed up. */
function untangle(chains: Chain[], traffic: Traffic): void {
  const retried = chains
    .filter(([, retry, third]) => retry !== undefined && third === undefined && retry.status !== 401)
    .sort(([a], [b]) => a.end - b.end);
  for (const chain of chains) {
    const [refused] = chain;
    if (chain.length > 1 || refused.status !== 401) continue;
    const since = refused.start - (isFresh(refused, traffic, AT_ONCE) ? FORGOTTEN : AT_ONCE);
    // of two that were sent beside each other the refused one was the retry
    const other = nextFew(retried, since, ([{ end }]) => end).find(
      ([first, retry]) => retry !== undefined && retry.status !== 401 && isRetryOf(refused, first, traffic),
    );
    const [retry] = other?.splice(1, 1, refused) ?? [];
    if (retry !== undefined) chain[0] = retry;
  }
  const byStart = chains.map((chain) => ({ chain, start: chain[0].start })).sort((a, b) => a.start - b.start);
  for (const chain of chains) {
    const [first] = chain;
    if (chain.length < 3) continue;
    if (gotNoToken(first, traffic)) {
      // the first call ended there, and another one began
      chains.push(chain.splice(1) as Chain);
      continue;
    }
    const spare = nextFew(byStart, first.end - RECORDER_SLACK, ({ start }) => start).find(
      (candidate) => candidate.chain !== chain && isRetryOf(candidate.chain[0], first, traffic),
    )?.chain;
    if (spare === undefined) continue;
    const [other, ...rest] = spare;
    spare.length = 0;
    for (const each of chain.splice(1)) spare.push(each);
    chain.push(other);
    if (rest.length > 0) chains.push(rest as Chain);
  }
}

function nextFew<T>(sorted: readonly T[], since: number, timeOf: (item: T) => number): T[] {
  const from = firstFrom(sorted, since, timeOf);
  return sorted.slice(from, from + MOST_BESIDE);
}

/** True if the first token response after a refusal brought no other token: there was nothing to retry with. */
export function gotNoToken(refused: Sent, { tokenAnswers }: Traffic): boolean {
  const first = tokenAnswers[firstFrom(tokenAnswers, refused.end, ({ end }) => end)];
  return first !== undefined && (!gaveToken(first) || first.entry.token?.id === refused.token);
}

/** A retry waits for nothing but its token. */
function isTimely(refused: Sent, sending: Sent, traffic: Traffic, window = RETRY_WINDOW): boolean {
  const issuedAt = traffic.tokens.get(sending.token ?? '')?.issuedAt ?? 0;
  return sending.start - Math.max(refused.end, issuedAt) <= window;
}

/** The new token was requested because of the refusal and used, each at once. */
function isAtOnce(refused: Sent, sending: Sent, traffic: Traffic): boolean {
  const issue = traffic.tokens.get(sending.token ?? '')?.issues[0];
  if (issue === undefined || issue.start < refused.end) return false;
  return issue.start - refused.end + (sending.start - issue.end) <= AT_ONCE;
}

function findDeadRepeats(chains: readonly Chain[], meant: number | undefined): DeadRepeat[] {
  const found: DeadRepeat[] = [];
  const claimed = new Set<Sent>();
  const firsts = Map.groupBy(
    chains.map(([first]) => first),
    ({ token }) => token,
  );
  for (const [refused, retry] of chains) {
    // a token that was refused on the retry only may be good: the caller may have no right to the operation
    if (retry !== undefined || refused.status !== 401) continue;
    if (meant !== undefined && found.length >= chains.length - meant) break;
    const same = firsts.get(refused.token) ?? [];
    const from = firstFrom(same, refused.end + 1, ({ start }) => start);
    const index = same.slice(from, from + MOST_BESIDE).findIndex((first) => !claimed.has(first));
    const repeated = same[from + index];
    if (index < 0 || repeated === undefined) continue;
    if (meant === undefined && (repeated.start - refused.end > AT_ONCE || isAmongParallel(same, from + index)))
      continue;
    claimed.add(repeated);
    found.push({ refused, repeated });
  }
  return found;
}

/** Whether a request is one of several parallel calls, all begun before the first was refused. */
function isAmongParallel(same: readonly Sent[], index: number): boolean {
  const [before, one, after] = [same[index - 1], same[index], same[index + 1]];
  if (one === undefined) return false;
  return (before !== undefined && before.end > one.start) || (after !== undefined && after.start < one.end);
}
