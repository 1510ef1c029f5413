import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Bytes of both halves of the young generation, at which its growth ends. Halves of 16 MiB would be no faster. */
const YOUNG = 8 * 1024 * 1024;
/** Percent by which the old generation grows before it is collected. V8 waits for up to 300. */
const OLD_GROWTH = 135;

/**
 * Bounds the heap of a process that keeps a window of exchanges, at the same rate. Only a command may do this, not a
 * library. V8 takes the largest size of the young generation only at its start, so its growth is stopped here.
 */
export function boundHeap(): void {
  setFlagsFromString(`--heap-growing-percent=${OLD_GROWTH}`);
  let factor: 1 | 2 | undefined;
  const collected = new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
    const wanted = young !== undefined && young.space_size < YOUNG ? 2 : 1;
    // V8 also shrinks an idle young generation, which may then grow again
    if (factor !== wanted) setFlagsFromString(`--semi-space-growth-factor=${wanted}`);
    factor = wanted;
  });
  collected.observe({ entryTypes: ['gc'] });
}
