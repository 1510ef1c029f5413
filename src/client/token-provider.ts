import { own } from '../../generated/token.ts';
import { type AccessToken, accessToken, freshness } from './access-token.ts';
import { type Clock, systemClock } from './clock.ts';
import { CoolDown, type CoolDownSettings } from './cool-down.ts';
import { type ClientAuthentication, clientCredentials } from './credentials.ts';
import { tokenEndpoint } from './endpoint.ts';
import { cleanCause } from './failure.ts';
import { TokenError } from './token-error.ts';
import {
  requestTokenWithRetries,
  type TokenAnswer,
  type TokenFetch,
  type TokenRequest,
  type TokenRetry,
} from './token-request.ts';
import { type SharedOptions, sharedToken, storeKey, type TokenStore } from './token-store.ts';

/** Warnings of the token provider. It never prints. */
export type TokenWarning = 'lifetime-unknown' | 'store-failed';

/** Optional settings of the token provider. Times are in seconds. */
export interface TokenProviderSettings {
  /** How long before its expiry a token is replaced; at most a fifth of its lifetime. Default 45 (API reference, Authentication 6: 30 to 60). */
  readonly margin?: number;
  /** Limits for one attempt, body included (default 10), and for all attempts with their pauses (default 30). */
  readonly timeouts?: { readonly call?: number; readonly total?: number };
  /** Retries after a connection error or a status 408, 429, 500, 502, 503, 504. Default 2; 0 turns them off. */
  readonly retries?: number;
  /** Upper bound of the first random pause between attempts; doubled each time. Default 1. */
  readonly backoff?: number;
  /** Pause of a failing endpoint: first failure (1), maximum (30), rejected credentials (30). False turns it off. */
  readonly coolDown?: Partial<CoolDownSettings> | false;
  /** `lifetime-unknown`: a token response without `expires_in`. `store-failed`: the store could not be used. */
  readonly onWarning?: (warning: TokenWarning) => void;
  /** Called with each new token, for metrics. */
  readonly onToken?: (got: TokenGot) => void;
  /** Called before each further attempt at the token endpoint, for metrics. */
  readonly onRetry?: (retry: TokenRetry) => void;
}

/** How a new token was obtained. Holds no secret. */
export interface TokenGot {
  /** Lifetime in seconds; null if the response did not state one. */
  readonly expiresIn: number | null;
  /** Whether it came from the store, without a token request. */
  readonly fromStore: boolean;
  /** Seconds until it was available, attempts and pauses included. */
  readonly seconds: number;
}

type Settings = ReturnType<typeof resolveSettings>;

/** @throws TypeError if a value is negative or not a finite number */
function resolveSettings(given: TokenProviderSettings) {
  const { margin = 45, retries = 2, backoff = 1, timeouts = {}, coolDown = {} } = given;
  const { call = 10, total = 30 } = timeouts;
  const { first = 1, max = 30, refused = 30 } = coolDown === false ? { first: 0, max: 0, refused: 0 } : coolDown;
  const all = { margin, retries, backoff, call, total, first, max, refused };
  for (const [name, value] of Object.entries(all)) {
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {
      throw new TypeError(`"${name}" must be a finite number and not negative`);
    }
  }
  return { margin, retries, backoff, timeouts: { call, total }, coolDown: { first, max, refused } };
}

/** Options of {@link createTokenProvider}. Times are in seconds. */
export interface TokenProviderOptions extends TokenProviderSettings {
  /** Base URL of the environment. The token endpoint lies below it. Must be https or loopback. */
  readonly baseUrl: string | URL;
  /** Path of the token endpoint below the base URL. Default: the path in the package's own contract. */
  readonly tokenPath?: string;
  /** How the client authenticates. Default: the method in the package's own contract. */
  readonly clientAuthentication?: ClientAuthentication;
  readonly username: string;
  readonly password: string;
  /** Form-encode both before base64 (RFC 6749, section 2.3.1). Default: false, as in the reference. */
  readonly encodeCredentials?: boolean;
  /** Allow http beyond loopback. */
  readonly allowInsecure?: boolean;
  /** Sends every request. Default: the global `fetch`. */
  readonly fetch?: TokenFetch;
  /** Shares tokens with other providers, processes or machines. Default: no sharing. */
  readonly store?: TokenStore;
  readonly clock?: Clock;
  /** Source of jitter, in [0, 1). Default: `Math.random`. */
  readonly random?: () => number;
}

/** Provides a valid token with as few token requests as the lifetimes allow. */
export interface TokenProvider {
  /** The origin of the base URL, the only one that may get the token. */
  readonly origin: string;
  /**
   * The cached token if it is still valid, or a new one.
   * If the signal aborts, only this caller stops waiting. The shared request goes on.
   *
   * @throws TokenError
   */
  getToken(options?: { readonly signal?: AbortSignal | null | undefined }): Promise<AccessToken>;
  /** Reports that the API rejected this token. It is dropped if it is still the current one. */
  invalidate(token: AccessToken | string): void;
}

/**
 * A token provider for the OAuth 2.0 client credentials of the API (API reference, Authentication 1 to 7).
 *
 * @throws TypeError for bad options; TokenError `insecure` for http beyond loopback.
 */
export function createTokenProvider(options: TokenProviderOptions): TokenProvider {
  return new CachingTokenProvider(options);
}

interface Held {
  readonly answer: TokenAnswer;
  readonly token: AccessToken;
}

