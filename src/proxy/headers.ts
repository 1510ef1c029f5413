import type { IncomingMessage } from 'node:http';
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

type Line = [name: string, value: string];

/** @param raw name, value, name, value, as Node gives them */
export function linesOf(raw: readonly string[]): Line[] {
  const lines: Line[] = [];
  for (let index = 0; index < raw.length; index += 2) lines.push([raw[index] ?? '', raw[index + 1] ?? '']);
  return lines;
}

/** Every end-to-end field line in its order, with the original spelling of its name, and with duplicates. */
function endToEnd(raw: readonly string[], { connection = '' }: Sent['headers'], drops: (name: string) => boolean) {
  const nominated = connection.split(',').map((name) => name.trim().toLowerCase());
  const kept: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const [name = '', value = ''] = [raw[index], raw[index + 1]];
    const lower = name.toLowerCase();
    const isOfConnection = HOP_BY_HOP.has(lower) || (nominated.includes(lower) && !NEEDED.has(lower));
    if (!isOfConnection && !drops(lower)) kept.push(name, value);
  }
  return kept;
}

/** Methods whose requests may omit `Content-Length` if they have no body. */
const BODILESS = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/**
 * The field lines of a request to the target: its own Host first (RFC 9110, 7.2), then end-to-end fields in order.
 * Adds `Content-Length: 0` if the method allows a body but the request has no length (RFC 9110, 8.6).
 *
 * @param added fields that the proxy adds unless the caller sends them
 */
export function requestHeaders(
  { method = 'GET', headers, rawHeaders }: Sent,
  host: string,
  added: HeaderFields,
): string[] {
  const missing = added.filter(([name]) => headers[name] === undefined);
  const chunked = isChunked(headers);
  // only chunked messages may have Trailer: Node rejects it elsewhere
  const drops = (name: string): boolean => name === 'host' || (name === 'trailer' && !chunked);
  const isUnframed = !chunked && headers['content-length'] === undefined && !BODILESS.has(method);
  const lines = endToEnd([...rawHeaders, ...missing.flat()], headers, drops);
  return ['Host', host, ...lines, ...(isUnframed ? ['Content-Length', '0'] : [])];
}

/**
 * The field lines of an answer to the caller.
 *
 * @param framed whether the message may have chunks: false for HTTP/1.0 and for answers without a body
 */
export function responseHeaders({ headers, rawHeaders }: Sent, framed: boolean): string[] {
  const chunked = framed && (isChunked(headers) || headers['content-length'] === undefined);
  return endToEnd(rawHeaders, headers, (name) =>
    name === 'transfer-encoding' ? !framed : name === 'trailer' && !chunked,
  );
}

type Sent = Pick<IncomingMessage, 'method' | 'headers' | 'rawHeaders'>;

function isChunked(headers: Sent['headers']): boolean {
  return /(?:^|\W)chunked(?:$|\W)/i.test(headers['transfer-encoding'] ?? '');
}

export function announcesBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return isChunked(headers) || (headers['content-length'] ?? '0') !== '0';
}
