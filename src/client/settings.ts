import type { CoolDownSettings } from './cool-down.ts';

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
  /** Told of answers that are valid and yet doubtful: `lifetime-unknown` for a token response without `expires_in`; and of a `store-failed`. */
  readonly onWarning?: (warning: TokenWarning) => void;
}

export interface Settings {
  readonly margin: number;
  readonly timeouts: { readonly call: number; readonly total: number };
  readonly retries: number;
  readonly backoff: number;
  readonly coolDown: CoolDownSettings;
  readonly onWarning: ((warning: TokenWarning) => void) | undefined;
}

/** @throws TypeError for what is no finite number, or negative. */
export function resolveSettings(given: TokenProviderSettings): Settings {
  const { margin = 45, retries = 2, backoff = 1, timeouts = {}, coolDown = {}, onWarning } = given;
  const { call = 10, total = 30 } = timeouts;
  const { first = 1, max = 30, refused = 30 } = coolDown === false ? { first: 0, max: 0, refused: 0 } : coolDown;
  const all = { margin, retries, backoff, call, total, first, max, refused };
  for (const [name, value] of Object.entries(all)) {
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {
      throw new TypeError(`"${name}" must be a finite number and not negative`);
    }
  }
  return { margin, retries, backoff, timeouts: { call, total }, coolDown: { first, max, refused }, onWarning };
}
