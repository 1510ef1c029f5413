import type { Contract, Operation } from '../contract/contract.ts';
import { EFFECT_HEADERS } from '../contract/effect-headers.ts';
import { createMatcher, type Match } from '../contract/paths.ts';
import { callerTime, type JournalEntry } from '../journal/entry.ts';
import { type HeaderFields, header, is2xx } from '../model/exchange.ts';
import { AT_ONCE, RECORDER_SLACK, STALLED } from './times.ts';

export type Carries = 'bearer' | 'basic' | 'none' | 'other' | 'not-a-token';

/** One exchange in the form that the rules use. Times in milliseconds since the epoch. */
export interface Sent {
  readonly entry: JournalEntry;
  readonly seq: number;
  readonly start: number;
  readonly end: number;
  readonly status: number | null;
  readonly isTokenRequest: boolean;
  readonly operation: Operation | null;
  readonly operationId: string | null;
  readonly match: Match | null;
  readonly token: string | null;
  /** Pseudonym of the client id that requests the token. Null if the journal does not show it. */
  readonly client: string | null;
  readonly carries: Carries;
  /** Equal for each attempt of one request: method, target and body. */
  readonly key: string;
  readonly userAgent: string;
}

export interface Token {
  readonly id: string;
  /** Token responses with this token. Some services return the same token until it expires. */
  readonly issues: readonly Sent[];
  /** When the caller first had it; null if it was issued before the journal began. */
  readonly issuedAt: number | null;
  /** Seconds, as stated by its last token response. */
  readonly expiresIn: number | null;
  /** When the token is expired also for its caller; null if unknown. */
  readonly expiresAt: number | null;
  readonly uses: readonly Sent[];
  /** Calls with this token that got 401, in the order of the answers. */
  readonly refusals: readonly Sent[];
}

export interface Traffic {
  readonly sent: readonly Sent[];
  readonly tokenRequests: readonly Sent[];
  readonly tokenAnswers: readonly Sent[];
  readonly calls: readonly Sent[];
  readonly tokens: ReadonlyMap<string, Token>;
  readonly end: number;
  readonly sequential: boolean;
  /** Whether the caller was sequential from the start of one exchange to the end of a later one. */
  inTurn(from: Sent, to: Sent): boolean;
}

export function createTraffic(sent: readonly Sent[]): Traffic {
  const tokenRequests = sent.filter((one) => one.isTokenRequest);
  const calls = sent.filter((one) => !one.isTokenRequest);
  return {
    sent,
    tokenRequests,
    tokenAnswers: tokenRequests.toSorted((a, b) => a.end - b.end),
    calls,
    tokens: tokensOf(tokenRequests, calls),
    end: sent.reduce((latest, { end }) => Math.max(latest, end), 0),
    sequential: sent.every((one, index) => index === 0 || one.start >= (sent[index - 1]?.end ?? 0) - RECORDER_SLACK),
    inTurn: createTurns(sent),
  };
}

function createTurns(sent: readonly Sent[]): Traffic['inTurn'] {
  const places = new Map(sent.map((one, index) => [one, index]));
  const overlapping = new Uint32Array(sent.length + 1);
  let busyUntil = Number.NEGATIVE_INFINITY;
  for (const [index, { start, end }] of sent.entries()) {
    const isBeside = start < busyUntil || (sent[index + 1]?.start ?? end) < end;
    overlapping[index + 1] = (overlapping[index] ?? 0) + Number(isBeside);
    busyUntil = Math.max(busyUntil, end);
  }
  return (from, to) => overlapping[places.get(from) ?? 0] === overlapping[(places.get(to) ?? 0) + 1];
}

const HEADERS: ReadonlySet<string> = new Set([
  ...Object.keys(EFFECT_HEADERS),
  'authorization',
  'content-type',
  'retry-after',
  'transfer-encoding',
  'user-agent',
]);
const MOST_PARTS = 50_000;

function createShared<T>(): (key: string, make: () => T) => T {
  const known = new Map<string, T>();
  return (key, make) => {
    const same = known.get(key);
    if (same !== undefined) return same;
    const part = make();
    if (known.size < MOST_PARTS) known.set(key, part);
    return part;
  };
}

/**
 * Drops the bodies of answers and most header fields, so that a long journal fits into memory.
 * @param kept one more field to keep
 */
