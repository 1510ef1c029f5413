import type { HeaderFields } from '../model/exchange.ts';

/** Fields for one connection only (RFC 9110, 7.6.1). Transfer-Encoding is kept for the framing of our own message. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'upgrade',
  'http2-settings',
]);

/** Fields that a Connection field cannot remove, because the target would then frame messages differently. */
const NEEDED = new Set(['host', 'content-length', 'transfer-encoding', 'trailer']);

/** Field lines in Node's raw form: name, value, name, value. */
export type RawHeaders = readonly string[];

export function linesOf(raw: RawHeaders): [name: string, value: string][] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []));
}

export function rawValues(raw: RawHeaders, name: string): string[] {
  return linesOf(raw).flatMap(([field, value]) => (field.toLowerCase() === name ? [value] : []));
}

/** Every end-to-end field line in its order, with the original spelling of its name, and with duplicates. */
export function endToEnd(raw: RawHeaders): string[] {
  const nominated = new Set(
    rawValues(raw, 'connection')
      .flatMap((value) => value.toLowerCase().split(','))
      .map((name) => name.trim())
      .filter((name) => !NEEDED.has(name)),
  );
  return without(raw, (name) => HOP_BY_HOP.has(name) || nominated.has(name));
}

/** Methods whose requests may omit `Content-Length` if they have no body. */
const BODILESS = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/**
 * The field lines of a request to the target: its own Host first (RFC 9110, 7.2), then end-to-end fields in order.
 * Adds `Content-Length: 0` if the method allows a body but the request has no length (RFC 9110, 8.6).
 */
export function requestHeaders(method: string, raw: RawHeaders, host: string): string[] {
  const headers = ['Host', host, ...without(endToEnd(raw), (name) => name === 'host')];
  const chunked = isChunked(headers);
  if (!chunked && !BODILESS.has(method) && rawValues(headers, 'content-length').length === 0) {
    headers.push('Content-Length', '0');
  }
  return fitting(headers, chunked);
}

/**
 * The field lines of an answer to the caller.
 *
 * @param framed whether the message may have chunks: false for HTTP/1.0 and for answers without a body
 */
export function responseHeaders(raw: RawHeaders, framed: boolean): string[] {
  const kept = endToEnd(raw);
  const headers = framed ? kept : without(kept, (name) => name === 'transfer-encoding');
  return fitting(headers, framed && (isChunked(headers) || rawValues(headers, 'content-length').length === 0));
}

export function isChunked(raw: RawHeaders): boolean {
  return rawValues(raw, 'transfer-encoding').some((value) => /(?:^|\W)chunked(?:$|\W)/i.test(value));
}

/** Only chunked messages may have Trailer. Node rejects it elsewhere. */
function fitting(raw: RawHeaders, chunked: boolean): string[] {
  return chunked ? [...raw] : without(raw, (name) => name === 'trailer');
}

function without(raw: RawHeaders, drop: (name: string) => boolean): string[] {
  return linesOf(raw).flatMap((line) => (drop(line[0].toLowerCase()) ? [] : line));
}

/** Adds missing field lines. Fields that the caller sends itself stay unchanged. */
export function withMissing(raw: RawHeaders, added: HeaderFields): RawHeaders {
  return [...raw, ...added.filter(([name]) => rawValues(raw, name).length === 0).flat()];
}

export function announcesBody({ rawHeaders }: { readonly rawHeaders: RawHeaders }): boolean {
  return isChunked(rawHeaders) || rawValues(rawHeaders, 'content-length').some((text) => text !== '0');
}
