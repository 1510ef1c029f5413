import type { TransportFailure } from '../model/exchange.ts';
import { codeOf, failureKind } from '../net/failure.ts';

/** Why there is no answer to pass on. */
export interface Failure {
  readonly kind: TransportFailure;
  readonly message: string;
}

const MESSAGES: Readonly<Record<TransportFailure, string>> = {
  refused: 'the target refused the connection',
  dns: 'the host name of the target could not be resolved',
  tls: 'the TLS handshake with the target failed',
  reset: 'the target closed the connection before an answer',
  'connect-timeout': 'no connection to the target in time',
  'first-byte-timeout': 'no answer of the target in time',
  'call-timeout': 'the answer of the target did not end in time',
  malformed: 'the answer of the target was no HTTP',
  'too-large': 'the header of the answer of the target is too large',
  aborted: 'the caller went away',
};

export function failureOf(kind: TransportFailure, error?: unknown): Failure {
  const code = codeOf(error);
  return { kind, message: code === '' ? MESSAGES[kind] : `${MESSAGES[kind]} (${code})` };
}

/** What an error of `node:http` on the way to the target means. */
export function failureFrom(error: unknown): Failure {
  return failureOf(failureKind(error), error);
}
