/** Milliseconds between two pauses in which signals, timers and streams have their turn. */
const SLICE = 20;
/** Milliseconds for which work that begins after its interruption goes on. */
const GRACE = 2_000;

/** Lets signals, timers and streams have their turn. A browser, where handlers for MSW run, has no `setImmediate`. */
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

/** The same in slices, so that it can be interrupted. `atPause` is called at each pause. */
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

/** Whether work is to end by now: when it is interrupted; what was so before it began does what can be done at once. */
export function interruptionOf(signal: AbortSignal | undefined): () => boolean {
  const late = signal?.aborted === true ? performance.now() + GRACE : null;
  return () => (late === null ? signal?.aborted === true : performance.now() > late);
}
