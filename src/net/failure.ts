import type { TransportFailure } from '../model/exchange.ts';

/** What an error on the way to a target means, whether `node:http` or undici tells of it. */
export function failureKind(error: unknown): TransportFailure {
  const code = codeOf(error);
  if (['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'ENODATA'].includes(code)) return 'dns';
  if (['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'].includes(code)) return 'refused';
  if (['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'].includes(code)) return 'connect-timeout';
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|EPROTO)/.test(code)) return 'tls';
  if (['HPE_HEADER_OVERFLOW', 'UND_ERR_HEADERS_OVERFLOW'].includes(code)) return 'too-large';
  if (/^(HPE_|ERR_HTTP|ERR_INVALID|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)/.test(code)) return 'malformed';
  return error instanceof Error && error.name === 'HTTPParserError' ? 'malformed' : 'reset';
}

/** The code of an error, of several the first one's; empty where there is none. */
export function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
