import { discover } from './discovery/discover.ts';
import type { VerifyOptions } from './options.ts';
import { announceRun } from './plan.ts';
import { openSession, type Session } from './session.ts';
import { checkSkips } from './skips.ts';
import { openSuite } from './suite.ts';
import { openTarget } from './target.ts';

/**
 * Opens the target, gets the first token, finds ids, and lists the checks.
 *
 * @param ready awaited before any call of an operation, for example until an engine is loaded
 */
export async function openRun(options: VerifyOptions, ready?: Promise<unknown>) {
  const target = await openTarget({ ...options, addBasePath: true });
  let opened: Session | undefined;
  async function close(): Promise<void> {
    await opened?.[Symbol.asyncDispose]();
    await target[Symbol.asyncDispose]();
  }
  try {
    opened = await openSession(target, options);
    await ready;
    const session = await discover(opened);
    checkSkips(session);
    const suite = openSuite(session);
    return { session, suite, hold: await announceRun(session, suite), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}
