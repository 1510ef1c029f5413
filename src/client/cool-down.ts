import { TokenError } from './token-error.ts';

export interface CoolDownSettings {
  /** Seconds after the first failure; doubled after each further failure. */
  readonly first: number;
  /** Seconds at most. */
  readonly max: number;
  /** Seconds after the endpoint rejected the credentials. */
  readonly refused: number;
}

/** Longest `Retry-After` that is respected, in seconds. */
const LONGEST_RETRY_AFTER = 300;

/** @param monotonic milliseconds that never go back */
export function createCoolDown({ first, max, refused }: CoolDownSettings, monotonic: () => number) {
  let failures = 0;
  let until = 0;
  let last: TokenError | undefined;
  return {
    succeeded(): void {
      failures = 0;
      last = undefined;
    },
    failed(error: TokenError): void {
      const pause = isRefusedClient(error) ? refused : Math.min(first * 2 ** Math.min(failures, 30), max);
      const asked = Math.min(error.retryAfter ?? 0, LONGEST_RETRY_AFTER);
      failures += 1;
      last = error;
      until = monotonic() + Math.max(pause, asked) * 1000;
    },
    /** Why there is no request now; undefined if there may be one. */
    check(): TokenError | undefined {
      const left = (until - monotonic()) / 1000;
      if (last === undefined || left <= 0) return undefined;
      const { endpoint, field, status, error, retryable } = last;
      const what = { endpoint, field, status, error, retryable, retryAfter: left, cause: last };
      return new TokenError('cooling-down', `${last.message}; it is asked again in ${Math.ceil(left)} s`, what);
    },
  };
}

function isRefusedClient(error: TokenError): boolean {
  return error.code === 'refused' && (error.status === 401 || error.error === 'invalid_client');
}
