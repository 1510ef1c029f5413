import type { Readable } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import type { Body } from '../model/exchange.ts';

/** Codings that are decoded; the request asks for no other. */
export const ACCEPT_ENCODING: string = 'gzip, deflate, br';

const DECODERS = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  // The window that RFC 9659 allows as a content coding; by default a frame may ask for 128 MiB.
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 23 } }),
} as const;

/**
 * Reads a response body up to a limit of decompressed bytes.
 *
 * A body that ends early, is too large or cannot be decoded is not an error here: its `state` says so, and what was read is kept.
 *
 * @param limit bytes after decompression
 * @param wireLimit bytes as received
 */
export async function readBody(
  stream: Readable,
  encoding: string | undefined,
  limit: number,
  wireLimit: number = limit,
): Promise<Body> {
  const codings = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim());
  const wanted = codings.filter((coding) => coding !== '' && coding !== 'identity');
  const wire = await collect(stream, wireLimit, 'truncated');
  if (wanted.length === 0 || wire.state !== 'complete') return wire;
  let bytes = wire.bytes;
  for (const coding of wanted.reverse()) {
    const create = Object.hasOwn(DECODERS, coding) ? DECODERS[coding as keyof typeof DECODERS] : undefined;
    if (create === undefined || wanted.length > 3) return { bytes, state: 'undecodable' };
    if (bytes.length === 0) continue;
    const decoder = create();
    decoder.end(bytes);
    const decoded = await collect(decoder, limit, 'undecodable');
    if (decoded.state !== 'complete') return decoded;
    bytes = decoded.bytes;
  }
  return { bytes, state: 'complete' };
}

/** @param broken what a stream is that does not come to its end */
async function collect(stream: Readable, limit: number, broken: 'truncated' | 'undecodable'): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      const part = Buffer.from(chunk as Uint8Array);
      if (size + part.length > limit) {
        stream.destroy();
        return { bytes: Buffer.concat([...chunks, part.subarray(0, limit - size)]), state: 'too-large' };
      }
      size += part.length;
      chunks.push(part);
    }
  } catch (error) {
    if (isTimeout(error)) throw error;
    return { bytes: Buffer.concat(chunks), state: broken };
  }
  return { bytes: Buffer.concat(chunks), state: 'complete' };
}

function isTimeout(error: unknown): boolean {
  const name = error instanceof Error ? error.name : '';
  return name === 'AbortError' || name === 'TimeoutError' || name === 'BodyTimeoutError';
}
