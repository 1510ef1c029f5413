import type { Clock } from './clock.ts';
import { parseUrl } from './endpoint.ts';
import { bodyError, transportError } from './failure.ts';
import { BodyTooLarge, discardBody, MAX_BODY, readTokenBody } from './read-body.ts';
import { TokenError, type TokenResponseField } from './token-error.ts';
import { checkTokenResponse, isJson, oauthErrorCode, retryAfterSeconds, type TokenResponse } from './token-response.ts';

/** The part of `fetch` that the token provider needs. */
export type TokenFetch = (input: string, init: RequestInit) => Promise<Response>;

export interface TokenRequest {
  readonly fetch: TokenFetch;
  readonly clock: Clock;
  readonly endpoint: string;
  /** Value of the `Authorization` header; null if the form holds the credentials. */
  readonly authorization: string | null;
  /** The form fields besides the grant: empty, or `&client_id=…&client_secret=…`. */
  readonly fields: string;
  readonly secrets: readonly string[];
}

export interface TokenAnswer extends TokenResponse {
  readonly receivedAt: number;
  readonly receivedMonotonic: number;
}

const RETRYABLE: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/**
 * One token request (RFC 6749, 4.4.2).
 *
 * @param timeout milliseconds for everything, the body included
 * @throws TokenError
 */
async function requestToken(request: TokenRequest, timeout: number): Promise<TokenAnswer> {
  const stop = new AbortController();
  const finished = new AbortController();
  const late = request.clock.sleep(timeout, finished.signal, { background: true }).then(() => {
    if (finished.signal.aborted) return undefined;
    return new TokenError('timeout', `The token endpoint gave no complete answer within ${timeout / 1000} s`, {
      endpoint: request.endpoint,
      retryable: true,
    });
  });
  // The race is needed because a custom fetch may ignore its signal.
  const answer = exchange(request, stop.signal);
  try {
    const first = await Promise.race([answer, late]);
    if (first instanceof TokenError) throw first;
    return first ?? (await answer);
  } finally {
    answer.catch(() => {});
    finished.abort();
    stop.abort();
  }
}

async function exchange(request: TokenRequest, signal: AbortSignal): Promise<TokenAnswer> {
  const { fetch, clock, endpoint, authorization, fields, secrets } = request;
  let response: Response;
  try {
    // `cache` and `credentials` are left out, because the fetch of edge workers rejects them.
    response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        ...(authorization === null ? {} : { authorization }),
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: `grant_type=client_credentials${fields}`,
      redirect: 'manual',
      signal,
    });
  } catch (error) {
    throw transportError(error, endpoint, secrets);
  }
  const receivedAt = clock.now();
  const receivedMonotonic = clock.monotonic();
  if (signal.aborted) {
    discardBody(response);
    throw new TokenError('timeout', 'The answer came too late', { endpoint, retryable: true });
  }
  refuseRedirect(response, endpoint);
  if (response.status >= 400) throw await refusal(request, response, receivedAt, signal);
  const token = await success(request, response, signal);
  return { ...token, receivedAt, receivedMonotonic };
}

function refuseRedirect(response: Response, endpoint: string): void {
  const redirected = response.type === 'opaqueredirect' || response.redirected;
  if (!redirected && (response.status < 300 || response.status > 399)) return;
  discardBody(response);
  // Only the host: path and query may contain secrets.
  const target = parseUrl(response.headers.get('location') ?? '', endpoint)?.host;
  const where = target ? ` to ${target}` : '';
  throw new TokenError('redirected', `The token endpoint redirects${where}; credentials are not sent there`, {
    endpoint,
    status: response.status || undefined,
  });
}

async function refusal(
  { endpoint, secrets }: TokenRequest,
  response: Response,
  now: number,
  signal: AbortSignal,
): Promise<TokenError> {
  const { status } = response;
  const retryable = RETRYABLE.has(status);
  let error: string | undefined;
  if (!retryable && isJson(response.headers.get('content-type'))) {
    // if the body is unreadable, the status still counts
    const bytes = await readTokenBody(response, signal).catch(() => undefined);
    if (bytes !== undefined) error = oauthErrorCode(bytes, secrets);
  } else {
    discardBody(response);
  }
  return new TokenError('refused', `The token endpoint answered ${status}${error ? ` ${error}` : ''}`, {
    endpoint,
    status,
    error,
    retryable,
    retryAfter: retryAfterSeconds(response.headers.get('retry-after'), now),
  });
}

async function success(
  { endpoint, secrets }: TokenRequest,
  response: Response,
  signal: AbortSignal,
): Promise<TokenResponse> {
  const { status } = response;
  const malformed = (field: TokenResponseField, problem: string, cause?: unknown): TokenError => {
    discardBody(response);
    return new TokenError('malformed', `The token response is malformed: ${problem}`, {
      endpoint,
      field,
      status,
      cause,
    });
  };
  if (status !== 200) throw malformed('status', `status ${status} instead of 200`);
  if (!isJson(response.headers.get('content-type'))) throw malformed('content-type', 'the content type is not JSON');
  let bytes: Uint8Array;
  try {
    bytes = await readTokenBody(response, signal);
  } catch (error) {
    if (error instanceof BodyTooLarge) throw malformed('body', `body is larger than ${MAX_BODY} bytes`);
    discardBody(response);
    throw bodyError(error, endpoint, status, secrets);
  }
  const checked = checkTokenResponse(bytes);
  if ('flaw' in checked) throw malformed(checked.flaw.field, `${checked.flaw.field} ${checked.flaw.problem}`);
  return checked.token;
}

interface RetrySettings {
  readonly retries: number;
  readonly backoff: number;
  readonly timeouts: { readonly call: number; readonly total: number };
  readonly random: () => number;
  readonly onRetry?: ((retry: TokenRetry) => void) | undefined;
}

/** A failed token request that is retried. */
export interface TokenRetry {
  readonly attempt: number;
  /** Seconds until the next attempt. */
  readonly pause: number;
  readonly error: TokenError;
}

/**
 * Retries with full jitter, never earlier than `Retry-After`, and never beyond the deadline.
 *
 * @param wanted whether a caller still waits; if not, there is no retry
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
      const isOver = attempt >= settings.retries || !wanted();
      if (isOver || !(error instanceof TokenError && error.retryable)) throw error;
      const pause = pauseBefore(attempt, error, settings);
      if (pause >= deadline - clock.monotonic()) throw error;
      settings.onRetry?.({ attempt: attempt + 1, pause: pause / 1000, error });
      // A caller waits for the token, so this sleep keeps the process alive.
      await clock.sleep(pause);
      if (!wanted()) throw error;
    }
  }
}

function pauseBefore(attempt: number, error: TokenError, { backoff, random }: RetrySettings): number {
  const jittered = random() * backoff * 2 ** attempt;
  return Math.max(jittered, error.retryAfter ?? 0) * 1000;
}
