/** Header fields as on the wire, with lower-case names, one entry per field line. */
export type HeaderFields = readonly (readonly [name: string, value: string])[];

export interface Body {
  readonly bytes: Uint8Array;
  readonly state: 'complete' | 'truncated' | 'too-large' | 'undecodable';
  /** The limit that the body exceeds, as the predicate of a sentence; undefined if it is the limit of one body. */
  readonly limit?: string;
}

export interface ExchangeRequest {
  readonly method: string;
  /** Path and query as sent, percent-encoded; never a host. */
  readonly target: string;
  readonly headers: HeaderFields;
  readonly body: Uint8Array | null;
}

export interface ExchangeResponse {
  readonly status: number;
  readonly headers: HeaderFields;
  readonly body: Body;
  /** False if the caller closed its connection first. Only known to a mock or a proxy. */
  readonly delivered?: false;
}

export type TransportFailure =
  | 'refused'
  | 'dns'
  /** The local network's proxy, not the target. */
  | 'proxy'
  | 'tls'
  | 'reset'
  | 'connect-timeout'
  | 'first-byte-timeout'
  | 'call-timeout'
  | 'malformed'
  /** The header of the answer exceeds one of our limits. */
  | 'too-large'
  | 'aborted';

/** One attempt: a request with its response. It may hold secrets: redact it before it leaves the process. */
export interface Exchange {
  /** From 1, in the order of sending. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds since the epoch. */
  readonly endedAt: number;
  /** Milliseconds by which a user had moved the mock's clock, which gives both times. */
  readonly clockAhead?: number;
  /** Number of the client's connection if known (mock, proxy). */
  readonly connection: number | null;
  readonly operationId: string | null;
  readonly request: ExchangeRequest;
  /** Null if the call ended without one. Set together with a `call-timeout` if the body did not end in time. */
  readonly response: ExchangeResponse | null;
  readonly failure: { readonly kind: TransportFailure; readonly message: string } | null;
  /** Whether a mock executed the request, whatever answer it sent. */
  readonly acted?: boolean;
  /** The bearer token of the request or token response, if its issue is known. Milliseconds; lifetime in seconds. */
  readonly token: {
    readonly value: string;
    readonly issuedAt: number | null;
    readonly expiresIn: number | null;
  } | null;
}

export function is2xx(status: number): boolean {
  return status >= 200 && status < 300;
}

export function header(fields: HeaderFields, name: string): string | undefined {
  return fields.find(([field]) => field === name)?.[1];
}

/** Whether a header field can carry a value (RFC 9110, 5.5). */
export function isSendable(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

export function fieldsOf(rawHeaders: readonly string[]): HeaderFields {
  const fields: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    fields.push([String(rawHeaders[index]).toLowerCase(), String(rawHeaders[index + 1])]);
  }
  return fields;
}
