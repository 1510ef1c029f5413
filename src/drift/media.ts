import type { Exchange } from '../http/exchange.ts';
import { header } from '../http/exchange.ts';

/** `type/subtype` of a content type in lower case, without parameters; empty where there is none. */
export function mediaType(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export function isJsonType(type: string): boolean {
  return type === 'application/json' || /^[^/]+\/[^/]+\+json$/.test(type) || type === 'text/json';
}

/** What a response body is, read as far as it can be. */
export type Content =
  | { readonly kind: 'empty' }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'html' }
  | { readonly kind: 'other' }
  | {
      readonly kind: 'broken';
      readonly why: 'truncated' | 'too large' | 'too deep' | 'not decodable' | 'not parsable' | 'not UTF-8';
    };

/** True for a body that was not read because of a limit of ours, which says nothing of the target. */
export function isBeyondLimits(content: Content): boolean {
  return content.kind === 'broken' && (content.why === 'too large' || content.why === 'too deep');
}

/** Deeper JSON is refused unread: it would only exhaust the stack. */
const DEEPEST = 512;

/** Reads the body of an answer; JSON is tried where the content type says so or says nothing. */
export function contentOf(exchange: Exchange): Content {
  const response = exchange.response;
  if (response === null) return { kind: 'empty' };
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
  if (depthOf(text) > DEEPEST) return { kind: 'broken', why: 'too deep' };
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

/** Levels of nesting, counted outside of strings. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 92) index += 1;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 123 || code === 91) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === 125 || code === 93) depth -= 1;
  }
  return deepest;
}
