import { TokenError } from './token-error.ts';

/** Names and codes of Node's fetch for answers that are not valid HTTP. */
const NOT_HTTP = /^(?:HTTPParserError$|HPE_|UND_ERR_HEADERS_OVERFLOW$|UND_ERR_RES)/;
/** Errors of certificates and TLS settings. A retry does not help. */
const TLS = /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH$|EPROTO$)/;

export function transportError(cause: unknown, endpoint: string, secrets: readonly string[]): TokenError {
  const errors = chain(cause);
  // The innermost code: fetch wraps the error of the system.
  const code = errors.map((error) => error.code).findLast(isCode);
  const suffix = code === undefined ? '' : ` (${code})`;
  const clean = cleanCause(cause, secrets);
  if (errors.some((error) => NOT_HTTP.test(String(error.code)) || NOT_HTTP.test(String(error.name)))) {
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

/** Error codes of decoders: all bytes arrived, but the content encoding is wrong. */
const UNDECODABLE = /^(?:Z_|ERR_BROTLI|ERR__ERROR_FORMAT|ERR__ERROR|ZSTD_|ERR_ZLIB)/;

export function bodyError(cause: unknown, endpoint: string, status: number, secrets: readonly string[]): TokenError {
  const failure = transportError(cause, endpoint, secrets);
  const undecodable = chain(cause).some(({ code }) => UNDECODABLE.test(String(code)));
  if (failure.code === 'malformed' || undecodable) {
    return new TokenError('malformed', 'The token response is malformed: body could not be read to its end', {
      endpoint,
      field: 'body',
      status,
      cause: failure.cause,
    });
  }
  return new TokenError('cut', 'The connection was cut inside the token response', {
    endpoint,
    status,
    retryable: true,
    cause: failure.cause,
  });
}

function chain(error: unknown): { readonly name?: unknown; readonly message?: unknown; readonly code?: unknown }[] {
  const found: object[] = [];
  let at = error;
  while (typeof at === 'object' && at !== null && found.length < 6) {
    found.push(at);
    at = (at as { cause?: unknown }).cause;
  }
  return found;
}

function isCode(code: unknown): code is string {
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,60}$/.test(code);
}

/** A custom fetch may know that a retry is useless, for instance because a policy forbids the call. */
function saysFinal(error: unknown): boolean {
  return typeof error === 'object' && error !== null && (error as { retryable?: unknown }).retryable === false;
}

/** Removes secrets: a `fetch` may attach the whole request to its error, and Node's attaches unparsable bytes. */
export function cleanCause(cause: unknown, secrets: readonly string[]): unknown {
  if (typeof cause === 'string') return redact(cause, secrets);
  return chain(cause).reduceRight<Error | undefined>((inner, { name, message, code }) => {
    const clean = new Error(redact(message, secrets), inner && { cause: inner });
    clean.name = redact(name, secrets);
    return typeof code === 'string' ? Object.assign(clean, { code: redact(code, secrets) }) : clean;
  }, undefined);
}

function redact(text: unknown, secrets: readonly string[]): string {
  if (typeof text !== 'string') return '';
  return secrets.reduce<string>((rest, secret) => rest.replaceAll(secret, '[redacted]'), text);
}
