import type { ServerResponse } from 'node:http';
import type { Provenance } from '../../contract/contract.ts';
import type { Body } from '../../model/exchange.ts';

/** Names and values in turn, as `ServerResponse.writeHead` takes them: no object is built per request. */
export type FlatHeaders = readonly string[];

export interface Answer {
  readonly status: number;
  readonly headers: FlatHeaders;
  readonly body: Buffer | null;
  readonly issued?: IssuedToken | undefined;
  readonly wire?: Wire;
  /** Called when all of it was sent. If it leaves slowly, also when its caller went away before the end. */
  readonly onSent?: () => void;
}

export interface IssuedToken {
  readonly value: string;
  /** Seconds, as the answer promises; absent if it does not. */
  readonly expiresIn?: number;
  /** Absent for a token that a scenario invented. Times in seconds since the epoch. */
  readonly claims?: { readonly jti: string; readonly iat: number; readonly exp: number };
}

/** How an answer leaves that is not sent as it is. */
export interface Wire {
  readonly isSlow?: boolean;
  /** What of its body reaches a caller; null where not even its head does. */
  arrived(bytes: Uint8Array): Body | null;
  /** Sends it over the connection of the request. `body` is null where there is none to be sent, also for HEAD. */
  send(response: ServerResponse, answer: Answer, body: Buffer | null): void;
  /** The body for a caller without a socket. @throws TypeError, as `fetch` does, where the connection ends before an answer. */
  read(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array>;
}

/** Statuses whose answer has no body (Fetch, null body status). */
export const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Header field that marks every answer as the mock's and says what the weakest part that it shows rests on. */
export const PROVENANCE_HEADER = 'x-mock-provenance';

/** Goes on with a value as soon as it is there: at once if it is, so that a plain request waits for no promise. */
export function whenReady<T>(
  given: T | Promise<T>,
  next: (value: T) => Answer | Promise<Answer>,
): Answer | Promise<Answer> {
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

export function headerOf(given: Answer, name: string): string | undefined {
  for (let index = 0; index < given.headers.length; index += 2) {
    if (given.headers[index] === name) return given.headers[index + 1];
  }
  return undefined;
}
