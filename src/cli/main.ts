import { fstatSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { pause } from '../contract/time-slices.ts';
import { EXIT, type ExitCode, ToolError } from '../errors.ts';
import type { Io } from './command.ts';
import { describeFault, ranOutOfHandles, withoutHandles } from './faults.ts';
import { exitLine } from './help.ts';
import { run } from './run.ts';
import { terminalOf } from './terminal.ts';

/** A second signal ends the process at once; npm sends each one twice, so it counts only after this many milliseconds. */
const IMPATIENT_MS = 1000;
/** A command that has not come to its end by then, milliseconds after a signal, is cut. */
const GRACE_MS = 15_000;

const interruption = new AbortController();
let interruptedAt: number | undefined;

/** Installs the handlers of signals. Until a command asks for its signal it only loads, and a signal ends the process at once. */
function heeding(): AbortSignal {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // Never taken off: a signal that waits for its turn would be lost.
    if (!process.listeners(signal).includes(interrupt)) process.on(signal, interrupt);
  }
  return interruption.signal;
}

function interrupt(signal: NodeJS.Signals): void {
  if (interruptedAt === undefined) {
    interruptedAt = performance.now();
    interruption.abort(signal);
    setTimeout(() => {
      process.stderr.write(`${exitLine(EXIT.interrupted)}\n`);
      process.exit(EXIT.interrupted);
    }, GRACE_MS).unref();
  } else if (performance.now() - interruptedAt > IMPATIENT_MS) {
    process.exit(EXIT.interrupted);
  }
}

// Talk that nobody can take is lost, and there is nobody to tell.
process.stderr.on('error', () => {});

let faulted: ExitCode | undefined;
process.on('uncaughtException', (error) => {
  const thrown = withoutHandles(error);
  const known = thrown instanceof ToolError;
  process.stderr.write(`${known ? thrown.describe() : describeFault(thrown)}\n`);
  faulted ??= known ? thrown.exitCode : EXIT.fault;
  process.exitCode = faulted;
  interruption.abort('fault');
  setTimeout(() => process.exit(faulted), 2 * IMPATIENT_MS).unref();
});

const code = await run(process.argv.slice(2), {
  stdout: watchOutput(process.stdout),
  stderr: process.stderr,
  terminal: terminalOf(interruption.signal),
  env: process.env,
  cwd: process.cwd(),
  get signal() {
    return heeding();
  },
});
// never process.exit(): a pipe may still have to take the report
process.exitCode = faulted ?? code;
if (ranOutOfHandles()) setTimeout(() => process.exit(), 2 * IMPATIENT_MS).unref();

/** An error would end the process. A reader that went away (`| head`) is none; a full disk is one. */
function watchOutput(stream: NodeJS.WriteStream & { readonly fd: number }): Required<Io['stdout']> {
  let failure: Error | null = null;
  let wrote = false;
  const note = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EPIPE') failure ??= error;
  };
  stream.on('error', note);
  const isFile = fstatSync(stream.fd).isFile();
  return {
    write(text) {
      wrote = true;
      if (!isFile) stream.write(text);
      else {
        // Node's stream loses the rest of what a disk takes in part only, and calls it written.
        try {
          writeFileSync(stream.fd, text);
        } catch (error) {
          note(error as NodeJS.ErrnoException);
        }
      }
    },
    isFile,
    get isTTY() {
      return stream.isTTY === true;
    },
    async failure() {
      if (!wrote || isFile) return failure;
      await new Promise<void>((resolve) => stream.write('', () => resolve()));
      // an error is told one turn after the write that it belongs to
      await pause();
      return failure;
    },
  };
}
