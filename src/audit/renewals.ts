import type { Contract } from '../contract/contract.ts';
import { AT_ONCE, defaultLifetime, marginsOf, QUEUED, RECORDER_SLACK, STALLED } from './times.ts';
import { carriesTokens, firstFrom, gaveToken, type Sent, type Token, type Traffic } from './traffic.ts';

/**
 * Why a token was requested, as far as the journal shows:
 * - `first`: the caller had no token
 * - `beside`: another token request was in flight
 * - `refused`: the last token got a 401
 * - `due`: the last token was about to expire or had expired, or its lifetime is unknown
 * - `late-refusal`: a token that had been replaced already got a 401
 * - `other-refusal`: a call just got 403 or 429, and is retried with the new token
 * - `default-lifetime`: the last token was as old as the default lifetime, but lives longer
 * - `needless`: no other cause applies
 */
export type RenewalCause =
  | 'first'
  | 'beside'
  | 'refused'
  | 'due'
  | 'late-refusal'
  | 'other-refusal'
  | 'default-lifetime'
  | 'needless';

export interface Renewal {
  readonly request: Sent;
  readonly reason: RenewalCause;
  readonly held: Token | null;
  readonly issue: Sent | null;
  readonly cause: Sent | null;
  readonly served: number;
}

export function findRenewals({
  traffic,
  tolerance,
  contract,
}: {
  readonly traffic: Traffic;
  readonly tolerance: number;
  readonly contract: Contract;
}): Renewal[] {
  // calls that carry no token, or carry it elsewhere, do not show how tokens are kept
  if (!carriesTokens(traffic)) return [];
  const { longest: margin } = marginsOf(contract);
  const byEnd = traffic.tokenRequests.filter(gaveToken).sort((a, b) => a.end - b.end);
  const refusals = traffic.calls
    .filter(({ status, token }) => status === 401 && token !== null)
    .sort((a, b) => a.end - b.end);
  const countUses = useCounter();
  let longest: Sent | null = null;
  return traffic.tokenRequests.map((request): Renewal => {
    const beside = longest !== null && longest.end > request.start ? longest : null;
    if (gaveToken(request) && (longest === null || request.end > longest.end)) longest = request;
    const issue = heldAt(byEnd, request);
    const held = issue === null ? null : (traffic.tokens.get(issue.entry.token?.id ?? '') ?? null);
    if (issue === null || held === null) {
      return { request, held, issue, served: 0, reason: beside === null ? 'first' : 'beside', cause: beside };
    }
    // compare numbers: within a millisecond the clock does not show the order
    const served = countUses(held, issue.seq, request.seq);
    const about = { request, held, issue, served, cause: null };
    if (beside !== null) return { ...about, reason: 'beside', cause: beside };
    if (isRefused(held, issue.start, request)) return { ...about, reason: 'refused' };
    // fast answers make them look sequential, although they were sent together
    const isAnother = request.entry.token?.id !== held.id;
    // a service that repeats its token gives another one when that token has expired
    const isRepeated = held.issues[0] !== issue;
    const isTogether = served === 0 && request.start - issue.start <= RECORDER_SLACK && !isRepeated;
    if (isTogether && isAnother) return { ...about, reason: 'beside', cause: issue };
    const lifetime = (held.expiresIn ?? 0) * 1000;
    const left = issue.end + lifetime - request.start;
    if (held.expiresIn === null || left <= margin + tolerance) return { ...about, reason: 'due' };
    const isFirstCall = request.start <= (byEnd[0]?.end ?? 0) + STALLED && isUsedAfter(held, request);
    if (isFirstCall && isAnother) return { ...about, reason: 'beside', cause: issue };
    const late = lateRefusal(refusals, request, held, issue);
    if (late !== undefined) return { ...about, reason: 'late-refusal', cause: late };
    const other = otherRefusal(traffic, request, held);
    if (other !== undefined) return { ...about, reason: 'other-refusal', cause: other };
    return { ...about, reason: isDefaultLifetime(lifetime - left, held, contract) ? 'default-lifetime' : 'needless' };
  });
}

/** Then parallel calls keep a token each: the new token did not replace the old one. */
function isUsedAfter({ uses }: Token, { seq, end }: Sent): boolean {
  return uses.some((use) => use.seq > seq && use.start <= end + AT_ONCE);
}

/** The latest token response when a request was sent. Never its own, even if both came in the same millisecond. */
function heldAt(byEnd: readonly Sent[], request: Sent): Sent | null {
  let index = firstFrom(byEnd, request.start + 1, ({ end }) => end) - 1;
  while (index >= 0 && (byEnd[index]?.seq ?? 0) >= request.seq) index -= 1;
  return byEnd[index] ?? null;
}

function useCounter(): (token: Token, from: number, to: number) => number {
  const numbers = new Map<Token, readonly number[]>();
  return (token, from, to) => {
    const known = numbers.get(token) ?? token.uses.map(({ seq }) => seq).sort((a, b) => a - b);
    numbers.set(token, known);
    const at = (number: number): number => firstFrom(known, number, (seq) => seq);
    return Math.max(0, at(to) - at(from + 1));
  };
}

function isRefused({ refusals }: Token, since: number, request: Sent): boolean {
  for (let index = firstFrom(refusals, since, ({ end }) => end); index < refusals.length; index += 1) {
    const { end, seq } = refusals[index] as Sent;
    if (end > request.start + RECORDER_SLACK) return false;
    if (seq < request.seq) return true;
  }
  return false;
}

/** A 401 just before, for another token than the caller's current one. */
function lateRefusal(refusals: readonly Sent[], request: Sent, held: Token, issue: Sent): Sent | undefined {
  const from = firstFrom(refusals, request.start - AT_ONCE, ({ end }) => end);
  const to = firstFrom(refusals, request.start + 1, ({ end }) => end);
  return refusals.slice(from, to).find(({ token, start }) => token !== held.id && start <= issue.end + QUEUED);
}

/** A call that got 403 or 429 just before, and is the first to carry the new token. */
function otherRefusal({ tokens }: Traffic, request: Sent, { uses }: Token): Sent | undefined {
  const [next] = tokens.get(request.entry.token?.id ?? '')?.uses ?? [];
  let index = firstFrom(uses, request.start + 1, ({ start }) => start) - 1;
  while ((uses[index]?.seq ?? 0) >= request.seq) index -= 1;
  const before = uses[index];
  if (before === undefined || next?.key !== before.key || !isOtherRefusal(before)) return undefined;
  return request.start - before.end <= AT_ONCE && next.seq > request.seq ? before : undefined;
}

/** An answer that does not reject the token itself: missing rights (403) or too many requests (429). */
export function isOtherRefusal({ status }: Sent): boolean {
  return status === 403 || status === 429;
}

function isDefaultLifetime(age: number, { expiresIn }: Token, contract: Contract): boolean {
  const byDefault = defaultLifetime(contract);
  if (byDefault === null || expiresIn === null || expiresIn <= byDefault.to) return false;
  const { longest: margin } = marginsOf(contract);
  return age >= byDefault.seconds * 1000 - 2 * margin && age <= byDefault.seconds * 1000 + margin / 2;
}
