import { firstFrom } from './search.ts';
import { AT_ONCE, FORGOTTEN, RECORDER_SLACK, RETRY_WINDOW } from './times.ts';
import { gaveToken, groupBy, type Sent, type Traffic } from './traffic.ts';

/** Among so many that follow a refused request the one that repeats it is looked for. */
const MOST_BESIDE = 100;

/** What is known of how often a program means to send each request, by key; more sendings are retries. */
export interface Intent {
  readonly calls: ReadonlyMap<string, number>;
  /** True where each of these calls can succeed, at the latest with a new token: then what comes beyond them, and only that, is a retry. */
  readonly recoverable: boolean;
}

/** One logical call: the first sending, and what was sent again of it, each time with another token. */
export interface Chain {
  readonly attempts: readonly Sent[];
}

export interface Attempts {
  readonly chains: readonly Chain[];
  /** First sendings that were answered 401 and, however parallel calls are told apart, were not sent again. */
  readonly unretried: readonly Sent[];
  /** A refused request, and the same sent again with the token that had just been refused. */
  readonly deadRepeats: readonly { readonly refused: Sent; readonly repeated: Sent }[];
}

/**
 * Tells retries from new calls. The second sending of a refused request with another token is its retry. A third one is a further
 * retry where it follows at once (or where all calls that the program means to make are accounted for); else it is a new call.
 */
export function findAttempts(traffic: Traffic, intent?: Intent): Attempts {
  const chains: Sent[][] = [];
  const deadRepeats: { refused: Sent; repeated: Sent }[] = [];
  const unretried: Sent[] = [];
  const byKey = groupBy(
    traffic.calls.filter(({ token }) => token !== null),
    ({ key }) => key,
  );
  for (const [key, sendings] of byKey) {
    const meant = intent?.calls.get(key);
    const own: Sent[][] = [];
    let retriesLeft =
      meant !== undefined && intent?.recoverable === true ? sendings.length - meant : Number.POSITIVE_INFINITY;
    let open: Sent[][] = [];
    const refusedTokens = new Set<string | null>();
    for (const sending of sendings) {
      // long ago is no retry; without this a journal of a caller that never retries would take the square of its length
      if (meant === undefined) open = open.filter((chain) => sending.start - (chain.at(-1)?.end ?? 0) < FORGOTTEN);
      const refused = open.filter((chain) => isRefusedBefore(chain, sending) && chain.at(-1)?.token !== sending.token);
      const asRetry =
        retriesLeft > 0
          ? likeliest(
              refused.filter((chain) => chain.length === 1 && isTimely(chain, sending, traffic)),
              traffic,
            )
          : undefined;
      const tried = refusedTokens.has(sending.token);
      const asFurther = refused.find((chain) =>
        // a token that was refused before is no new one: with it a new call begins
        tried
          ? false
          : meant === undefined
            ? chain.length > 1 && isAtOnce(chain, sending, traffic)
            : chain.length > 1 && own.length >= meant,
      );
      let chain = asRetry ?? asFurther;
      if (chain === undefined) {
        chain = [];
        own.push(chain);
      } else retriesLeft -= 1;
      chain.push(sending);
      if (sending.status === 401) refusedTokens.add(sending.token);
      const at = open.indexOf(chain);
      if (sending.status !== 401 && at >= 0) open.splice(at, 1);
      else if (sending.status === 401 && at < 0) open.push(chain);
    }
    untangle(own, traffic);
    if (meant === undefined) splitDoubtful(own, sendings);
    deadRepeats.push(...findDeadRepeats(own, meant).filter(({ refused }) => !gotNoToken(refused, traffic)));
    unretried.push(...findUnretried(own, sendings, traffic, meant !== undefined && intent?.recoverable === true));
    chains.push(...own);
  }
  return { chains: chains.map((attempts) => ({ attempts })), unretried, deadRepeats };
}

function isRefusedBefore(chain: readonly Sent[], sending: Sent): boolean {
  const last = chain.at(-1);
  return (
    last !== undefined &&
    last.status === 401 &&
    last.end <= sending.start + RECORDER_SLACK &&
    last.start < sending.start
  );
}

/**
 * First sendings that were refused and not sent again. `told`: it is known which are first ones. Else those are left out that may have
 * been a retry themselves, or whose retry may be one that was taken for that of another, or for a call of its own.
 */
function findUnretried(
  chains: readonly Sent[][],
  sendings: readonly Sent[],
  traffic: Traffic,
  told: boolean,
): readonly Sent[] {
  const lonely = chains.flatMap(([first, retry]) =>
    first !== undefined && retry === undefined && first.status === 401 ? [first] : [],
  );
  if (told || lonely.length === 0) return lonely;
  const refusals = sendings.filter(({ status }) => status === 401).sort((a, b) => a.end - b.end);
  const spare = chains
    .flatMap(([first, retry]) => {
      if (retry === undefined) return first === undefined ? [] : [first];
      return isPossibleRetry(first, refusals, traffic) ? [retry] : [];
    })
    .sort((a, b) => a.start - b.start);
  return lonely.filter((first) => {
    const from = firstFrom(spare, first.end - RECORDER_SLACK, ({ start }) => start);
    const to = firstFrom(spare, first.end + FORGOTTEN, ({ start }) => start);
    return (
      !isPossibleRetry(first, refusals, traffic) &&
      !spare.slice(from, to).some((each) => isRetryOf(each, first, traffic))
    );
  });
}

