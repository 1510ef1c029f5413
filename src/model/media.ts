import { decodeUtf8, parseJson } from '../text/decode.ts';
import { type Body, type Exchange, header } from './exchange.ts';

/** `type/subtype` of a content type in lower case, without parameters; empty if the type is missing. */
export function mediaType(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export function isJsonType(type: string): boolean {
  return type === 'application/json' || /^[^/]+\/[^/]+\+json$/.test(type) || type === 'text/json';
}

export type Content =
  | { readonly kind: 'empty' }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'html' }
  | { readonly kind: 'other' }
  | {
      readonly kind: 'broken';
      readonly why: 'truncated' | 'not decodable' | 'not parsable' | 'not UTF-8';
    }
  /** Not read because of one of our limits; the target is not at fault. */
  | { readonly kind: 'broken'; readonly why: BeyondLimits };

/** Limits for reading JSON, in the words that complete "the body …". */
const BEYOND = {
  'too large': 'is too large for the limits of a run',
  'too deep': 'is too deep for the limits of a run',
  'too many values': 'contains more than 100,000 values, the limit for checks',
  'too long names': 'contains names that are too long to check',
} as const;
type BeyondLimits = keyof typeof BEYOND;

/** The limit that kept a body from being read, as the predicate of a sentence; null if it was read. */
export function limitOf(content: Content, exchange: Exchange | undefined): string | null {
  if (content.kind !== 'broken' || !Object.hasOwn(BEYOND, content.why)) return null;
  const told = content.why === 'too large' ? exchange?.response?.body.limit : undefined;
  return told ?? BEYOND[content.why as BeyondLimits];
}

export function isBeyondLimits(content: Content): boolean {
  return limitOf(content, undefined) !== null;
}

/** Deeper JSON is rejected unread: it would only exhaust the stack. */
const DEEPEST = 512;
/** Members and items. Places, shapes and findings of a body take several times the memory of its values. */
const MOST_VALUES = 100_000;
const LONGEST_NAME = 4096;
/** Characters of the pointers of all members together. */
const MOST_IN_POINTERS = 16 * 1024 * 1024;

/** Several judges and the recording need a body, but it is read once. */
const known = new WeakMap<Body, Content>();

/** Reads the body of an answer. It is parsed as JSON if the content type is JSON or missing. */
export function contentOf({ request, response }: Exchange): Content {
  if (response === null) return { kind: 'empty' };
  const content =
    known.get(response.body) ?? read(response, PAGE_OR_JSON.test(header(request.headers, 'accept') ?? ''));
  known.set(response.body, content);
  return content;
}

/** The value of a JSON answer; undefined for any other answer. */
export function jsonIn(exchange: Exchange | undefined): unknown {
  const content = exchange && contentOf(exchange);
  return content?.kind === 'json' ? content.value : undefined;
}

/** An `Accept` of a caller to whom the contract promises HTML. A browser does not name JSON. */
const PAGE_OR_JSON = /^text\/html\b.*\bapplication\/json\b/;

/** Bytes per value besides its text, and per object with a unique form. */
const BYTES_PER_VALUE = 64;
const BYTES_PER_OBJECT = 400;

/** Memory of a kept answer in bytes: its body, and the data derived from it. */
export function weightOf({ response }: Exchange): number {
  const { bytes } = response?.body ?? { bytes: new Uint8Array() };
  const type = mediaType(header(response?.headers ?? [], 'content-type'));
  if (type !== '' && !isJsonType(type)) return bytes.length;
  const { values, objects, beyond } = sizeUp(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'),
  );
  return beyond === null ? bytes.length * 2 + values * BYTES_PER_VALUE + objects * BYTES_PER_OBJECT : bytes.length;
}

/** @param isPageExpected whether HTML is no page of a gateway */
function read(response: NonNullable<Exchange['response']>, isPageExpected: boolean): Content {
  if (response.body.state === 'truncated') return { kind: 'broken', why: 'truncated' };
  if (response.body.state === 'too-large') return { kind: 'broken', why: 'too large' };
  if (response.body.state === 'undecodable') return { kind: 'broken', why: 'not decodable' };
  if (response.body.bytes.length === 0) return { kind: 'empty' };
  const type = mediaType(header(response.headers, 'content-type'));
  const text = decodeUtf8(response.body.bytes);
  const looksLikeHtml = text !== undefined && /^\s*(<!doctype html|<html|<head|<body)/i.test(text);
  if (type === 'text/html' || type === 'application/xhtml+xml' || looksLikeHtml)
    return { kind: isPageExpected ? 'other' : 'html' };
  const json = isJsonType(type);
  if (!json && type !== '') return { kind: 'other' };
  if (text === undefined) return { kind: 'broken', why: 'not UTF-8' };
  const { beyond } = sizeUp(text);
  if (beyond !== null) return { kind: 'broken', why: beyond };
  const value = parseJson(text);
  if (value !== undefined) return { kind: 'json', value };
  return json ? { kind: 'broken', why: 'not parsable' } : { kind: 'other' };
}

/** Estimated without parsing: the result of a parser may take twenty times the memory of the text. */
function sizeUp(text: string): { values: number; objects: number; beyond: BeyondLimits | null } {
  const around: number[] = [0];
  let values = 1;
  let objects = 0;
  let pointers = 0;
  /** Start of the last finished string, and its length. */
  let start = 0;
  let length = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) {
        inString = false;
        length = index - start;
      }
    } else if (code === QUOTE) {
      inString = true;
      start = index;
    } else if (code === COLON) {
      pointers += (around.at(-1) ?? 0) + length;
      if (length > LONGEST_NAME || pointers > MOST_IN_POINTERS) return { values, objects, beyond: 'too long names' };
    } else if (code === OPENING_BRACE || code === OPENING_BRACKET) {
      around.push((around.at(-1) ?? 0) + length);
      length = 1;
      if (around.length - 1 > DEEPEST) return { values, objects, beyond: 'too deep' };
      if (code === OPENING_BRACE) objects += 1;
      // The first member; each comma adds one.
      values += 1;
    } else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) around.pop();
    else if (code === COMMA) values += 1;
    if (values > MOST_VALUES) return { values, objects, beyond: 'too many values' };
  }
  return { values, objects, beyond: null };
}

const [QUOTE, COMMA, COLON, OPENING_BRACKET, BACKSLASH, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE] = [
  34, 44, 58, 91, 92, 93, 123, 125,
] as const;
