import { Readable } from 'node:stream';
import type { Body } from '../model/exchange.ts';
import { readBody } from '../net/response.ts';

export type BodyCopy = ReturnType<ReturnType<typeof createBodyCopies>>;

/**
 * Copies bodies as they pass, up to a limit. A larger body passes without a copy and is not judged.
 *
 * @param together bytes of all copies at once
 * @param limit bytes of one body
 */
export function createBodyCopies(together: number, limit: number) {
  let left = together;
  return () => {
    let chunks: Uint8Array[] = [];
    let size = 0;
    /** No more bytes are taken: the body is too large, or the copy was released before its end. */
    let closed = false;
    /** The copied bytes; null if there are no bytes. They count against the total until `release`. */
    const bytes = (): Uint8Array | null => (chunks.length > 1 ? Buffer.concat(chunks, size) : (chunks[0] ?? null));
    const release = (): void => {
      closed = true;
      left += size;
      chunks = [];
      size = 0;
    };
    return {
      add(chunk: Uint8Array): void {
        if (closed || chunk.length === 0) return;
        if (size + chunk.length > limit || chunk.length > left) {
          release();
          return;
        }
        size += chunk.length;
        left -= chunk.length;
        // A block of its own, because a view would keep the whole block that Node read.
        chunks.push(new Uint8Array(chunk));
      },
      bytes,
      /**
       * The body of an answer for the rules: decompressed, up to the limit.
       *
       * @param complete whether the whole body arrived
       */
      body(complete: boolean, encoding: string | undefined): Body | Promise<Body> {
        const copied = bytes() ?? new Uint8Array();
        if (closed) return { bytes: copied, state: 'too-large' };
        if (!complete) return { bytes: copied, state: 'truncated' };
        if (encoding === undefined) return { bytes: copied, state: 'complete' };
        return readBody(Readable.from([copied]), encoding, limit);
      },
      release,
    };
  };
}