export function createReducer(kept = ''): (entry: JournalEntry) => JournalEntry {
  const shared = createShared<unknown>();
  const fields = new Set([...HEADERS, kept.toLowerCase()]);
  const once = <T>(part: T): T => shared(JSON.stringify(part), () => part) as T;
  const few = (headers: HeaderFields): HeaderFields => headers.filter(([name]) => fields.has(name.toLowerCase()));
  return ({ path, request, response, token, ...entry }) => ({
    ...entry,
    path: once(path),
    token: once(token),
    request:
      request.body === null
        ? once({ headers: few(request.headers), body: null })
        : { headers: once(few(request.headers)), body: request.body },
    response: once(response && { ...response, headers: few(response.headers), body: null }),
  });
}

export function* readingSent(entries: Iterable<JournalEntry>, contract: Contract): Generator<void, Sent[]> {
  const find = createMatcher(contract.operations);
  const shared = createShared<{ readonly match: Match | null; readonly key: string }>();
  const all = [...entries];
  const issued = new Map(
    all.flatMap(({ operationId, token, client = null }) =>
      token !== null && operationId === contract.token?.operationId ? [[token.id, client]] : [],
    ),
  );
  const sent: Sent[] = [];
  for (const entry of all) {
    yield;
    // preflights of browsers, icons, and control calls of our own mock
    if (entry.method === 'OPTIONS' || /^\/(?:__mock(?:\/|$)|favicon\.ico$)/.test(entry.path)) continue;
    const { method, path } = entry;
    const { match, key } = shared(`${method} ${path}`, () => ({
      match: find(method, path),
      key: `${method} ${path} null`,
    }));
    const named = entry.operationId === null ? undefined : contract.operation(entry.operationId);
    const operation = match?.kind === 'operation' ? match.operation : (named ?? null);
    const isTokenRequest = operation?.auth === 'issues' || isTokenPath(match);
    const carries = carriesOf(entry, isTokenRequest, issued);
    sent.push({
      entry,
      seq: entry.seq,
      start: callerTime(entry, entry.startedAt),
      end: Math.max(callerTime(entry, entry.endedAt), callerTime(entry, entry.startedAt)),
      // the caller never got an answer that it did not wait for
      status: entry.response?.delivered === false ? null : (entry.response?.status ?? null),
      isTokenRequest,
      operation,
      operationId: operation?.operationId ?? null,
      match,
      token: isTokenRequest || carries === 'not-a-token' ? null : (entry.token?.id ?? null),
      client: entry.client ?? issued.get(entry.token?.id ?? '') ?? null,
      carries,
      key: entry.request.body === null ? key : `${method} ${path} ${JSON.stringify(entry.request.body)}`,
      userAgent: requestHeader(entry, 'user-agent') ?? '',
    });
  }
  return withTrueEnds(sent.sort(bySending));
}

/**
 * A token's answer ended before its first use, even if the recorder noted a later end. On a busy machine, or within a
 * millisecond, numbers decide instead of the clock.
 */
function withTrueEnds(sent: readonly Sent[]): Sent[] {
  const firstUse = new Map<string, Sent>();
  for (const one of sent) if (one.token !== null && !firstUse.has(one.token)) firstUse.set(one.token, one);
  const seen = new Set<string>();
  return sent.map((one) => {
    const id = one.entry.token?.id;
    if (id === undefined || !gaveToken(one) || !one.isTokenRequest || seen.has(id)) return one;
    seen.add(id);
    const use = firstUse.get(id);
    if (use === undefined || use.seq < one.seq || use.start >= one.end) return one;
    return { ...one, end: Math.max(one.start, use.start) };
  });
}

/** Earliest time at which a program chose a request's token: after the previous answer if it is sequential. */
export function choices(traffic: Traffic): (request: Sent) => number {
  if (!traffic.sequential) return ({ start }) => start - STALLED;
  const before = new Map(traffic.sent.map((one, index) => [one, traffic.sent[index - 1]?.end ?? 0]));
  return (request) => Math.min(request.start, Math.max(before.get(request) ?? 0, request.start - STALLED));
}

export function requestHeader({ request }: JournalEntry, name: string): string | undefined {
  return header(request.headers, name);
}

