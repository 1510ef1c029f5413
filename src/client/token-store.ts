import { freshness } from './access-token.ts';
import type { Clock } from './clock.ts';
import type { TokenAnswer } from './token-request.ts';

/**
 * A place that several providers share, so that many workers ask for one token. An entry is a text that holds a token:
 * keep it as you
 * keep a password, and log none. A store may fail or hang: that costs a token request and nothing else.
 */
export interface TokenStore {
  /** The entry of a key; null where there is none. */
  get(key: string): Promise<string | null>;
  /** Keeps an entry for so many seconds; it may be forgotten earlier. */
  set(key: string, entry: string, seconds: number): Promise<void>;
  /**
   * The right to ask for the token of a key, for so many seconds at most; what it resolves to gives it back. Null at
   * once where another
   * has it.
   */
  lock(key: string, seconds: number): Promise<(() => Promise<void>) | null>;
}

/** A hash, so that it shows neither endpoint, user nor password. */
export async function storeKey(endpoint: string, username: string, password: string): Promise<string> {
  return sha256(JSON.stringify([endpoint, username, await sha256(password)]));
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export interface SharedOptions {
  readonly store: TokenStore;
  readonly key: () => Promise<string>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly margin: number;
  /** Whether the API refused this token. */
  readonly isRefused: (token: string) => boolean;
  /** Called once per use of a store that fails. */
  readonly onFailure: () => void;
}

/** Milliseconds that one step of a store may take. */
const PATIENCE = 2_000;
/** Seconds for which one worker may ask; after that the others ask themselves. */
const LEASE = 15;
/** Milliseconds between two looks for the token of another worker. */
const LOOK = 50;
/** Seconds for which a token without a lifetime is kept. */
const UNTOLD = 3_600;
const SKEW = 5_000;

/** One of several workers asks, and the others wait. The first step of the store that fails is the last that is tried. */
export async function sharedToken(options: SharedOptions, ask: () => Promise<TokenAnswer>): Promise<TokenAnswer> {
  const { store, clock, random } = options;
  let broken = false;
  const step = async <T>(work: () => Promise<T>): Promise<T | null> => {
    if (broken) return null;
    const done = new AbortController();
    try {
      // a store that hangs may not keep the process alive
      const late = clock.sleep(PATIENCE, done.signal).then(() => {
        throw new Error('the store is late');
      });
      late.catch(() => {});
      return await Promise.race([work(), late]);
    } catch {
      broken = true;
      options.onFailure();
      return null;
    } finally {
      done.abort();
    }
  };

  const key = await step(options.key);
  if (key === null) return ask();
  const read = async (): Promise<TokenAnswer | undefined> => {
    const entry = await step(() => store.get(key));
    return entry === null ? undefined : usable(entry, options);
  };
  const deadline = clock.monotonic() + LEASE * 1000;
  let release: (() => Promise<void>) | null = null;
  for (;;) {
    const there = await read();
    if (there !== undefined) return there;
    release = await step(() => store.lock(key, LEASE));
    if (release !== null || broken || clock.monotonic() >= deadline) break;
    await clock.sleep(LOOK * (1 + random()));
  }
  try {
    // another worker may have stored it between the look and the lock
    const there = release === null ? undefined : await read();
    if (there !== undefined) return there;
    const answer = await ask();
    const { expiresIn } = answer;
    if (expiresIn === null || expiresIn > 0) {
      await step(() => store.set(key, entryOf(answer), Math.ceil(expiresIn ?? UNTOLD)));
    }
    return answer;
  } finally {
    const leave = release;
    if (leave !== null) await step(leave);
  }
}

function entryOf({ accessToken, expiresIn, jti, scope, receivedAt }: TokenAnswer): string {
  return JSON.stringify({ accessToken, expiresIn, jti, scope, receivedAt });
}

/** Undefined if it is not fresh. */
function usable(entry: string, { clock, margin, isRefused }: SharedOptions): TokenAnswer | undefined {
  let given: Record<string, unknown> | null;
  try {
    given = JSON.parse(entry) as Record<string, unknown> | null;
  } catch {
    return undefined;
  }
  const { accessToken, expiresIn, jti = null, scope = null, receivedAt } = given ?? {};
  if (typeof accessToken !== 'string' || !/^[\x21-\x7e]+$/.test(accessToken) || isRefused(accessToken))
    return undefined;
  if (typeof receivedAt !== 'number' || !(expiresIn === null || typeof expiresIn === 'number')) return undefined;
  const age = clock.now() - receivedAt;
  if (!(age >= -SKEW)) return undefined;
  const answer: TokenAnswer = {
    accessToken,
    expiresIn,
    jti: typeof jti === 'string' ? jti : null,
    scope: typeof scope === 'string' ? scope : null,
    receivedAt,
    receivedMonotonic: clock.monotonic() - Math.max(0, age),
  };
  return freshness(answer, margin, clock) === 'fresh' ? answer : undefined;
}
