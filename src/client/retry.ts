import { TokenError, type TokenErrorCode } from './token-error.ts';
import { requestToken, type TokenAnswer, type TokenRequest } from './token-request.ts';

interface RetrySettings {
  /** Further attempts after the first. */
  readonly retries: number;
  /** Upper bound of the first pause, seconds; it doubles with each further one. */
  readonly backoff: number;
  /** Seconds for one attempt, and for all of them with their pauses. */
  readonly timeouts: { readonly call: number; readonly total: number };
  /** A number in [0, 1). */
  readonly random: () => number;
}

/**
 * A token request with its retries: full jitter, never earlier than `Retry-After`, and none that would outlast the deadline.
 *
 * @param wanted whether somebody still waits; without, nothing is tried again
 * @throws TokenError of the last attempt
 */
export async function requestTokenWithRetries(
  request: TokenRequest,
  settings: RetrySettings,
  wanted: () => boolean,
): Promise<TokenAnswer> {
  const { clock } = request;
  const deadline = clock.monotonic() + settings.timeouts.total * 1000;
  for (let attempt = 0; ; attempt += 1) {
    const left = deadline - clock.monotonic();
    try {
      return await requestToken(request, Math.min(settings.timeouts.call * 1000, left));
    } catch (error) {
      if (attempt >= settings.retries || !mayRetry(error) || !wanted()) throw error;
      const pause = pauseBefore(attempt, error, settings);
      if (pause >= deadline - clock.monotonic()) throw error;
      // Somebody waits for the token, so this sleep keeps the process alive.
      await clock.sleep(pause);
      if (!wanted()) throw error;
    }
  }
}

const RETRIED: ReadonlySet<TokenErrorCode> = new Set(['unreachable', 'cut', 'refused']);

/** Connection errors before any answer or inside of it, and the statuses that ask for it; never after a timeout, which has cost enough. */
function mayRetry(error: unknown): error is TokenError {
  return error instanceof TokenError && error.retryable && RETRIED.has(error.code);
}

function pauseBefore(attempt: number, error: TokenError, { backoff, random }: RetrySettings): number {
  const jittered = random() * backoff * 2 ** attempt;
  return Math.max(jittered, error.retryAfter ?? 0) * 1000;
}
