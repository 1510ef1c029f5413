import { freshness } from './access-token.ts';
import type { Clock } from './clock.ts';
import type { TokenAnswer } from './token-request.ts';

/**
 * A place that several providers share, so that many workers need only one token. An entry is a text that holds a
 * token:
 * protect it like a password, and never log it. If a store fails or hangs, that costs only a token request.
 */
export interface TokenStore {
  /** The entry of a key; null if it is missing. */
  get(key: string): Promise<string | null>;
  /** Keeps an entry for at most this many seconds. It may disappear earlier. */
  set(key: string, entry: string, seconds: number): Promise<void>;
  /**
   * Locks the token request of a key for at most this many seconds. Resolves to the function that releases the lock, or
   * at once to null if another worker holds it.
   */
  lock(key: string, seconds: number): Promise<(() => Promise<void>) | null>;
}

/** A hash, so that it reveals neither endpoint, user nor password. */
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
  /** Whether the API rejected this token. */
  readonly isRefused: (token: string) => boolean;
  /** Called at most once per use of a store that fails. */
  readonly onFailure: (cause: unknown) => void;
}

/** Longest wait for one step of a store, in milliseconds. */
const PATIENCE = 2_000;
/** Seconds for which one worker may request a token. After that, the waiting workers request their own. */
const LEASE = 15;
/** Milliseconds between two reads while another worker fetches the token. */
const LOOK = 50;
/** Seconds for which a token without a stated lifetime is kept. */
const DEFAULT_LIFETIME = 3_600;
const SKEW = 5_000;

/** One of several workers requests the token, and the rest wait. A store whose step fails is not used again. */
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
    } catch (error) {
      broken = true;
      options.onFailure(error);
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
    // another worker may have stored it between the read and the lock
    const there = release === null ? undefined : await read();
    if (there !== undefined) return there;
    const answer = await ask();
    const { expiresIn } = answer;
    if (expiresIn === null || expiresIn > 0) {
      await step(() => store.set(key, entryOf(answer), Math.ceil(expiresIn ?? DEFAULT_LIFETIME)));
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

/** Undefined if the token is not fresh. */
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
