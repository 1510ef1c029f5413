/** Header fields as they stood on the wire: lower-case names, one entry per field line. */
export type HeaderFields = readonly (readonly [name: string, value: string])[];

export interface Body {
  readonly bytes: Uint8Array;
  readonly state: 'complete' | 'truncated' | 'too-large' | 'undecodable';
  /** Which limit a body that is too large is beyond, as the predicate of a sentence about it, where it is not that of one body. */
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
  /** False if the caller closed its connection first. Only a mock or a proxy knows. */
  readonly delivered?: false;
}

export type TransportFailure =
  | 'refused'
  | 'dns'
  /** The proxy of the own network, and not the target. */
  | 'proxy'
  | 'tls'
  | 'reset'
  | 'connect-timeout'
  | 'first-byte-timeout'
  | 'call-timeout'
  | 'malformed'
  /** The header of the answer is beyond a limit of ours. */
  | 'too-large'
  | 'aborted';

/** One request with its response: one attempt, never a retry folded in. Raw: it may hold secrets and never leaves the process as it is. */
export interface Exchange {
  /** From 1, in the order in which requests were sent. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds since the epoch. */
  readonly endedAt: number;
  /** Number of the client's connection where that is known (mock, proxy). */
  readonly connection: number | null;
  readonly operationId: string | null;
  readonly request: ExchangeRequest;
  /** Null where the call ended without one. Both it and a `call-timeout` where the body had not ended in time. */
  readonly response: ExchangeResponse | null;
  readonly failure: { readonly kind: TransportFailure; readonly message: string } | null;
  /** Whether a mock did what it was asked for, whatever answer left it. */
  readonly acted?: boolean;
  /** The bearer token of the request (or that a token response issued), where its issue is known. Times in milliseconds since the epoch, lifetime in seconds. */
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
