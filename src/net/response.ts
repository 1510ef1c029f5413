import type { Readable } from 'node:stream';
// Not a named import: on a Node without zstd, that import would fail before the version check could report it.
import * as zlib from 'node:zlib';
import type { Body, TransportFailure } from '../model/exchange.ts';

/** Supported codings; the request accepts no other. */
export const ACCEPT_ENCODING: string = 'gzip, deflate, br';

const DECODERS = {
  gzip: zlib.createGunzip,
  'x-gzip': zlib.createGunzip,
  deflate: zlib.createInflate,
  br: zlib.createBrotliDecompress,
  // The window that RFC 9659 allows for a content coding. By default, a frame may require 128 MiB.
  zstd: () => zlib.createZstdDecompress({ params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } }),
} as const;

/**
 * Reads a response body up to a limit of decompressed bytes.
 * A body that ends early, is too large or cannot be decoded is no error here: `state` reports it, and the bytes read so
 * far are kept. The rest of a body that is too large is not read.
 *
 * @param limit bytes as received, and after decompression
 */
export async function readBody(stream: Readable, encoding: string | undefined, limit: number): Promise<Body> {
  const codings = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim());
  const wanted = codings.filter((coding) => coding !== '' && coding !== 'identity');
  const wire = await collect(stream, limit, 'truncated');
  if (wanted.length === 0 || wire.state !== 'complete') return wire;
  let bytes = wire.bytes;
  for (const coding of wanted.reverse()) {
    const create = Object.hasOwn(DECODERS, coding) ? DECODERS[coding as keyof typeof DECODERS] : undefined;
    if (create === undefined || wanted.length > 3) return { bytes, state: 'undecodable' };
    if (bytes.length === 0) continue;
    const decoder = create();
    decoder.end(bytes);
    const decoded = await collect(decoder, limit, 'undecodable');
    decoder.destroy();
    if (decoded.state !== 'complete') return decoded;
    bytes = decoded.bytes;
  }
  return { bytes, state: 'complete' };
}

/** @param broken the state if the stream does not end normally */
async function collect(stream: Readable, limit: number, broken: 'truncated' | 'undecodable'): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      const part = Buffer.from(chunk as Uint8Array);
      if (size + part.length > limit) {
        return { bytes: Buffer.concat([...chunks, part.subarray(0, limit - size)]), state: 'too-large' };
      }
      size += part.length;
      chunks.push(part);
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    return { bytes: Buffer.concat(chunks), state: broken };
  }
  return { bytes: Buffer.concat(chunks), state: 'complete' };
}

/** Classifies an error of `node:http` or undici on the way to a target. */
export function failureKind(error: unknown): TransportFailure {
  const code = codeOf(error);
  if (['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'ENODATA'].includes(code)) return 'dns';
  if (['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'].includes(code)) return 'refused';
  if (['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'].includes(code)) return 'connect-timeout';
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|EPROTO)/.test(code)) return 'tls';
  if (['HPE_HEADER_OVERFLOW', 'UND_ERR_HEADERS_OVERFLOW'].includes(code)) return 'too-large';
  if (/^(HPE_|ERR_HTTP|ERR_INVALID|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)/.test(code)) return 'malformed';
  return error instanceof Error && error.name === 'HTTPParserError' ? 'malformed' : 'reset';
}

/** The code of an error, or of the first of several; empty if it has no code. */
export function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
