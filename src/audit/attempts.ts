import { AT_ONCE, FORGOTTEN, RECORDER_SLACK, RETRY_WINDOW, STALLED } from './times.ts';
import { firstFrom, gaveToken, isSequential, type Sent, type Traffic } from './traffic.ts';

/** Among so many that follow a refused request the one that repeats it is looked for. */
const MOST_BESIDE = 100;

/** What is known of how often a program means to send each request, by key; more sendings are retries. */
export interface Intent {
  readonly calls: ReadonlyMap<string, number>;
  /** True where each of these calls can succeed, at the latest with a new token: then what comes beyond them, and only that, is a retry. */
  readonly recoverable: boolean;
}

/** One logical call: the first sending, and what was sent again of it, each time with another token. */
type Chain = [first: Sent, ...again: Sent[]];

/** A refused request, and the same sent again with the token that had just been refused. */
export interface DeadRepeat {
  readonly refused: Sent;
  readonly repeated: Sent;
}

export interface Attempts {
  readonly chains: readonly Readonly<Chain>[];
  /** First sendings that were answered 401 and, however parallel calls are told apart, were not sent again. */
  readonly unretried: readonly Sent[];
  readonly deadRepeats: readonly DeadRepeat[];
}

/** Tells retries from new calls. */
export function findAttempts(traffic: Traffic, intent?: Intent): Attempts {
  const chains: Chain[] = [];
  const deadRepeats: DeadRepeat[] = [];
  const unretried: Sent[] = [];
  const byKey = Map.groupBy(
    traffic.calls.filter(({ token }) => token !== null),
    ({ key }) => key,
  );
  for (const [key, sendings] of byKey) {
    const meant = intent?.calls.get(key);
    const told = meant !== undefined && intent?.recoverable === true;
    const own = chainsOf(sendings, traffic, meant, told ? sendings.length - meant : Number.POSITIVE_INFINITY);
    untangle(own, traffic);
    if (meant === undefined) splitDoubtful(own, sendings);
    deadRepeats.push(...findDeadRepeats(own, meant).filter(({ refused }) => !gotNoToken(refused, traffic)));
    unretried.push(...findUnretried(own, sendings, traffic, told));
    chains.push(...own);
  }
  return { chains, unretried, deadRepeats };
}

/**
 * Sendings of one request. The second sending of a refused one with another token is its retry. A third one is a further retry where it
 * follows at once (or where all calls that the program means to make are accounted for); else it is a new call.
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
 * First sendings that were refused and not sent again. `told`: it is known which are first ones. Else those are left out that may have
 * been a retry themselves, or whose retry may be one that was taken for that of another, or for a call of its own.
 */
function findUnretried(
  chains: readonly Chain[],
  sendings: readonly Sent[],
  traffic: Traffic,
  told: boolean,
): readonly Sent[] {
  const lonely = chains.flatMap(([first, retry]) => (retry === undefined && first.status === 401 ? [first] : []));
  if (told || lonely.length === 0) return lonely;
  const refusals = sendings.filter(({ status }) => status === 401).sort((a, b) => a.end - b.end);
  const spare = chains
    .flatMap(([first, retry]) => {
      if (retry === undefined) return [first];
      return isPossibleRetry(first, refusals, traffic) ? [retry] : [];
    })
    .sort((a, b) => a.start - b.start);
  // one of several threads may be held up before it retries
  const patience = isSequential(traffic) ? AT_ONCE : RETRY_WINDOW + STALLED;
  return lonely.filter((first) => {
    const from = firstFrom(spare, first.end - RECORDER_SLACK, ({ start }) => start);
    const to = firstFrom(spare, first.end + FORGOTTEN, ({ start }) => start);
    return (
      !isPossibleRetry(first, refusals, traffic) &&
      !spare.slice(from, to).some((each) => isRetryOf(each, first, traffic, patience))
    );
  });
}

/** Whether a sending may have been the retry of some refused one: then its own 401 is an answer, and nothing has to follow. */
function isPossibleRetry(sending: Sent, refusals: readonly Sent[], traffic: Traffic): boolean {
  const from = firstFrom(refusals, sending.start - FORGOTTEN, ({ end }) => end);
  const to = firstFrom(refusals, sending.start + RECORDER_SLACK + 1, ({ end }) => end);
  return refusals.slice(from, to).some((refused) => isRetryOf(sending, refused, traffic));
}