/** Whether a sending may have been the retry of some refused one: then its own 401 is an answer, and nothing has to follow. */
function isPossibleRetry(sending: Sent | undefined, refusals: readonly Sent[], traffic: Traffic): boolean {
  if (sending === undefined) return false;
  const recent = refusals.slice(
    firstFrom(refusals, sending.start - FORGOTTEN, ({ end }) => end),
    firstFrom(refusals, sending.start + RECORDER_SLACK + 1, ({ end }) => end),
  );
  return recent.some((refused) => isRetryOf(sending, refused, traffic));
}

function isRetryOf(sending: Sent | undefined, refused: Sent, traffic: Traffic): boolean {
  return (
    sending !== undefined &&
    sending.token !== refused.token &&
    isRefusedBefore([refused], sending) &&
    isTimely([refused], sending, traffic, AT_ONCE)
  );
}

/** Of several calls that may be retried here: one that could get a new token, and was refused last. */
function likeliest(chains: readonly Sent[][], traffic: Traffic): Sent[] | undefined {
  if (chains.length < 2) return chains[0];
  const able = chains.filter(([first]) => first !== undefined && !gotNoToken(first, traffic));
  const ended = (chain: readonly Sent[]): number => chain[0]?.end ?? 0;
  return [...(able.length > 0 ? able : chains)].sort((a, b) => ended(b) - ended(a))[0];
}

/**
 * Parallel calls of the same request may have been mixed up: where a third sending follows, and another one could have been the retry
 * of the first, it was.
 */
function untangle(chains: Sent[][], traffic: Traffic): void {
  const retried = chains.filter(
    ([, retry, third]) => retry !== undefined && third === undefined && retry.status !== 401,
  );
  for (const chain of chains) {
    const [refused] = chain;
    if (chain.length > 1 || refused === undefined || refused.status !== 401) continue;
    // of two that were sent beside each other the refused one was the retry
    const other = retried.find(
      ([first, retry]) =>
        first !== undefined &&
        retry !== undefined &&
        retry.status !== 401 &&
        first.token !== refused.token &&
        isRefusedBefore([first], refused) &&
        isTimely([first], refused, traffic, AT_ONCE),
    );
    const [retry] = other?.splice(1, 1, refused) ?? [];
    if (retry !== undefined) chain.splice(0, 1, retry);
  }
  for (const chain of chains) {
    const [first, retry, ...further] = chain;
    if (first === undefined || retry === undefined || further.length === 0) continue;
    if (gotNoToken(first, traffic)) {
      // the first call ended there, and another one began
      chains.push(chain.splice(1));
      continue;
    }
    const spare = chains.find(
      (candidate) =>
        candidate !== chain &&
        candidate[0] !== undefined &&
        candidate[0].token !== first.token &&
        isRefusedBefore([first], candidate[0]) &&
        isTimely([first], candidate[0], traffic, AT_ONCE),
    );
    if (spare === undefined) continue;
    const [other, ...rest] = spare.splice(0, spare.length, retry, ...further);
    chain.splice(1, chain.length - 1, ...(other === undefined ? [] : [other]));
    if (rest.length > 0) chains.push(rest);
  }
}

/** Where parallel calls of the same request failed together, nobody can tell a further retry from a call of its own. */
function splitDoubtful(chains: Sent[][], sendings: readonly Sent[]): void {
  for (const chain of chains) {
    const [first] = chain;
    const last = chain.at(-1);
    if (first === undefined || last === undefined || chain.length < 3) continue;
    const from = firstFrom(sendings, first.start - RETRY_WINDOW, ({ start }) => start);
    const to = firstFrom(sendings, last.start + 1, ({ start }) => start);
    if (sendings.slice(from, to).some((each) => !chain.includes(each))) chains.push(chain.splice(2));
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
function isTimely(chain: readonly Sent[], sending: Sent, traffic: Traffic, window = RETRY_WINDOW): boolean {
  const refusedAt = chain.at(-1)?.end ?? 0;
  const issuedAt = traffic.tokens.get(sending.token ?? '')?.issuedAt ?? 0;
  return sending.start - Math.max(refusedAt, issuedAt) <= window;
}

/** The new token was asked for because of the refusal, and used, each at once. Another call may have waited for one that came else. */
function isAtOnce(chain: readonly Sent[], sending: Sent, traffic: Traffic): boolean {
  const refusedAt = chain.at(-1)?.end ?? 0;
  const issue = traffic.tokens.get(sending.token ?? '')?.issues[0];
  if (issue === undefined || issue.start < refusedAt) return false;
  return issue.start - refusedAt + (sending.start - issue.end) <= AT_ONCE;
}

function findDeadRepeats(chains: readonly Sent[][], meant: number | undefined): Attempts['deadRepeats'] {
  const found: { refused: Sent; repeated: Sent }[] = [];
  let spare = meant === undefined ? Number.POSITIVE_INFINITY : chains.length - meant;
  const claimed = new Set<Sent>();
  const firsts = groupBy(
    chains.flatMap(([first]) => (first === undefined ? [] : [first])),
    ({ token }) => token ?? '',
  );
  for (const chain of chains) {
    // a token that was refused on the retry only may be good: the caller may have no right to the operation
    const [refused] = chain;
    if (chain.length > 1 || refused === undefined || refused.status !== 401 || spare <= 0) continue;
    const same = firsts.get(refused.token ?? '') ?? [];
    const from = firstFrom(same, refused.end + 1, ({ start }) => start);
    const repeated = same.slice(from, from + MOST_BESIDE).find((first) => !claimed.has(first));
    if (repeated === undefined || (meant === undefined && repeated.start - refused.end > AT_ONCE)) continue;
    claimed.add(repeated);
    spare -= 1;
    found.push({ refused, repeated });
  }
  return found;
}