export function sentQueryNames(target: string): string[] {
  const query = /\?([^#]*)/.exec(target)?.[1] ?? '';
  return [...new URLSearchParams(query)].flatMap(([name, value]) => (value === '' ? [] : [name]));
}

/** The order of sending. Within a millisecond, the numbers of the journal decide. */
export function bySending(a: Sent, b: Sent): number {
  return a.start - b.start || a.seq - b.seq;
}

export function inTimeOrder(sent: Iterable<Sent | null | undefined>): Sent[] {
  return [...new Set(sent)].filter((one) => one != null).sort(bySending);
}

export function firstFrom<T>(items: readonly T[], at: number, numberOf: (item: T) => number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numberOf(items[middle] as T) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function nextAfter({ seq }: Sent, at: number, sent: readonly Sent[]): Sent | undefined {
  let index = firstFrom(sent, at, ({ start }) => start);
  while ((sent[index]?.seq ?? Number.POSITIVE_INFINITY) <= seq) index += 1;
  return sent[index];
}

/** Whether all calls from a second before `from` until `to` used one connection, if that is known. */
export function isOnOneConnection(from: Sent, to: Sent, { calls }: Traffic): boolean {
  let index = firstFrom(calls, from.start - AT_ONCE, ({ start }) => start);
  while ((calls[index]?.seq ?? to.seq) < to.seq && calls[index]?.entry.connection === to.entry.connection) index += 1;
  return (calls[index]?.seq ?? to.seq) >= to.seq;
}

export function carriesTokens({ calls }: Traffic): boolean {
  return calls.some(({ token }) => token !== null);
}

export function gaveToken(request: Sent): boolean {
  return request.status !== null && is2xx(request.status) && request.entry.token !== null;
}

/** Another method at the path of the token endpoint is a failed token request. */
function isTokenPath(match: Match | null): boolean {
  return match?.kind === 'path' && match.pathMatches.some(({ auth }) => auth === 'issues');
}

/** A masked value of fewer than 16 characters is no signed JWT: `Bearer undefined`, `Bearer null`. */
const SHORT = /^bearer(?:\s+(?:\[redacted:(?:1-1|2-3|4-7|8-15)\]|undefined|null|none|nan))?\s*$/i;

function carriesOf(entry: JournalEntry, isTokenRequest: boolean, issued: ReadonlyMap<string, string | null>): Carries {
  const value = requestHeader(entry, 'authorization');
  // a capture may omit the header and still identify the token
  if (value === undefined || value.trim() === '') return !isTokenRequest && entry.token !== null ? 'bearer' : 'none';
  if (/^basic\b/i.test(value)) return 'basic';
  if (!/^bearer\b/i.test(value)) return 'other';
  return SHORT.test(value) && !issued.has(entry.token?.id ?? '') ? 'not-a-token' : 'bearer';
}

function tokensOf(tokenRequests: readonly Sent[], calls: readonly Sent[]): Map<string, Token> {
  const issues = Map.groupBy(tokenRequests.filter(gaveToken), ({ entry }) => entry.token?.id ?? '');
  const uses = Map.groupBy(
    calls.filter(({ token }) => token !== null),
    ({ token }) => token ?? '',
  );
  const tokens = new Map<string, Token>();
  for (const id of new Set([...issues.keys(), ...uses.keys()])) {
    const given = issues.get(id) ?? [];
    const used = uses.get(id) ?? [];
    const described = used.find(({ entry }) => entry.token?.issuedAt != null)?.entry;
    const last = given.at(-1);
    const issuedAt =
      given[0]?.end ?? (described?.token?.issuedAt ? callerTime(described, described.token.issuedAt) : null);
    const expiresIn = last?.entry.token?.expiresIn ?? described?.token?.expiresIn ?? null;
    const counted = last === undefined ? issuedAt : receivedBy(last, used);
    tokens.set(id, {
      id,
      issues: given,
      issuedAt,
      expiresIn,
      expiresAt: counted === null || expiresIn === null ? null : counted + expiresIn * 1000,
      uses: used,
      refusals: used.filter(({ status }) => status === 401).sort((a, b) => a.end - b.end),
    });
  }
  return tokens;
}

/** Latest time at which a caller had a token response: a busy one reads it later. */
function receivedBy(issue: Sent, uses: readonly Sent[]): number {
  const first = uses.find(({ start }) => start >= issue.end);
  return first === undefined ? issue.end : Math.min(first.start, issue.end + STALLED);
}
