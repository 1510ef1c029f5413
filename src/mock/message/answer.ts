import type { ServerResponse } from 'node:http';
import type { Body } from '../../model/exchange.ts';
import { PROVENANCE_HEADER, WARNING_HEADER } from '../../model/mock-answer.ts';
import type { Provenance } from '../../schema/schema-document.ts';
import { parseJson } from '../../text/decode.ts';

/** Alternating names and values, as `ServerResponse.writeHead` accepts them. This saves an object per request. */
export type FlatHeaders = readonly string[];

export interface Answer {
  readonly status: number;
  readonly headers: FlatHeaders;
  readonly body: Buffer | null;
  readonly issued?: IssuedToken | undefined;
  readonly wire?: Wire;
  /** Called when the whole answer was sent. For a slow answer, also called if the caller leaves early. */
  readonly onSent?: () => void;
}

export interface IssuedToken {
  readonly value: string;
  /** Seconds, as stated in the answer; absent if it states no lifetime. */
  readonly expiresIn?: number;
  /** Times in seconds since the epoch. Absent for a token that a scenario invented. */
  readonly claims?: { readonly jti: string; readonly iat: number; readonly exp: number };
}

/** Sends an answer in a special way, for example slowly or in part. */
export interface Wire {
  readonly isSlow?: boolean;
  /** The part of the body that reaches a caller; null if not even the head does. */
  arrived(bytes: Uint8Array): Body | null;
  /** Sends the answer over the request's connection. `body` is null if there is no body to send, as for HEAD. */
  send(response: ServerResponse, answer: Answer, body: Buffer | null): void;
  /** The body for a caller without a socket. @throws TypeError, like `fetch`, if the connection ends first. */
  read(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array>;
}

/**
 * Fields that describe how a message is framed, encoded or sent (RFC 9110, 6.6.2, 7.6.1, 8.4 and 8.6; RFC 9112, 6.1).
 * Only the mock may set them: a client could not read an answer that does not do what they say.
 */
const FRAMING: ReadonlySet<string> = new Set([
  ...['connection', 'content-encoding', 'content-length', 'keep-alive', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade'],
]);
const OWN: ReadonlySet<string> = new Set(['content-type', 'date', 'deprecation', PROVENANCE_HEADER]);

/** Whether only the mock sets a header field, whatever the contract says. @param name in lower case */
export function isOfMock(name: string): boolean {
  return FRAMING.has(name) || OWN.has(name);
}

/** Statuses of answers without a body (Fetch, null body status). */
export const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

const LONGEST_WARNING = 1_000;

export function warning(text: string): FlatHeaders {
  const printable = text.replace(/[^\x20-\x7e]/g, '?');
  const isLong = printable.length > LONGEST_WARNING;
  return [WARNING_HEADER, isLong ? `${printable.slice(0, LONGEST_WARNING - 3)}...` : printable];
}

/** Continues with a value. Does so at once if it is no promise, so that a plain request never waits. */
export function whenReady<T, Next = Answer>(
  given: T | Promise<T>,
  next: (value: T) => Next | Promise<Next>,
): Next | Promise<Next> {
  return given instanceof Promise ? given.then(next) : next(given);
}

export function answer(
  status: number,
  body: { readonly type: string; readonly bytes: Buffer } | null,
  provenance: Provenance,
  more: FlatHeaders = [],
): Answer {
  const headers = [PROVENANCE_HEADER, provenance, ...more];
  if (body) headers.push('content-type', body.type, 'content-length', String(body.bytes.length));
  else if (status >= 200 && status !== 204 && status !== 304) headers.push('content-length', '0');
  return { status, headers, body: body ? body.bytes : null };
}

export function jsonAnswer(
  status: number,
  value: unknown,
  provenance: Provenance,
  more: FlatHeaders = [],
  type = 'application/json',
): Answer {
  return answer(status, { type, bytes: Buffer.from(JSON.stringify(value)) }, provenance, more);
}

export function withHeaders(given: Answer, more: FlatHeaders): Answer {
  return more.length === 0 ? given : { ...given, headers: [...given.headers, ...more] };
}

/** The header fields apart from those that `answer` adds. */
export function ownHeaders({ headers }: Answer): FlatHeaders {
  const added = new Set(['content-type', 'content-length', PROVENANCE_HEADER]);
  return headers.filter((_, index) => !added.has(headers[index - (index % 2)] ?? ''));
}

export function headerOf(given: Answer, name: string): string | undefined {
  for (let index = 0; index < given.headers.length; index += 2) {
    if (given.headers[index] === name) return given.headers[index + 1];
  }
  return undefined;
}

/** The token in a token response. @param before the token that the mock issued */
export function tokenIn({ status, body }: Answer, before?: IssuedToken): IssuedToken | undefined {
  if (status !== 200 || !body?.includes('"access_token"')) return undefined;
  const { access_token: value, expires_in: expiresIn } = Object(parseJson(body.toString())) as Record<string, unknown>;
  if (typeof value !== 'string') return undefined;
  const { claims } = before?.value === value ? before : {};
  return { value, ...(claims && { claims }), ...(typeof expiresIn === 'number' && { expiresIn }) };
}

export function withBody(given: Answer, bytes: Buffer): Answer {
  const body = bytes.length > 0 ? bytes : null;
  const next = { ...withHeader(given, 'content-length', String(bytes.length)), body };
  return { ...next, issued: tokenIn(next, given.issued) };
}

/** Replaces one header field. The changed answer counts as an assumption. */
export function withHeader(given: Answer, name: string, value: string): Answer {
  const headers = given.headers.map((part, index) => {
    const of = index % 2 === 1 ? given.headers[index - 1] : undefined;
    return of === name ? value : of === PROVENANCE_HEADER ? 'assumed' : part;
  });
  return { ...given, headers: headers.includes(name) ? headers : [...headers, name, value] };
}
