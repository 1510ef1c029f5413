import type { Io } from '../../src/cli/command.ts';

/** An `Io` that collects its output. */
export function fakeIo(over: Partial<Io> = {}): Io & { out(): string; err(): string } {
  const out: string[] = [];
  const err: string[] = [];
  return {
    stdout: { write: (text: string) => out.push(text) },
    stderr: { write: (text: string) => err.push(text) },
    env: {},
    cwd: process.cwd(),
    signal: new AbortController().signal,
    ...over,
    out: () => out.join(''),
    err: () => err.join(''),
  };
}