function isRetryOf(sending: Sent, refused: Sent, traffic: Traffic, window: number = AT_ONCE): boolean {
  return (
    sending.token !== refused.token && isRefusedBefore(refused, sending) && isTimely(refused, sending, traffic, window)
  );
}

/** Of several calls that may be retried here: one that could get a new token, and was refused last. */
function likeliest(chains: readonly Chain[], traffic: Traffic): Chain | undefined {
  if (chains.length < 2) return chains[0];
  const able = chains.filter(([first]) => !gotNoToken(first, traffic));
  return (able.length > 0 ? able : chains).toSorted(([a], [b]) => b.end - a.end)[0];
}

/**
 * Parallel calls of the same request may have been mixed up: where a third sending follows, and another one could have been the retry
 * of the first, it was.
 */
function untangle(chains: Chain[], traffic: Traffic): void {
  const retried = chains.filter(
    ([, retry, third]) => retry !== undefined && third === undefined && retry.status !== 401,
  );
  for (const chain of chains) {
    const [refused] = chain;
    if (chain.length > 1 || refused.status !== 401) continue;
    // of two that were sent beside each other the refused one was the retry
    const other = retried.find(
      ([first, retry]) => retry !== undefined && retry.status !== 401 && isRetryOf(refused, first, traffic),
    );
    const [retry] = other?.splice(1, 1, refused) ?? [];
    if (retry !== undefined) chain[0] = retry;
  }
  for (const chain of chains) {
    const [first, retry, ...further] = chain;
    if (retry === undefined || further.length === 0) continue;
    if (gotNoToken(first, traffic)) {
      // the first call ended there, and another one began
      chains.push([retry, ...further]);
      chain.splice(1);
      continue;
    }
    const spare = chains.find((candidate) => candidate !== chain && isRetryOf(candidate[0], first, traffic));
    if (spare === undefined) continue;
    const [other, next, ...rest] = spare;
    spare.splice(0, spare.length, retry, ...further);
    chain.splice(1, chain.length - 1, other);
    if (next !== undefined) chains.push([next, ...rest]);
  }
}

/** Where parallel calls of the same request failed together, nobody can tell a further retry from a call of its own. */
function splitDoubtful(chains: Chain[], sendings: readonly Sent[]): void {
  for (const chain of chains) {
    const [first, retry, third, ...further] = chain;
    if (retry === undefined || third === undefined) continue;
    const from = firstFrom(sendings, first.start - RETRY_WINDOW, ({ start }) => start);
    const to = firstFrom(sendings, lastOf(chain).start + 1, ({ start }) => start);
    if (sendings.slice(from, to).every((each) => chain.includes(each))) continue;
    chain.splice(2);
    chains.push([third, ...further]);
  }
}

/** Whether the first token request to end after a refusal brought no other token: then there was nothing to retry with. */
export function gotNoToken(refused: Sent, { tokenRequests }: Traffic): boolean {
  let first: Sent | undefined;
  for (const request of tokenRequests) {
    if (request.end >= refused.end && (first === undefined || request.end < first.end)) first = request;
  }
  return first !== undefined && (!gaveToken(first) || first.entry.token?.id === refused.token);
}

/** A retry waits for nothing but its token. */
function isTimely(refused: Sent, sending: Sent, traffic: Traffic, window = RETRY_WINDOW): boolean {
  const issuedAt = traffic.tokens.get(sending.token ?? '')?.issuedAt ?? 0;
  return sending.start - Math.max(refused.end, issuedAt) <= window;
}

/** The new token was asked for because of the refusal, and used, each at once. Another call may have waited for one that came else. */
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

/** Whether a request was sent beside others of its kind: one of several parallel calls, all begun before the first was refused. */
function isAmongParallel(same: readonly Sent[], index: number): boolean {
  const [before, one, after] = [same[index - 1], same[index], same[index + 1]];
  if (one === undefined) return false;
  return (before !== undefined && before.end > one.start) || (after !== undefined && after.start < one.end);
}
