/** Largest token response, in bytes after decompression. */
export const MAX_BODY: number = 2 ** 20;

export class BodyTooLarge extends Error {
  override readonly name: string = 'BodyTooLarge';
}

/**
 * Reads up to {@link MAX_BODY}, or until the signal aborts.
 *
 * @throws BodyTooLarge beyond the limit; the error of the stream if it breaks
 */
export async function readTokenBody(response: Response, signal: AbortSignal): Promise<Uint8Array> {
  if (response.body === null) return new Uint8Array();
  const reader = readerOf(response.body);
  // A custom fetch may not tie the body to its signal.
  const stop = (): void => void reader.cancel().catch(() => {});
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.byteLength;
      if (size > MAX_BODY) {
        stop();
        throw new BodyTooLarge();
      }
      chunks.push(part.value);
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** Frees the connection of a body that is not read. */
export function discardBody(response: Response): void {
  const body = response.body as Body | null;
  if (body === null) return;
  if ('getReader' in body) body.cancel().catch(() => {});
  // read to its end: destroying it would end its connection with an error
  else body.on?.('error', () => {}).resume?.();
}

/** A body of `fetch`, or a Node stream as node-fetch returns it. */
type Body = ReadableStream<Uint8Array> | NodeBody;

interface NodeBody extends AsyncIterable<Uint8Array> {
  on?(event: 'error', listener: () => void): NodeBody;
  resume?(): unknown;
  destroy?(): unknown;
}

type Reader = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read'> & { cancel(): Promise<void> };

function readerOf(body: Body): Reader {
  if ('getReader' in body) return body.getReader();
  const chunks = body[Symbol.asyncIterator]();
  return {
    read: async () => {
      const { done, value } = await chunks.next();
      return done ? { done: true, value: undefined } : { done: false, value };
    },
    cancel: async () => void body.destroy?.(),
  };
}
