/**
 * Why no token could be fetched.
 *
 * - `unreachable`: no answer (DNS, connection, TLS)
 * - `timeout`: no complete answer in time
 * - `refused`: an answer with an error status; `error` holds the OAuth code if present (RFC 6749, section 5.2)
 * - `malformed`: a success that is not the documented token response; `field` names the part
 * - `cut`: the connection was lost inside the body of the answer
 * - `redirected`: the token endpoint answered with a redirect, which is never followed
 * - `insecure`: the base URL is neither https nor loopback (RFC 6750, section 5.3)
 * - `cooling-down`: no request, because one failed shortly before; `cause` is that failure
 * - `aborted`: this caller's signal aborted
 */
export type TokenErrorCode =
  | 'unreachable'
  | 'timeout'
  | 'refused'
  | 'malformed'
  | 'cut'
  | 'redirected'
  | 'insecure'
  | 'cooling-down'
  | 'aborted';

/** The part of a token response that is malformed, in {@link TokenError}. */
export type TokenResponseField =
  | 'http'
  | 'status'
  | 'content-type'
  | 'body'
  | 'access_token'
  | 'token_type'
  | 'expires_in'
  | 'scope';

interface TokenErrorOptions {
  readonly endpoint: string;
  readonly field?: TokenResponseField | null | undefined;
  readonly status?: number | null | undefined;
  readonly error?: string | null | undefined;
  readonly retryable?: boolean | undefined;
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** The one error class of the token client. Message, stack, cause, JSON and inspection hold no secret. */
export class TokenError extends Error {
  override readonly name: string = 'TokenError';
  readonly code: TokenErrorCode;
  readonly field: TokenResponseField | null;
  /** HTTP status of the token endpoint's answer, if it answered. */
  readonly status: number | null;
  /** OAuth error code of the answer, for instance `invalid_client`. */
  readonly error: string | null;
  /** Whether the same request may succeed later without a change of the configuration. */
  readonly retryable: boolean;
  /** Seconds to wait before a retry, if known. */
  readonly retryAfter: number | null;
  /** Address of the token endpoint, without query. */
  readonly endpoint: string;

  constructor(code: TokenErrorCode, message: string, options: TokenErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.field = options.field ?? null;
    this.status = options.status ?? null;
    this.error = options.error ?? null;
    this.retryable = options.retryable ?? false;
    this.retryAfter = options.retryAfter ?? null;
    this.endpoint = options.endpoint;
  }

  toJSON(): Record<string, unknown> {
    const { name, code, message, field, status, error, retryable, retryAfter, endpoint } = this;
    return { name, code, message, field, status, error, retryable, retryAfter, endpoint };
  }
}
