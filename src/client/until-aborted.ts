/** The outcome of a promise, or the error as soon as the signal aborts; the promise itself goes on. */
export function untilAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
  error: () => unknown,
): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(error());
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
