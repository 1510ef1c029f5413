import { test } from 'vitest';
import type { CheckNotes, CheckSpec } from '../../src/run/protocol.ts';
import { type Asker, begin, Stopped, suite } from './ask.ts';

/** A promise that a check found broken itself. Both texts are ours: they never quote what a target sent. */
class Broken extends Error {
  override readonly name: string = 'Broken';
  readonly expected: string;
  readonly actual: string;

  constructor(expected: string, actual: string) {
    super(`expected ${expected}, got ${actual}`);
    this.expected = expected;
    this.actual = actual;
  }
}

/** Holds a check to a promise of its own. */
export function expectThat(kept: boolean, expected: string, actual: string): void {
  if (!kept) throw new Broken(expected, actual);
}

/** Ids of the checks that the run lists for a file that serves any contract. */
export function checksOf(file: string): string[] {
  return suite.checks.filter((check) => check.file === file).map(({ id }) => id);
}

/**
 * Registers one check: one that the run lists, by its id, or one of the contract itself, by what it says of itself. Without a body it
 * makes its calls one after the other. What the answers mean is for the judge, not for the check.
 */
export function check(what: string | CheckSpec, body: (t: Asker) => Promise<unknown> = (t) => t.all()): void {
  const own = typeof what === 'string' ? {} : { spec: what };
  const id = typeof what === 'string' ? what : what.id;
  test(id, { meta: { check: id, ...own } }, async ({ task, skip }) => {
    const notes: CheckNotes = {};
    task.meta.notes = notes;
    const begun = await begin(id);
    if (begun.skip !== null) {
      skip();
      return;
    }
    try {
      await body(begun.asker);
    } catch (error) {
      if (error instanceof Stopped) notes.stopped = error.message;
      else {
        if (error instanceof Broken) notes.broken = { expected: error.expected, actual: error.actual };
        throw error;
      }
    }
  });
}
