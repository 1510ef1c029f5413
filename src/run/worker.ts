import { ownFolder } from '../contract/folder.ts';
import { DEFAULT_LIMITS } from '../net/settings.ts';
import { type Follower, loadEngine, runSuite } from './engine.ts';
import type { VerifyOptions } from './options.ts';
import { type Door, openDoor } from './way-out.ts';

export interface SuiteWorker extends AsyncDisposable {
  readonly door: Door;
  /** Lets the worker begin. Resolves to false if it was killed. */
  readonly run: (follower: Follower) => Promise<boolean>;
}

/**
 * Starts a worker, which waits for its input. Loading it takes as long as opening a target, so both run in parallel.
 *
 * @param rehearsal true to run only the contract's own files
 * @throws ToolError `engine-missing` without Pactum or vitest
 */
export async function startWorker(
  { folder = ownFolder, signal = new AbortController().signal, limits }: VerifyOptions,
  rehearsal = false,
): Promise<SuiteWorker> {
  await loadEngine();
  const door = await openDoor();
  const follower = Promise.withResolvers<Follower>();
  const { wayOut, key } = door;
  const seconds = limits?.duration ?? DEFAULT_LIMITS.duration;
  const started = Promise.withResolvers<void>();
  const ended = runSuite({
    ...{ rehearsal, folder, signal, seconds },
    address: { wayOut, key },
    onStart: started.resolve,
    follower: follower.promise,
  });
  // The run gets its error later.
  await Promise.race([started.promise, ended.catch(() => {})]);
  return {
    door,
    run(given) {
      follower.resolve(given);
      return ended;
    },
    async [Symbol.asyncDispose]() {
      await door[Symbol.asyncDispose]();
      await ended.catch(() => {});
    },
  };
}
