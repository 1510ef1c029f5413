import { Readable } from 'node:stream';
import type { Body } from '../http/exchange.ts';
import { readBody } from '../runner/body.ts';

/** Memory for the copies of all bodies at once. */
export interface Budget {
  take(bytes: number): boolean;
  give(bytes: number): void;
}

export function createBudget(bytes: number): Budget {
  let left = bytes;
  return {
    take(wanted) {
      if (wanted > left) return false;
      left -= wanted;
      return true;
    },
    give(back) {
      left += back;
    },
  };
}

/** A bounded copy of a body that passes by. A body beyond its bounds is dropped whole: it is not judged, and passes all the same. */
export interface Capture {
  add(chunk: Uint8Array): void;
  /** What was copied; null where nothing passed. The memory stays taken until `release`. */
  bytes(): Uint8Array | null;
  readonly tooLarge: boolean;
  release(): void;
}

export function createCapture(limit: number, budget: Budget): Capture {
  let chunks: Uint8Array[] = [];
  let size = 0;
  let tooLarge = false;
  const release = (): void => {
    budget.give(size);
    chunks = [];
    size = 0;
  };
  return {
    get tooLarge() {
      return tooLarge;
    },
    add(chunk) {
      if (tooLarge || chunk.length === 0) return;
      if (size + chunk.length > limit || !budget.take(chunk.length)) {
        tooLarge = true;
        release();
        return;
      }
      size += chunk.length;
      // A copy: what the parser hands over is a window on a larger block.
      chunks.push(Buffer.from(chunk));
    },
    bytes: () => (size === 0 ? null : Buffer.concat(chunks, size)),
    release,
  };
}

/**
 * The body of an answer as the rules see it: decompressed, up to the limit.
 *
 * @param complete whether all of it arrived
 */
export async function bodyOf(
  capture: Capture,
  complete: boolean,
  encoding: string | undefined,
  limit: number,
): Promise<Body> {
  const bytes = capture.bytes() ?? new Uint8Array();
  if (capture.tooLarge) return { bytes: new Uint8Array(), state: 'too-large' };
  if (!complete) return { bytes, state: 'truncated' };
  return readBody(Readable.from(bytes.length === 0 ? [] : [bytes]), encoding, limit);
}