const MOST_REFUSED = 100;

interface Flight {
  readonly held: Promise<Held>;
  waiting: number;
}

class CachingTokenProvider implements TokenProvider {
  readonly origin: string;
  readonly #request: TokenRequest;
  readonly #settings: Settings;
  readonly #coolDown: CoolDown;
  readonly #random: () => number;
  readonly #shared: SharedOptions | undefined;
  readonly #hooks: Pick<TokenProviderSettings, 'onWarning' | 'onToken' | 'onRetry'>;
  /** Rejected tokens. An entry of the store with one of them counts as empty. */
  readonly #refused = new Set<string>();
  #current: Held | undefined;
  #flight: Flight | undefined;

  constructor(options: TokenProviderOptions) {
    const { fetch, clock = systemClock, random = Math.random } = options;
    const endpoint = tokenEndpoint(options.baseUrl, options.tokenPath ?? own.path, options.allowInsecure === true);
    this.origin = endpoint.origin;
    this.#settings = resolveSettings(options);
    this.#hooks = options;
    this.#random = random;
    this.#coolDown = new CoolDown(this.#settings.coolDown, () => clock.monotonic());
    this.#request = {
      ...clientCredentials(
        options.username,
        options.password,
        options.clientAuthentication ?? own.clientAuthentication,
        options.encodeCredentials === true,
      ),
      fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
      clock,
      endpoint: endpoint.url,
    };
    this.#shared = options.store && this.#sharing(options.store, endpoint.url, options);
  }

  async getToken(options?: { readonly signal?: AbortSignal | null | undefined }): Promise<AccessToken> {
    const signal = options?.signal ?? undefined;
    if (signal?.aborted) throw this.#aborted(signal);
    const current = this.#current;
    if (current !== undefined) {
      const state = freshness(current.answer, this.#settings.margin, this.#request.clock);
      if (state === 'fresh') return current.token;
      if (state === 'due') {
        this.#refreshBeside();
        return current.token;
      }
      this.#current = undefined;
    }
    return this.#join(signal);
  }

  invalidate(token: AccessToken | string): void {
    const value = typeof token === 'string' ? token : token.value;
    if (this.#refused.size >= MOST_REFUSED) this.#refused.clear();
    this.#refused.add(value);
    if (this.#current?.token.value === value) this.#current = undefined;
  }

  toJSON(): { readonly origin: string } {
    return { origin: this.origin };
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `TokenProvider { origin: '${this.origin}' }`;
  }

  /** The old token still serves, so callers neither wait nor see an error. */
  #refreshBeside(): void {
    if (this.#flight !== undefined || this.#coolDown.check() !== undefined) return;
    this.#start();
  }

  async #join(signal: AbortSignal | undefined): Promise<AccessToken> {
    let flight = this.#flight;
    if (flight === undefined) {
      const tooEarly = this.#coolDown.check();
      if (tooEarly !== undefined) throw tooEarly;
      flight = this.#start();
    }
    flight.waiting += 1;
    try {
      // Callers that waited for a token get it even if no lifetime is left.
      return (await untilAborted(flight.held, signal, () => this.#aborted(signal))).token;
    } finally {
      flight.waiting -= 1;
    }
  }

  #start(): Flight {
    const { onWarning, onToken, onRetry } = this.#hooks;
    const { clock } = this.#request;
    const began = clock.monotonic();
    let fromStore = true;
    const flight: Flight = {
      waiting: 0,
      // The callback runs only after this object exists: the first attempt awaits the network.
      held: this.#ask(() => {
        fromStore = false;
        const settings = { ...this.#settings, random: this.#random, onRetry };
        return requestTokenWithRetries(this.#request, settings, () => flight.waiting > 0);
      }).then(
        (answer) => {
          this.#flight = undefined;
          this.#coolDown.succeeded();
          const held = { answer, token: accessToken(answer) };
          this.#current = held;
          const { expiresIn } = answer;
          if (expiresIn === null) onWarning?.('lifetime-unknown');
          onToken?.({ expiresIn, fromStore, seconds: (clock.monotonic() - began) / 1000 });
          return held;
        },
        (error: unknown) => {
          this.#flight = undefined;
          if (error instanceof TokenError) this.#coolDown.failed(error);
          throw error;
        },
      ),
    };
    // no caller waits for a background request
    flight.held.catch(() => {});
    this.#flight = flight;
    return flight;
  }

  #ask(ask: () => Promise<TokenAnswer>): Promise<TokenAnswer> {
    return this.#shared === undefined ? ask() : sharedToken(this.#shared, ask);
  }

  #sharing(store: TokenStore, endpoint: string, { username, password }: TokenProviderOptions): SharedOptions {
    let key: Promise<string> | undefined;
    return {
      store,
      key: () => {
        key ??= storeKey(endpoint, username, password);
        return key;
      },
      clock: this.#request.clock,
      random: this.#random,
      margin: this.#settings.margin,
      isRefused: (token) => this.#refused.has(token),
      onFailure: () => this.#hooks.onWarning?.('store-failed'),
    };
  }

  #aborted(signal: AbortSignal | undefined): TokenError {
    return new TokenError('aborted', 'The caller stopped waiting for a token', {
      endpoint: this.#request.endpoint,
      cause: cleanCause(signal?.reason, this.#request.secrets),
    });
  }
}

/** Rejects as soon as the signal aborts; the promise itself goes on. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined, error: () => unknown): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(error());
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
