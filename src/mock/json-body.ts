import { createLocator, JsonTextError, scanJson } from '../files/json-scan.ts';

/** What is wrong with a JSON text, and where. `line` and `column` count from 1, `offset` (in UTF-16 units) from 0. */
export interface JsonFault {
  readonly message: string;
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

export type JsonBody = { readonly value: unknown } | { readonly fault: JsonFault };

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a request body as JSON (RFC 8259), strictly: UTF-8 without a byte order mark, no duplicate keys, at most
 * `maxDepth` levels. The value is built by `JSON.parse`, so `__proto__` is an own property and reaches no prototype.
 */
export function readJson(bytes: Uint8Array, maxDepth: number): JsonBody {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    // a replacement character may also stand in the text itself; then the position is that of the first of them
    const lenient = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    return faultAt(lenient, Math.max(0, lenient.indexOf('\uFFFD')), encodingFault(bytes));
  }
  if (text.startsWith('\uFEFF'))
    return faultAt(text, 0, 'the body starts with a byte order mark, which JSON must not have (RFC 8259, 8.1)');
  if (text.includes('\0'))
    return faultAt(text, text.indexOf('\0'), 'the body holds a zero byte; JSON is sent as UTF-8');
  try {
    scanJson(text, maxDepth);
  } catch (error) {
    if (error instanceof JsonTextError) return faultAt(text, error.offset, error.message);
    throw error;
  }
  return { value: JSON.parse(text) };
}

function encodingFault(bytes: Uint8Array): string {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return utf16 ? 'the body is UTF-16; JSON is sent as UTF-8' : 'the body is not valid UTF-8';
}

function faultAt(text: string, offset: number, message: string): JsonBody {
  return { fault: { message, offset, ...createLocator(text)(offset) } };
}
