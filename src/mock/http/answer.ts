import type { Provenance } from '../../contract/contract.ts';
import type { Wire } from '../scenarios/wire.ts';

/** Names and values in turn, as `ServerResponse.writeHead` takes them: no object is built per request. */
export type FlatHeaders = readonly string[];

/** What the mock says to one request, before a socket is involved. */
export interface Answer {
  readonly status: number;
  readonly headers: FlatHeaders;
  readonly body: Buffer | null;
  /** How it leaves, where it is not sent as it is. */
  readonly wire?: Wire;
  /** Called when its last byte was handed to the socket. */
  readonly onSent?: () => void;
}

/** Header field that marks every answer as the mock's and says what the weakest part that it shows rests on. */
export const PROVENANCE_HEADER = 'x-mock-provenance';

/** An answer with its length and provenance written out. */
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

/** An answer that holds JSON. */
export function jsonAnswer(
  status: number,
  value: unknown,
  provenance: Provenance,
  more: FlatHeaders = [],
  type = 'application/json',
): Answer {
  return answer(status, { type, bytes: Buffer.from(JSON.stringify(value)) }, provenance, more);
}

/** The same answer with more header fields. */
export function withHeaders(given: Answer, more: FlatHeaders): Answer {
  return more.length === 0 ? given : { ...given, headers: [...given.headers, ...more] };
}

/** Value of a header field of an answer, or undefined. */
export function headerOf(given: Answer, name: string): string | undefined {
  for (let index = 0; index < given.headers.length; index += 2) {
    if (given.headers[index] === name) return given.headers[index + 1];
  }
  return undefined;
}
