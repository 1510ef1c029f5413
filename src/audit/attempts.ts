import { firstFrom } from './search.ts';
import { AT_ONCE, RETRY_WINDOW } from './times.ts';
import { groupBy, type Sent, type Traffic } from './traffic.ts';

/** A refused request is not looked for a retry for longer. Milliseconds. */
const FORGOTTEN = 60_000;
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
  const answeredTokenRequests = traffic.tokenRequests.filter(({ status }) => status !== null);
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
    for (const sending of sendings) {
      // long ago is no retry; without this a journal of a caller that never retries would take the square of its length
      if (meant === undefined) open = open.filter((chain) => sending.start - (chain.at(-1)?.end ?? 0) < FORGOTTEN);
      const refused = open.filter((chain) => isRefusedBefore(chain, sending) && chain.at(-1)?.token !== sending.token);
      const asRetry = refused.findLast(
        (chain) => chain.length === 1 && retriesLeft > 0 && isTimely(chain, sending, traffic),
      );
      const asFurther = refused.find((chain) =>
        meant === undefined
          ? chain.length > 1 && isAtOnce(chain, sending, answeredTokenRequests)
          : chain.length > 1 && own.length >= meant,
      );
      let chain = asRetry ?? asFurther;
      if (chain === undefined) {
        chain = [];
        own.push(chain);
      } else retriesLeft -= 1;
      chain.push(sending);
      const at = open.indexOf(chain);
      if (sending.status !== 401 && at >= 0) open.splice(at, 1);
      else if (sending.status === 401 && at < 0) open.push(chain);
    }
    deadRepeats.push(...findDeadRepeats(own, meant));
    chains.push(...own);
  }
  return { chains: chains.map((attempts) => ({ attempts })), deadRepeats };
}

function isRefusedBefore(chain: readonly Sent[], sending: Sent): boolean {
  const last = chain.at(-1);
  return last !== undefined && last.status === 401 && last.end <= sending.start;
}

/** A retry waits for nothing but its token. */
function isTimely(chain: readonly Sent[], sending: Sent, traffic: Traffic): boolean {
  const refusedAt = chain.at(-1)?.end ?? 0;
  const issuedAt = traffic.tokens.get(sending.token ?? '')?.issuedAt ?? 0;
  return sending.start - Math.max(refusedAt, issuedAt) <= RETRY_WINDOW;
}

function isAtOnce(chain: readonly Sent[], sending: Sent, answered: readonly Sent[]): boolean {
  const refusedAt = chain.at(-1)?.end ?? 0;
  const renewed = answered
    .slice(firstFrom(answered, refusedAt, ({ start }) => start))
    .findLast(({ end }) => end <= sending.start);
  // both halves are at once: the token request after the refusal, and the request after the token
  if (renewed === undefined) return sending.start - refusedAt <= AT_ONCE;
  return renewed.start - refusedAt <= AT_ONCE && sending.start - renewed.end <= AT_ONCE;
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
    const refused = chain.at(-1);
    if (refused === undefined || refused.status !== 401 || spare <= 0) continue;
    const same = firsts.get(refused.token ?? '') ?? [];
    const from = firstFrom(same, refused.end, ({ start }) => start);
    const repeated = same.slice(from, from + MOST_BESIDE).find((first) => !claimed.has(first));
    if (repeated === undefined || (meant === undefined && repeated.start - refused.end > AT_ONCE)) continue;
    claimed.add(repeated);
    spare -= 1;
    found.push({ refused, repeated });
  }
  return found;
}
