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

export class CoolDown {
  readonly #settings: CoolDownSettings;
  readonly #monotonic: () => number;
  #failures = 0;
  #until = Number.NEGATIVE_INFINITY;
  #last: TokenError | undefined;

  constructor(settings: CoolDownSettings, monotonic: () => number) {
    this.#settings = settings;
    this.#monotonic = monotonic;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#until = Number.NEGATIVE_INFINITY;
    this.#last = undefined;
  }

  failed(error: TokenError): void {
    const { first, max, refused } = this.#settings;
    const pause = isRefusedClient(error) ? refused : Math.min(first * 2 ** Math.min(this.#failures, 30), max);
    const asked = Math.min(error.retryAfter ?? 0, LONGEST_RETRY_AFTER);
    this.#failures += 1;
    this.#last = error;
    this.#until = this.#monotonic() + Math.max(pause, asked) * 1000;
  }

  check(): TokenError | undefined {
    const left = (this.#until - this.#monotonic()) / 1000;
    const last = this.#last;
    if (last === undefined || left <= 0) return undefined;
    const { endpoint, field, status, error, retryable } = last;
    const what = { endpoint, field, status, error, retryable, retryAfter: left, cause: last };
    return new TokenError('cooling-down', `${last.message}; it is asked again in ${Math.ceil(left)} s`, what);
  }
}

function isRefusedClient(error: TokenError): boolean {
  return error.code === 'refused' && (error.status === 401 || error.error === 'invalid_client');
}
