import { own } from '../../generated/token.ts';
import { type AccessToken, accessToken, freshness } from './access-token.ts';
import { type Clock, systemClock } from './clock.ts';
import { type CoolDownSettings, createCoolDown } from './cool-down.ts';
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
  /** How long before its expiry a token is replaced; at most a fifth of its lifetime. Default 45. */
  readonly margin?: number;
  /** Limits for one attempt, body included (default 10), and for all attempts with their pauses (default 30). */
  readonly timeouts?: { readonly call?: number; readonly total?: number };
  /** Retries after a connection error or a status 408, 429, 500, 502, 503, 504. Default 2; 0 turns them off. */
  readonly retries?: number;
  /** Upper bound of the first random pause between attempts; doubled each time. Default 1. */
  readonly backoff?: number;
  /** Pause of a failing endpoint: first failure (1), maximum (30), rejected credentials (30). False turns it off. */
  readonly coolDown?: Partial<CoolDownSettings> | false;
  /** `lifetime-unknown`: a token response without `expires_in`. `store-failed`: the store could not be used; with the cause. */
  readonly onWarning?: (warning: TokenWarning, cause?: unknown) => void;
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

/** The types of each option. Numbers are checked apart. */
const OPTIONS: Readonly<Record<keyof TokenProviderOptions, string>> = {
  ...{ baseUrl: 'string or object', tokenPath: 'string', clientAuthentication: 'string' },
  ...{ username: 'string', password: 'string', encodeCredentials: 'boolean', allowInsecure: 'boolean' },
  ...{ fetch: 'function', store: 'object', clock: 'object', random: 'function' },
  ...{ margin: 'number', timeouts: 'object', retries: 'number', backoff: 'number', coolDown: 'object or false' },
  ...{ onWarning: 'function', onToken: 'function', onRetry: 'function' },
};

/** @throws TypeError for an unknown option, or one of another type */
function assertOptions(options: TokenProviderOptions): void {
  for (const [name, value] of Object.entries(options)) {
    const types = Object.hasOwn(OPTIONS, name) ? OPTIONS[name as keyof TokenProviderOptions] : undefined;
    if (types === undefined) throw new TypeError(`"${name}" is no option of createTokenProvider`);
    const isOfType = value === undefined || types.split(' or ').includes(value === false ? 'false' : typeof value);
    const isSwitch = types === 'boolean' && typeof value === 'boolean';
    if (!(isOfType || isSwitch || types === 'number')) throw new TypeError(`"${name}" must be ${types}`);
  }
  for (const method of ['get', 'set', 'lock'] as const) {
    const { store } = options;
    if (store !== undefined && typeof store?.[method] !== 'function')
      throw new TypeError('"store" must have the functions get, set and lock');
  }
}

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
  /**
   * Reports that the API rejected this token. It is dropped if it is still the current one. After two new tokens in a
   * row that were never accepted, token requests pause as after a failure.
   */
  invalidate(token: AccessToken | string): void;
  /** Reports that the API accepted the current token. */
  accept?(): void;
}

interface Held {
  readonly answer: TokenAnswer;
  readonly token: AccessToken;
}

interface Flight {
  readonly held: Promise<Held>;
  waiting: number;
}

const MOST_REFUSED = 100;
/** So many rejected tokens in a row mean that another one would be rejected too. */
const HOPELESS = 2;
/** Age of a new token at most, in milliseconds. */
const NEW = 60_000;

/**
 * A token provider for the OAuth 2.0 client credentials of the API.
 *
 * @throws TypeError for bad options; TokenError `insecure` for http beyond loopback.
 */
