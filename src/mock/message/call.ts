import { decodePercent } from '../../text/decode.ts';
import type { Answer } from './answer.ts';

/** One request, read completely and within the limits. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path as sent, percent-encoded, without the query. */
  readonly path: string;
  /** Query as sent, without `?`; may be empty. */
  readonly query: string;
  /** Host of an absolute target, else of the Host field; undefined for HTTP/1.0 without Host. */
  readonly authority: string | undefined;
  /** Lower-case names. A field that must not repeat has its first value; other repeated fields are joined by commas. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Every field line as sent: name, value, name, value. */
  readonly rawHeaders: readonly string[];
  /** Null before it has arrived, without a body, and for a body announced with zero bytes. */
  body: Buffer | null;
  /** Answers the request before its body has arrived. */
  interruption?: Interruption | undefined;
}

export interface Interruption {
  readonly scenarios: readonly string[];
  readonly answer: Answer | Promise<Answer>;
}

export function field(call: Pick<ReceivedRequest, 'headers'>, name: string): string | undefined {
  const value = call.headers[name];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}

/** Counts the lines of a header field. `name` must be in lower case. */
export function countField(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const there = rawHeaders[index];
    if (there !== undefined && there.length === name.length && there.toLowerCase() === name) count += 1;
  }
  return count;
}

/** Media type of the body in lower case, without parameters; undefined if the request names no type. */
export function mediaTypeOf(call: ReceivedRequest): string | undefined {
  const value = field(call, 'content-type');
  if (value === undefined) return undefined;
  const cut = value.indexOf(';');
  return (cut === -1 ? value : value.slice(0, cut)).trim().toLowerCase();
}

export function cookieOf(call: Pick<ReceivedRequest, 'headers'>, name: string): string | undefined {
  const cookies = (field(call, 'cookie') ?? '').split(';').map((cookie) => cookie.trim());
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** True for `application/json` and every `+json` type (RFC 6839). */
export function isJsonMedia(type: string): boolean {
  return type === 'application/json' || type.endsWith('+json');
}

/** Charset of the body's media type in lower case; undefined if the request names no charset. */
export function charsetOf(call: ReceivedRequest): string | undefined {
  return /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(field(call, 'content-type') ?? '')?.[1]?.toLowerCase();
}

/** Inserts values into a path template. Percent-encodes everything except letters, digits and `-._~`. */
export function encodePath(template: string, parameters: Readonly<Record<string, string>>): string {
  return template.replace(/\{([^}]+)\}/g, (whole, name: string) => {
    const value = parameters[name];
    return value === undefined ? whole : encodeURIComponent(value).replace(/[!'()*]/g, toEscape);
  });
}

function toEscape(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
}

export const FORM_TYPE = 'application/x-www-form-urlencoded';
export const MULTIPART_TYPE = 'multipart/form-data';

/** The fields of an `application/x-www-form-urlencoded` body. */
export type FormFields = { readonly fields: ReadonlyMap<string, string>; readonly repeated: readonly string[] };

/** Decodes one key or value: `+` is a space, escapes are UTF-8. Undefined for a bad escape. */
export function decodeFormPart(text: string): string | undefined {
  return decodePercent(text.replaceAll('+', ' '));
}

/** Parses a form. An empty field counts as omitted, and a repeated field is reported (RFC 6749, 3.2). */
export function parseForm(text: string): FormFields | { readonly wrong: string } {
  if (decodePercent(text) === undefined) return { wrong: 'the form has a bad percent-escape' };
  const fields = new Map<string, string>();
  const repeated: string[] = [];
  // without `&`, a question mark at the start would be dropped
  for (const [name, value] of new URLSearchParams(`&${text}`)) {
    if (fields.has(name)) repeated.push(name);
    else if (value !== '') fields.set(name, value);
  }
  return { fields, repeated };
}
