import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

/**
 * Frees what reading a body of megabytes left behind: its chunks, its text, what was parsed of it. V8 lets such garbage grow with the
 * heap, which by default may take gigabytes; a target that sends only such bodies would decide how much memory a run takes.
 */
export function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
