/** Milliseconds between two pauses, which let signals, timers and streams run. */
const SLICE = 20;
/** Milliseconds for which work may continue if it was interrupted before it began. */
const GRACE = 2_000;

/** Lets signals, timers and streams run. A browser, where handlers for MSW run, has no `setImmediate`. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}

export function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same in slices, so that it can be interrupted. Calls `atPause` at each pause. */
export async function inSlices<T>(steps: Generator<void, T>, atPause: () => void = () => {}): Promise<T> {
  for (let paused = performance.now(); ; ) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - paused < SLICE) continue;
    atPause();
    await pause();
    paused = performance.now();
  }
}

/** Whether work must end: when interrupted, or after a grace period if it was interrupted before it began. */
export function interruptionOf(signal: AbortSignal | undefined): () => boolean {
  const late = signal?.aborted === true ? performance.now() + GRACE : null;
  return () => (late === null ? signal?.aborted === true : performance.now() > late);
}