export function createTokenProvider(options: TokenProviderOptions): TokenProvider {
  assertOptions(options);
  const { username, password, store, clock = systemClock, random = Math.random } = options;
  const { onWarning, onToken, onRetry } = options;
  const { url, origin } = tokenEndpoint(options.baseUrl, options.tokenPath ?? own.path, options.allowInsecure === true);
  const settings = resolveSettings(options);
  const coolDown = createCoolDown(settings.coolDown, () => clock.monotonic());
  const how = options.clientAuthentication ?? own.clientAuthentication;
  const request: TokenRequest = {
    ...clientCredentials(username, password, how, options.encodeCredentials === true),
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    clock,
    endpoint: url,
  };
  /** Rejected tokens. An entry of the store with one of them counts as empty. */
  const refused = new Set<string>();
  let key: Promise<string> | undefined;
  const shared: SharedOptions | undefined = store && {
    store,
    key: () => {
      key ??= storeKey(url, username, password);
      return key;
    },
    clock,
    random,
    margin: settings.margin,
    isRefused: (token) => refused.has(token),
    onFailure: (error) => onWarning?.('store-failed', cleanCause(error, request.secrets)),
  };
  /** Tokens rejected since the API accepted one. */
  let rejected = 0;
  let current: Held | undefined;
  let flight: Flight | undefined;

  const start = (): Flight => {
    const began = clock.monotonic();
    let fromStore = true;
    const ask = (): Promise<TokenAnswer> => {
      fromStore = false;
      // the first attempt awaits the network, so `started` exists when this is read
      return requestTokenWithRetries(request, { ...settings, random, onRetry }, () => started.waiting > 0);
    };
    const held = (shared === undefined ? ask() : sharedToken(shared, ask)).then(
      (answer) => {
        flight = undefined;
        if (rejected < HOPELESS) coolDown.succeeded();
        current = { answer, token: accessToken(answer) };
        const { expiresIn } = answer;
        if (expiresIn === null) onWarning?.('lifetime-unknown');
        onToken?.({ expiresIn, fromStore, seconds: (clock.monotonic() - began) / 1000 });
        return current;
      },
      (error: unknown) => {
        flight = undefined;
        if (error instanceof TokenError) coolDown.failed(error);
        throw error;
      },
    );
    // no caller waits for a background request
    held.catch(() => {});
    const started: Flight = { held, waiting: 0 };
    flight = started;
    return started;
  };

  const aborted = (signal: AbortSignal | undefined): TokenError =>
    new TokenError('aborted', 'The caller stopped waiting for a token', {
      endpoint: url,
      cause: cleanCause(signal?.reason, request.secrets),
    });

  const provider = {
    origin,
    async getToken(call?: { readonly signal?: AbortSignal | null | undefined }): Promise<AccessToken> {
      const signal = call?.signal ?? undefined;
      if (signal?.aborted) throw aborted(signal);
      const state = current && freshness(current.answer, settings.margin, clock);
      if (current && state !== 'expired') {
        // the old token still serves, so callers neither wait nor see an error
        if (state === 'due' && flight === undefined && coolDown.check() === undefined) start();
        return current.token;
      }
      current = undefined;
      const tooEarly = flight === undefined ? coolDown.check() : undefined;
      if (tooEarly !== undefined) throw tooEarly;
      const joined = flight ?? start();
      joined.waiting += 1;
      try {
        // Callers that waited for a token get it even if no lifetime is left.
        return (await untilAborted(joined.held, signal, () => aborted(signal))).token;
      } finally {
        joined.waiting -= 1;
      }
    },
    invalidate(token: AccessToken | string): void {
      const value = typeof token === 'string' ? token : token.value;
      if (refused.size >= MOST_REFUSED) refused.clear();
      refused.add(value);
      if (current?.token.value !== value) return;
      const age = clock.monotonic() - current.answer.receivedMonotonic;
      current = undefined;
      rejected = age > NEW ? 0 : rejected + 1;
      if (rejected < HOPELESS) return;
      const message = `The API rejected ${rejected} new tokens in a row`;
      coolDown.failed(new TokenError('refused', message, { endpoint: url, retryable: true }));
    },
    accept(): void {
      rejected = 0;
    },
    toJSON: () => ({ origin }),
    [Symbol.for('nodejs.util.inspect.custom')]: () => `TokenProvider { origin: '${origin}' }`,
  };
  return provider;
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
