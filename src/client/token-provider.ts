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

/** What the token provider warns about. It never prints. */
export type TokenWarning = 'lifetime-unknown' | 'store-failed';

/** Settings of the token provider that have defaults. Times are in seconds. */
export interface TokenProviderSettings {
  /** How long before its expiry a token is replaced; at most a fifth of its lifetime. Default 45 (API reference, Authentication 6: 30 to 60). */
  readonly margin?: number;
  /** One attempt, body included (default 10), and all attempts with their pauses (default 30). */
  readonly timeouts?: { readonly call?: number; readonly total?: number };
  /** Further attempts after a connection error or a status 408, 429, 500, 502, 503, 504. Default 2; 0 for none. */
  readonly retries?: number;
  /** Upper bound of the first random pause between attempts; doubles. Default 1. */
  readonly backoff?: number;
  /** How long a failing endpoint is left alone: first failure (1), at most (30), after refused credentials (30). False: never. */
  readonly coolDown?: Partial<CoolDownSettings> | false;
  /** `lifetime-unknown`: a token response without `expires_in`. `store-failed`: the store could not be used. */
  readonly onWarning?: (warning: TokenWarning) => void;
  /** Called with each new token, for metrics. */
  readonly onToken?: (got: TokenGot) => void;
  /** Called before each further attempt at the token endpoint, for metrics. */
  readonly onRetry?: (retry: TokenRetry) => void;
}

/** How a new token was got. It holds no secret. */
export interface TokenGot {
  /** Lifetime in seconds; null if the response did not say. */
  readonly expiresIn: number | null;
  /** Whether the store had it, so that the token endpoint was not asked. */
  readonly fromStore: boolean;
  /** Seconds that it took, attempts and pauses included. */
  readonly seconds: number;
}

type Settings = ReturnType<typeof resolveSettings>;

/** @throws TypeError for what is no finite number, or negative. */
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
  /** Base URL of the environment; the token endpoint lies below it. https, or loopback. */
  readonly baseUrl: string | URL;
  /** Path of the token endpoint below the base URL. Default: that of the package's own contract. */
  readonly tokenPath?: string;
  /** How the client names itself. Default: as the package's own contract has it. */
  readonly clientAuthentication?: ClientAuthentication;
  readonly username: string;
  readonly password: string;
  /** Form-encode both before base64, as RFC 6749, section 2.3.1, has it. The reference does not: false. */
  readonly encodeCredentials?: boolean;
  /** Allow http beyond loopback. */
  readonly allowInsecure?: boolean;
  /** The only way to the network. Default: the global `fetch`. */
  readonly fetch?: TokenFetch;
  /** Where tokens are shared with other providers, processes or machines. Default: nowhere. */
  readonly store?: TokenStore;
  readonly clock?: Clock;
  /** Source of jitter, in [0, 1). Default: `Math.random`. */
  readonly random?: () => number;
}

/** Gives out a token that is valid now, and asks the token endpoint as rarely as lifetimes allow. */
export interface TokenProvider {
  /** The origin of the base URL: the only one that may be sent the token. */
  readonly origin: string;
  /**
   * A token that is valid now: the cached one, or a new one.
   * An aborted signal ends the waiting of this caller, not the request that others share.
   *
   * @throws TokenError
   */
  getToken(options?: { readonly signal?: AbortSignal | null | undefined }): Promise<AccessToken>;
  /** Says that the API refused this token. Drops it if it is still the current one; any other stays. */
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
  /** A store that still holds one of these has nothing. */
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

  /** The old token still serves, so nobody waits and nobody gets the error. */
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
      // A token without lifetime left still serves those who waited for it.
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
    // nobody listens to a failure in the background
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
