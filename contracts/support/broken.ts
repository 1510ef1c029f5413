/** A promise that a check found broken itself. Both texts are ours: they never quote what a target sent. */
export class Broken extends Error {
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
