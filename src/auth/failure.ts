import { cleanCause } from './clean-cause.ts';
import { TokenError } from './token-error.ts';

/** Codes of Node and its fetch for answers that are no HTTP. */
const NOT_HTTP = /^(?:HPE_|UND_ERR_HEADERS_OVERFLOW$|UND_ERR_RES)/;
/** Codes for certificates and TLS settings, which do not heal by themselves. */
const TLS = /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH$|EPROTO$)/;

/** The error for a `fetch` that rejected. */
export function transportError(cause: unknown, endpoint: string, secrets: readonly string[]): TokenError {
  const code = codeOf(cause);
  const suffix = code === undefined ? '' : ` (${code})`;
  const clean = cleanCause(cause, secrets);
  if (code !== undefined && NOT_HTTP.test(code)) {
    return new TokenError('malformed', `The token endpoint's answer is not HTTP${suffix}`, {
      endpoint,
      field: 'http',
      cause: clean,
    });
  }
  return new TokenError('unreachable', `The token endpoint could not be reached${suffix}`, {
    endpoint,
    retryable: !(code !== undefined && TLS.test(code)) && !saysFinal(cause),
    cause: clean,
  });
}

/** The innermost code of a chain of causes: fetch wraps what the system said. */
function codeOf(error: unknown): string | undefined {
  let found: string | undefined;
  let at: unknown = error;
  for (let depth = 0; depth < 6 && typeof at === 'object' && at !== null; depth += 1) {
    const { code, cause } = at as { code?: unknown; cause?: unknown };
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)) found = code;
    at = cause;
  }
  return found;
}

/** A custom fetch may say that trying again is useless, for instance because a policy forbids the call. */
function saysFinal(error: unknown): boolean {
  return typeof error === 'object' && error !== null && (error as { retryable?: unknown }).retryable === false;
}
