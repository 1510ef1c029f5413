import { fstatSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { pause } from '../contract/time-slices.ts';
import { EXIT, type ExitCode, ToolError } from '../errors.ts';
import type { Io } from './command.ts';
import { describeFault, ranOutOfHandles, withoutHandles } from './faults.ts';
import { exitLine } from './help.ts';
import { run } from './run.ts';
import { terminalOf } from './terminal.ts';

/** A second signal ends the process, but only after this time, because npm sends each signal twice. Milliseconds. */
const IMPATIENT_MS = 1000;
/** Milliseconds after a signal at which a command that has not ended is killed. */
const GRACE_MS = 15_000;

const interruption = new AbortController();
let interruptedAt: number | undefined;

/** Installs the signal handlers. Before a command requests its signal it only loads, and a signal ends it at once. */
function heeding(): AbortSignal {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // Never removed: a pending signal would be lost.
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

// If stderr is closed, messages are lost, and the error cannot be reported.
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
// never process.exit(): a pipe may not have read the report yet
process.exitCode = faulted ?? code;
if (ranOutOfHandles()) setTimeout(() => process.exit(), 2 * IMPATIENT_MS).unref();

/** Without a listener an error would end the process. A closed reader (`| head`) is no failure; a full disk is. */
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
        // After a partial write to a disk, Node's stream drops the rest and reports success.
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
      // an error arrives one turn after its write
      await pause();
      return failure;
    },
  };
}
