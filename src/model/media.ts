import { type Body, type Exchange, header } from './exchange.ts';

/** `type/subtype` of a content type in lower case, without parameters; empty where there is none. */
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
  /** Not read because of a limit of ours, which says nothing of the target. */
  | { readonly kind: 'broken'; readonly why: BeyondLimits };

/** Limits of what is read of JSON, in the words that complete "the body …". */
const BEYOND = {
  'too large': 'is too large for the limits of a run',
  'too deep': 'is too deep for the limits of a run',
  'too many values': 'contains more than 100,000 values, the limit for checks',
  'too long names': 'contains names that are too long to check',
} as const;
type BeyondLimits = keyof typeof BEYOND;

/** What limit of ours kept a body from being read, as the predicate of a sentence about it; null where none did. */
export function limitOf(content: Content, exchange: Exchange | undefined): string | null {
  if (content.kind !== 'broken' || !Object.hasOwn(BEYOND, content.why)) return null;
  const told = content.why === 'too large' ? exchange?.response?.body.limit : undefined;
  return told ?? BEYOND[content.why as BeyondLimits];
}

export function isBeyondLimits(content: Content): boolean {
  return limitOf(content, undefined) !== null;
}

/** Deeper JSON is refused unread: it would only exhaust the stack. */
const DEEPEST = 512;
/** Members and items; what is made of a body (places, shapes, findings) takes a multiple of the memory that its values take. */
const MOST_VALUES = 100_000;
const LONGEST_NAME = 4096;
/** Characters of the pointers of all members together. */
const MOST_IN_POINTERS = 16 * 1024 * 1024;

/** A body is asked for by the weather, the judge and the recording alike, and read once. */
const known = new WeakMap<Body, Content>();

/** Reads the body of an answer; JSON is tried where the content type says so or says nothing. */
export function contentOf({ response }: Exchange): Content {
  if (response === null) return { kind: 'empty' };
  const content = known.get(response.body) ?? read(response);
  known.set(response.body, content);
  return content;
}

/** Bytes that a value takes beside its text, and an object that is like no other. */
const BYTES_PER_VALUE = 64;
const BYTES_PER_OBJECT = 400;

/** Bytes of memory that an answer takes as long as it is held: its body, and what is read of it. */
export function weightOf({ response }: Exchange): number {
  const { bytes } = response?.body ?? { bytes: new Uint8Array() };
  const type = mediaType(header(response?.headers ?? [], 'content-type'));
  if (type !== '' && !isJsonType(type)) return bytes.length;
  const { values, objects, beyond } = sizeUp(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'),
  );
  return beyond === null ? bytes.length * 2 + values * BYTES_PER_VALUE + objects * BYTES_PER_OBJECT : bytes.length;
}

function read(response: NonNullable<Exchange['response']>): Content {
  if (response.body.state === 'truncated') return { kind: 'broken', why: 'truncated' };
  if (response.body.state === 'too-large') return { kind: 'broken', why: 'too large' };
  if (response.body.state === 'undecodable') return { kind: 'broken', why: 'not decodable' };
  if (response.body.bytes.length === 0) return { kind: 'empty' };
  const type = mediaType(header(response.headers, 'content-type'));
  const text = decode(response.body.bytes);
  const looksLikeHtml = text !== null && /^\s*(<!doctype html|<html|<head|<body)/i.test(text);
  if (type === 'text/html' || type === 'application/xhtml+xml' || looksLikeHtml) return { kind: 'html' };
  const json = isJsonType(type);
  if (!json && type !== '') return { kind: 'other' };
  if (text === null) return { kind: 'broken', why: 'not UTF-8' };
  const { beyond } = sizeUp(text);
  if (beyond !== null) return { kind: 'broken', why: beyond };
  try {
    return { kind: 'json', value: JSON.parse(text) };
  } catch {
    return json ? { kind: 'broken', why: 'not parsable' } : { kind: 'other' };
  }
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

interface Size {
  readonly values: number;
  readonly objects: number;
  readonly beyond: BeyondLimits | null;
}

/** Told without parsing: what a parser makes of a text may take twenty times its memory. */
function sizeUp(text: string): Size {
  const around: number[] = [0];
  let values = 1;
  let objects = 0;
  let pointers = 0;
  /** Where the string that ended last has begun, and its length. */
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
      // The first member; each further one follows a comma.
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
