import type { Exchange, TransportFailure } from '../model/exchange.ts';
import type { Network, ProxyServer } from '../net/network.ts';
import { codeOf, failureKind } from '../net/response.ts';

export type Failure = NonNullable<Exchange['failure']>;

/** The proxy, not the target, is why there is no connection. */
export class ProxyTrouble extends Error {
  override readonly name: string = 'ProxyTrouble';
}

export function named({ url, from }: ProxyServer): string {
  return `the proxy ${url} (${from})`;
}

export function asksForCredentials(proxy: ProxyServer): string {
  return proxy.authorization === null
    ? `${named(proxy)} asks for credentials (407); its URL may hold them where it comes from the environment`
    : `${named(proxy)} does not accept its credentials (407)`;
}

export function unreachable(proxy: ProxyServer, error: Error): ProxyTrouble {
  const code = codeOf(error);
  const shown = code === '' ? '' : ` (${code})`;
  return new ProxyTrouble(
    failureKind(error) === 'tls'
      ? `the TLS handshake with ${named(proxy)} failed${shown}`
      : `there is no connection to ${named(proxy)}${shown}`,
  );
}

const MESSAGES: Readonly<Record<TransportFailure, string>> = {
  refused: 'the target refused the connection',
  dns: 'the host name of the target could not be resolved',
  proxy: 'the proxy did not let it through',
  tls: 'the TLS handshake with the target failed',
  reset: 'the target closed the connection before an answer',
  'connect-timeout': 'no connection to the target in time',
  'first-byte-timeout': 'no answer of the target in time',
  'call-timeout': 'the answer of the target did not end in time',
  malformed: 'the target did not answer with HTTP',
  'too-large': 'the header of the answer of the target is too large',
  aborted: 'the call was aborted',
};

/** Why there is no answer, with the setting that matters, if there is one. */
export function failureFrom(error: unknown, network: Network): Failure {
  if (error instanceof ProxyTrouble) return { kind: 'proxy', message: error.message };
  const kind = failureKind(error);
  const code = codeOf(error);
  const reason = kind === 'tls' ? (distrust(code, network) ?? rejection(code, network)) : null;
  return reason === null ? failureOf(kind, code) : { kind, message: `the TLS handshake failed: ${reason} (${code})` };
}

export function failureOf(kind: TransportFailure, code = ''): Failure {
  return { kind, message: code === '' ? MESSAGES[kind] : `${MESSAGES[kind]} (${code})` };
}

const OF_ITS_CERTIFICATE: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate of the target, or of its authority, has expired',
  CERT_NOT_YET_VALID: 'the certificate of the target is not valid yet',
  CERT_REVOKED: 'the certificate of the target was revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the target is of another host',
};

function distrust(code: string, { ca }: Network): string | null {
  if (!/^(?:UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|CERT_UNTRUSTED|INVALID_CA)/.test(code)) {
    return OF_ITS_CERTIFICATE[code] ?? null;
  }
  return ca === null
    ? 'the certificate of the target is of no authority that is trusted here; name one under network.ca'
    : `the certificate of the target is of no authority in ${ca}`;
}

const ALERT =
  /ALERT_(?:CERTIFICATE|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA|HANDSHAKE_FAILURE|ACCESS_DENIED)/;

/** Why the target rejected our certificate, from a TLS alert (RFC 8446, 6.2). */
function rejection(code: string, { certificate }: Network): string | null {
  if (!ALERT.test(code)) return null;
  return certificate === null
    ? 'the target asks for a client certificate; name one under network.cert and network.key, or network.pfx'
    : `the target does not accept the client certificate of ${certificate}`;
}
