import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of garbage that may lie about. */
const MOST_GARBAGE = 32 * 1024 * 1024;

let collect: (() => void) | undefined;
/** Bytes in use after the last collection, or when first asked. */
let base: number | undefined;

function used(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/**
 * Frees what reading and judging large answers left behind, once it is much. V8 lets garbage grow with the heap, which by default may
 * take gigabytes; a target that sends only large bodies would decide how much memory a run takes.
 */
export function limitGarbage(): void {
  const now = used();
  base ??= now;
  if (now < base) base = now;
  if (now - base < MOST_GARBAGE) return;
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
  base = used();
}
