/** What fetch takes as a body. */
export type Content = NonNullable<RequestInit['body']>;

/** A request body that can be sent more than once, as far as it can. */
export interface ReplayableBody {
  /** Null where the request has none. */
  next(): Content | null;
  /** Whether another `next()` gives the same bytes again. */
  readonly replayable: boolean;
  readonly isStream: boolean;
  /** Lets go of what was kept for another attempt. */
  release(): void;
}

/**
 * Strings, forms, blobs and bytes are sent again as they are, streams are teed.
 * Anything else that a platform's fetch takes (async iterables in Node) is read once and cannot be sent again.
 */
export function replayableBody(body: Content | null | undefined): ReplayableBody {
  if (body instanceof ReadableStream) return teed(body);
  return {
    next: () => body ?? null,
    replayable: body === null || body === undefined || !isOneShot(body),
    isStream: false,
    release: () => {},
  };
}

function isOneShot(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const isForm = body instanceof FormData || body instanceof URLSearchParams;
  return !isForm && (Symbol.asyncIterator in body || Symbol.iterator in body) && !ArrayBuffer.isView(body);
}

function teed(stream: ReadableStream): ReplayableBody {
  let spare: ReadableStream | undefined = stream;
  return {
    next() {
      // A stream that somebody reads already is fetch's to complain about.
      if (spare === undefined || spare.locked) return stream;
      const [now, later] = spare.tee();
      spare = later;
      return now;
    },
    replayable: !stream.locked,
    isStream: true,
    release() {
      spare?.cancel().catch(() => {});
      spare = undefined;
    },
  };
}
