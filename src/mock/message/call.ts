import { decodePercent } from '../../text/decode.ts';
import type { Answer } from './answer.ts';

/** One request, read completely and within the limits; what every concern of the mock judges. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path as sent, percent-encoded, without the query. */
  readonly path: string;
  /** Query as sent, without `?`; empty where there is none. */
  readonly query: string;
  /** The host that the request names: of an absolute target, else of the Host field; undefined for HTTP/1.0 without one. */
  readonly authority: string | undefined;
  /** Lower-case names; the first of fields that must not be repeated, others joined by a comma. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Every field line as it stood on the wire: name, value, name, value. */
  readonly rawHeaders: readonly string[];
  /** Null where the request has no body, also where it announced one of no bytes. */
  readonly body: Buffer | null;
  /** Answers the request although its body has not arrived. */
  readonly interruption?: Interruption | undefined;
}

export interface Interruption {
  readonly scenarios: readonly string[];
  readonly answer: Answer | Promise<Answer>;
}

export function field(call: Pick<ReceivedRequest, 'headers'>, name: string): string | undefined {
  const value = call.headers[name];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}

/** How many lines a header field has; `name` in lower case. */
export function countField(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const there = rawHeaders[index];
    if (there !== undefined && there.length === name.length && there.toLowerCase() === name) count += 1;
  }
  return count;
}

/** The media type of the body without its parameters, in lower case; undefined where the request names none. */
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

/** The charset parameter of the body's media type, in lower case; undefined where there is none. */
export function charsetOf(call: ReceivedRequest): string | undefined {
  return /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(field(call, 'content-type') ?? '')?.[1]?.toLowerCase();
}

/** The template with the values of the request in it, percent-encoded again: everything but letters, digits and `-._~`. */
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

/** The fields of an `application/x-www-form-urlencoded` body, or what is wrong with it. */
export type FormFields = { readonly fields: ReadonlyMap<string, string>; readonly repeated: readonly string[] };

/** Decodes one key or value: `+` is a space, escapes are UTF-8. Undefined for a bad escape. */
export function decodeFormPart(text: string): string | undefined {
  return decodePercent(text.replaceAll('+', ' '));
}

/**
 * Parses a form. A field that is sent empty counts as omitted and one that is sent twice is reported (RFC 6749, 3.2).
 * A bad escape gives the name or number of the field in which it stands.
 */
export function parseForm(text: string): FormFields | { readonly wrong: string } {
  const fields = new Map<string, string>();
  const repeated: string[] = [];
  let number = 0;
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    number += 1;
    const cut = pair.indexOf('=');
    const name = decodeFormPart(cut === -1 ? pair : pair.slice(0, cut));
    const value = decodeFormPart(cut === -1 ? '' : pair.slice(cut + 1));
    if (name === undefined || value === undefined)
      return { wrong: `field ${number} of the form has a bad percent-escape` };
    if (fields.has(name)) repeated.push(name);
    else if (value !== '') fields.set(name, value);
  }
  return { fields, repeated };
}
