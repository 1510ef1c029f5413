import type { HeaderFields } from '../http/exchange.ts';

/** One request, read completely and within the limits; what every concern of the mock judges. */
export interface Call {
  readonly method: string;
  /** Path as sent, percent-encoded, without the query. */
  readonly path: string;
  /** Query as sent, without `?`; empty where there is none. */
  readonly query: string;
  /** Lower-case names; the first of fields that must not be repeated, others joined by a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Every field line as it stood on the wire, in order; made on demand. */
  readonly fields: () => HeaderFields;
  /** Null where the request has no body, also where it announced one of no bytes. */
  readonly body: Buffer | null;
}

/** The value of a header field, or undefined. */
export function field(call: Call, name: string): string | undefined {
  return call.headers[name];
}

/** The media type of the body without its parameters, in lower case; undefined where the request names none. */
export function mediaTypeOf(call: Call): string | undefined {
  const value = call.headers['content-type'];
  if (value === undefined) return undefined;
  const cut = value.indexOf(';');
  return (cut === -1 ? value : value.slice(0, cut)).trim().toLowerCase();
}

/** The charset parameter of the body's media type, in lower case; undefined where there is none. */
export function charsetOf(call: Call): string | undefined {
  return /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(call.headers['content-type'] ?? '')?.[1]?.toLowerCase();
}
